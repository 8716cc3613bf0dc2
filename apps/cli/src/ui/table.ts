import stringWidth from 'string-width';
import type { Glyphs, TextStyle } from './frame.js';
import { padText, toOneLine } from './text.js';

/** One column of a table, or one line of a single record. */
export interface Column<Row> {
  readonly header: string;
  readonly align?: 'right';
  /** Whether cells may be truncated on a narrow terminal. Columns of ids and amounts are never flexible. */
  readonly flexible?: true;
  /** Whether a flexible column is truncated only if truncating the other flexible columns is not enough. */
  readonly roomy?: true;
  /**
   * Whether the column may be omitted on a narrow terminal. Columns with `true` are omitted before columns with `last`, see
   * {@link fitColumns}. The output formats JSON and CSV omit no fields.
   */
  readonly droppable?: true | 'last';
  value(row: Row): string | null;
}

/** The parts of a record that are printed: `columns` in a table, and `fields` (names of fields in the API) in CSV. */
export interface RecordView<Row> {
  readonly columns: readonly Column<Row>[];
  readonly fields: readonly (keyof Row & string)[];
}

/** A table, and the headers of the columns that were omitted on a narrow terminal. */
export interface RenderedTable {
  readonly text: string;
  readonly leftOut: readonly string[];
}

/**
 * Renders rows as an aligned table with a header. Widths are measured in columns of the terminal, so that wide characters align
 * too. On a terminal narrower than the table, flexible cells are truncated and droppable columns are omitted, so that the rows
 * fit if possible.
 *
 * @param options.widthMax the maximum width of a row, in columns of the terminal; undefined for no limit, as for a file or a pipe
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

/** Renders one record. Each line shows the header and the value of one column. */
export function renderSheet<Row>(row: Row, options: { columns: readonly Column<Row>[]; style: TextStyle }): string {
  const width = Math.max(...options.columns.map(({ header }) => header.length));
  const lines = options.columns.map((column) => {
    const name = options.style.faint(column.header.padEnd(width));
    return `${name}${gap}${toOneLine(column.value(row) ?? '')}`.trimEnd();
  });
  return `${lines.join('\n')}\n`;
}

const gap = '  ';

/** The width that a table column needs, in columns of the terminal, and how the column may shrink. */
export interface ColumnNeeds {
  /** The width of the longest text in the column, which may be the header. */
  readonly width: number;
  readonly flexible: boolean;
  readonly roomy: boolean;
  readonly droppable: boolean | 'last';
}

/**
 * Returns the width of each column, so that rows fit into the terminal if possible. Takes these steps until the rows fit:
 * 1. truncate flexible columns as far as necessary, but keep ten characters, or twenty in roomy columns;
 * 2. omit the columns with `droppable: true` from the right, and give their width to the others;
 * 3. keep only six characters, or ten in roomy columns, and omit the columns with `droppable: 'last'` from the right;
 * 4. keep only four characters in every flexible column.
 * If the rows are still too long after the last step, they wrap.
 *
 * @param limits.widthMax the maximum width of a row; undefined for no limit
 * @param limits.gapWidth the width of the gap between two columns
 * @returns the widths, undefined for an omitted column
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

/** A combination that {@link fitColumns} tries: the columns that are omitted, and the minimum width of each other column. */
interface Stage {
  readonly dropped: readonly ColumnNeeds[];
  readonly minimum: (column: ColumnNeeds) => number;
}

const cutWidthMin = 4;
const comfortable = ({ roomy }: ColumnNeeds) => (roomy ? 20 : 10);
const tight = ({ roomy }: ColumnNeeds) => (roomy ? 10 : 6);

/** Returns lists of columns: an empty list, the rightmost column, the two rightmost columns, and so on. */
function dropOneByOne(columns: readonly ColumnNeeds[]): readonly (readonly ColumnNeeds[])[] {
  return [...columns.map((_, index) => columns.slice(columns.length - index)), columns];
}

function shrink(
  columns: readonly ColumnNeeds[],
  { stage, widthMax, gapWidth }: { stage: Stage; widthMax: number; gapWidth: number },
): (number | undefined)[] {
  const widths = columns.map((column) => (stage.dropped.includes(column) ? undefined : column.width));
  let excess = rowWidth(widths, gapWidth) - widthMax;
  // Columns that are not roomy shrink first.
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
