import { cutText, descriptionCharactersMax } from '../../texts.js';
import { cellOf, plainCell, type RowCells } from '../table/cells.js';
import type { ColumnPositions } from '../table/columns.js';

/**
 * Returns the positions of the columns that continue the description: the columns directly to the right of the description that have no
 * header, except those that have a role, such as the amount. The bank PKO BP writes details of a transaction, such as the merchant, into
 * such columns. If the description column has no header either, returns `splitTexts`.
 *
 * @param file.splitTexts the positions of further columns with texts in a file without headers (`SplitTexts`)
 */
export function findContinuations(file: {
  readonly headers: readonly string[];
  readonly positions: ColumnPositions;
  readonly splitTexts: readonly number[];
}): readonly number[] {
  const { headers, positions, splitTexts } = file;
  const { description } = positions;
  if (description === undefined) return [];
  if ((headers[description] ?? '').trim() === '') return splitTexts;
  const next = headers.findIndex((header, position) => position > description && header.trim() !== '');
  const end = next === -1 ? headers.length : next;
  const used = new Set(Object.values(positions));
  return headers
    .map((_, position) => position)
    .slice(description + 1, end)
    .filter((position) => !used.has(position));
}

/**
 * Returns the description of a row, followed by its cells in the columns `continuations`; null if there is no text. Of these columns, only
 * cells with two consecutive letters are used.
 */
export function readDescription(row: RowCells, continuations: readonly number[]): string | null {
  let text = cellOf(row, 'description') ?? '';
  for (const position of continuations) {
    const detail = plainCell(row.cells[position] ?? '');
    if (/\p{L}{2}/u.test(detail)) text = text === '' ? detail : `${text} ${detail}`;
  }
  return cutText(text, descriptionCharactersMax) || null;
}
