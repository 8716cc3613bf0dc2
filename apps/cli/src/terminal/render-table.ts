import stringWidth from 'string-width';
import { fitColumns } from './fit-columns.js';
import { padText } from './fit-text.js';
import type { Glyphs } from './glyphs.js';
import { toOneLine } from './plain-text.js';
import type { Column } from './record-view.js';
import type { TextStyle } from './text-style.js';

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
