/** What a column of a table needs and allows; widths count columns of the terminal. */
export interface ColumnNeeds {
  /** Of its longest cell, or its head. */
  readonly width: number;
  readonly flexible: boolean;
  readonly roomy: boolean;
  readonly droppable: boolean;
}

/**
 * Decides how wide each column of a table is, so that no row is longer than the terminal: flexible columns are cut to
 * ten, the roomy one to twenty; then droppable columns go, and their room comes back to the others; and only where that
 * is not enough either, cells are cut to four. Rows of columns that are never cut may still be too long, and wrap.
 *
 * @param widthMax of a row, or undefined where nothing limits it
 * @param gapWidth between two columns
 * @returns the width of each column, undefined for one that is left out
 */
export function fitColumns(
  columns: readonly ColumnNeeds[],
  { widthMax, gapWidth }: { widthMax: number | undefined; gapWidth: number },
): readonly (number | undefined)[] {
  const natural = columns.map(({ width }) => width);
  if (widthMax === undefined) return natural;
  const shown = (droppedMax: number) => {
    let dropped = 0;
    return columns.map((column) => {
      if (!column.droppable || dropped >= droppedMax) return true;
      dropped += 1;
      return false;
    });
  };
  const droppableCount = columns.filter(({ droppable }) => droppable).length;
  for (let dropped = 0; dropped <= droppableCount; dropped += 1) {
    const widths = shrink(columns, { isShown: shown(dropped), widthMax, gapWidth, minimum: comfortable });
    if (rowWidth(widths, gapWidth) <= widthMax) return widths;
  }
  return shrink(columns, { isShown: shown(droppableCount), widthMax, gapWidth, minimum: () => cutWidthMin });
}

const cutWidthMin = 4;
const comfortable = ({ roomy }: ColumnNeeds) => (roomy ? 20 : 10);

function shrink(
  columns: readonly ColumnNeeds[],
  options: {
    isShown: readonly boolean[];
    widthMax: number;
    gapWidth: number;
    minimum: (column: ColumnNeeds) => number;
  },
): (number | undefined)[] {
  const widths = columns.map(({ width }, index) => (options.isShown[index] === true ? width : undefined));
  let excess = rowWidth(widths, options.gapWidth) - options.widthMax;
  // Those that are not roomy first.
  for (const roomy of [false, true]) {
    for (const [index, column] of columns.entries()) {
      const width = widths[index];
      if (width === undefined || excess <= 0 || !column.flexible || column.roomy !== roomy) continue;
      const spare = Math.max(0, Math.min(excess, width - options.minimum(column)));
      widths[index] = width - spare;
      excess -= spare;
    }
  }
  return widths;
}

function rowWidth(widths: readonly (number | undefined)[], gapWidth: number): number {
  const shown = widths.filter((width) => width !== undefined);
  return shown.reduce((sum, width) => sum + width, 0) + gapWidth * Math.max(0, shown.length - 1);
}
