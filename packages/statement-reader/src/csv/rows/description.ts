import { cutText, descriptionCharactersMax } from '../../texts.js';
import type { ColumnPositions } from '../columns/columns.js';
import { cellOf, plainCell, type RowCells } from './cells.js';

/**
 * Returns the positions of the columns that continue the description: the columns without a header directly to its right, except those
 * that have a role. PKO BP writes the details of a transaction into such columns, such as the merchant. Returns no positions if the
 * description has no header either.
 */
export function findContinuations(headers: readonly string[], positions: ColumnPositions): readonly number[] {
  const { description } = positions;
  if (description === undefined || (headers[description] ?? '').trim() === '') return [];
  const next = headers.findIndex((header, position) => position > description && header.trim() !== '');
  const end = next === -1 ? headers.length : next;
  const used = new Set(Object.values(positions));
  return headers
    .map((_, position) => position)
    .slice(description + 1, end)
    .filter((position) => !used.has(position));
}

/** Returns the description of a row, with the texts of its continuations; null if there is no text. Cells without a word are omitted. */
export function readDescription(row: RowCells, continuations: readonly number[]): string | null {
  let text = cellOf(row, 'description') ?? '';
  for (const position of continuations) {
    const detail = plainCell(row.cells[position] ?? '');
    if (/\p{L}{2}/u.test(detail)) text = text === '' ? detail : `${text} ${detail}`;
  }
  return cutText(text, descriptionCharactersMax) || null;
}
