/** What a column of a table needs and allows; widths count columns of the terminal. */
export interface ColumnNeeds {
  /** Of its longest cell, or its head. */
  readonly width: number;
  readonly flexible: boolean;
  readonly roomy: boolean;
  readonly droppable: boolean | 'last';
}

/**
 * Decides how wide each column of a table is, so that no row is longer than the terminal. Flexible columns are cut to ten,
 * the roomy one to twenty; then droppable columns go, from the right, and their room comes back to the others; then cells
 * are cut to six and ten; then the columns go that are to go last; and only where that is not enough either, cells are cut
 * to four. Rows of columns that are never cut may still be too long, and wrap.
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
  const early = columns.filter(({ droppable }) => droppable === true);
  const late = columns.filter(({ droppable }) => droppable === 'last');
  const stages: readonly Stage[] = [
    ...dropOneByOne(early).map((dropped) => ({ dropped, minimum: comfortable })),
    ...dropOneByOne(late).map((dropped) => ({ dropped: [...early, ...dropped], minimum: tight })),
    { dropped: [...early, ...late], minimum: () => cutWidthMin },
  ];
  let widths: readonly (number | undefined)[] = natural;
  for (const stage of stages) {
    widths = shrink(columns, { stage, widthMax, gapWidth });
    if (rowWidth(widths, gapWidth) <= widthMax) break;
  }
  return widths;
}

/** One try: the columns that are left out, and how far the others may be cut. */
interface Stage {
  readonly dropped: readonly ColumnNeeds[];
  readonly minimum: (column: ColumnNeeds) => number;
}

const cutWidthMin = 4;
const comfortable = ({ roomy }: ColumnNeeds) => (roomy ? 20 : 10);
const tight = ({ roomy }: ColumnNeeds) => (roomy ? 10 : 6);

/** None, the rightmost, the two rightmost … */
function dropOneByOne(columns: readonly ColumnNeeds[]): readonly (readonly ColumnNeeds[])[] {
  return [...columns.map((_, index) => columns.slice(columns.length - index)), columns];
}

function shrink(
  columns: readonly ColumnNeeds[],
  { stage, widthMax, gapWidth }: { stage: Stage; widthMax: number; gapWidth: number },
): (number | undefined)[] {
  const widths = columns.map((column) => (stage.dropped.includes(column) ? undefined : column.width));
  let excess = rowWidth(widths, gapWidth) - widthMax;
  // Those that are not roomy first.
  for (const roomy of [false, true]) {
    for (const [index, column] of columns.entries()) {
      const width = widths[index];
      if (width === undefined || excess <= 0 || !column.flexible || column.roomy !== roomy) continue;
      const spare = Math.max(0, Math.min(excess, width - stage.minimum(column)));
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
