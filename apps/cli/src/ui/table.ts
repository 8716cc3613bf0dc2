import stringWidth from 'string-width';
import { padText, toOneLine } from './text.js';
import type { Glyphs, TextStyle } from './frame.js';

/** One column of a table, or one line of a record's sheet. */
export interface Column<Row> {
  readonly header: string;
  readonly align?: 'right';
  /** May be cut on a narrow terminal; ids and amounts never are. */
  readonly flexible?: true;
  /** Gets the room that is left: cut after the other flexible columns, and no shorter than it must be. */
  readonly roomy?: true;
  /**
   * Left out where the terminal has no room, from the right: `true` as soon as cells would become short, `last` only where
   * short cells do not fit either. The other formats have it.
   */
  readonly droppable?: true | 'last';
  value(row: Row): string | null;
}

/** How a noun is shown: to people as `columns`, in CSV as the API's own `fields`, nested ones as JSON. */
export interface RecordView<Row> {
  readonly columns: readonly Column<Row>[];
  readonly fields: readonly (keyof Row & string)[];
}

/** A table, and the heads of the columns that a narrow terminal has no room for. */
export interface RenderedTable {
  readonly text: string;
  readonly leftOut: readonly string[];
}

/**
 * Rows as an aligned table with a head; amounts stand right. Widths count columns of the terminal, so wide characters
 * align too. On a terminal narrower than the table, flexible cells are cut and droppable columns left out, so
 * that no row wraps; into a pipe nothing is cut.
 *
 * @param widthMax columns of the terminal, or undefined for a file or pipe
 */
export function renderTable<Row>(
  rows: readonly Row[],
  options: {
    columns: readonly Column<Row>[];
    style: TextStyle;
    glyphs: Pick<Glyphs, 'cut'>;
    widthMax: number | undefined;
  },
): RenderedTable {
  const { columns, style, glyphs, widthMax } = options;
  const cells = rows.map((row) => columns.map((column) => toOneLine(column.value(row) ?? '')));
  const needs = columns.map(({ header, flexible, roomy, droppable }, index) => ({
    width: cells.reduce((width, row) => Math.max(width, stringWidth(row[index] ?? '')), stringWidth(header)),
    flexible: flexible === true,
    roomy: roomy === true,
    droppable: droppable ?? false,
  }));
  const widths = fitColumns(needs, { widthMax, gapWidth: gap.length });
  const renderLine = (texts: readonly string[]) =>
    columns
      .flatMap((column, index) => {
        const width = widths[index];
        return width === undefined
          ? []
          : [padText(texts[index] ?? '', { width, align: column.align, cutMark: glyphs.cut })];
      })
      .join(gap)
      .trimEnd();
  const head = style.strong(renderLine(columns.map((column) => column.header)));
  const leftOut = columns.filter((_, index) => widths[index] === undefined).map(({ header }) => header);
  return { text: `${[head, ...cells.map(renderLine)].join('\n')}\n`, leftOut };
}

/** One record as a sheet: a line for each column, its name first. */
export function renderSheet<Row>(row: Row, options: { columns: readonly Column<Row>[]; style: TextStyle }): string {
  const width = Math.max(...options.columns.map(({ header }) => header.length));
  const lines = options.columns.map((column) => {
    const name = options.style.faint(column.header.padEnd(width));
    return `${name}${gap}${toOneLine(column.value(row) ?? '')}`.trimEnd();
  });
  return `${lines.join('\n')}\n`;
}

const gap = '  ';

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
