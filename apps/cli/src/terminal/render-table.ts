import stringWidth from 'string-width';
import { fitColumns } from './fit-columns.js';
import type { Column } from './record-view.js';
import type { TextStyle } from './text-style.js';

/** A table, and the heads of the columns that a narrow terminal has no room for. */
export interface RenderedTable {
  readonly text: string;
  readonly leftOut: readonly string[];
}

/**
 * Rows as an aligned table with a head; amounts stand right. Widths count columns of the terminal, so wide characters
 * align too. On a terminal narrower than the table, flexible cells are cut with `…` and droppable columns left out, so
 * that no row wraps; into a pipe nothing is cut.
 *
 * @param widthMax columns of the terminal, or undefined for a file or pipe
 */
export function renderTable<Row>(
  rows: readonly Row[],
  options: { columns: readonly Column<Row>[]; style: TextStyle; widthMax: number | undefined },
): RenderedTable {
  const { columns, style, widthMax } = options;
  const cells = rows.map((row) => columns.map((column) => toOneLine(column.value(row) ?? '')));
  const needs = columns.map(({ header, flexible, roomy, droppable }, index) => ({
    width: cells.reduce((width, row) => Math.max(width, stringWidth(row[index] ?? '')), stringWidth(header)),
    flexible: flexible === true,
    roomy: roomy === true,
    droppable: droppable === true,
  }));
  const widths = fitColumns(needs, { widthMax, gapWidth: gap.length });
  const renderLine = (texts: readonly string[]) =>
    columns
      .flatMap((column, index) => {
        const width = widths[index];
        return width === undefined ? [] : [pad(texts[index] ?? '', { width, align: column.align })];
      })
      .join(gap)
      .trimEnd();
  const head = style.strong(renderLine(columns.map((column) => column.header)));
  const leftOut = columns.filter((_, index) => widths[index] === undefined).map(({ header }) => header);
  return { text: `${[head, ...cells.map(renderLine)].join('\n')}\n`, leftOut };
}

/** One record as a sheet: a line for each column, its name first. */
export function renderSheet<Row>(row: Row, options: { columns: readonly Column<Row>[]; style: TextStyle }): string {
  const width = Math.max(...options.columns.map((column) => stringWidth(column.header)));
  const lines = options.columns.map((column) => {
    const name = options.style.faint(pad(column.header, { width }));
    return `${name}${gap}${toOneLine(column.value(row) ?? '')}`.trimEnd();
  });
  return `${lines.join('\n')}\n`;
}

const gap = '  ';

function pad(text: string, options: { width: number; align?: 'right' | undefined }): string {
  const cut = cutTo(text, options.width);
  const spaces = ' '.repeat(Math.max(0, options.width - stringWidth(cut)));
  return options.align === 'right' ? spaces + cut : cut + spaces;
}

function cutTo(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let cut = '';
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(cut + segment) > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A description may hold line ends, and a name could hold an escape sequence: neither may move the cursor. */
function toOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
