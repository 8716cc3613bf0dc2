import { callsTo } from '../../acceptance/support/call-api.js';
import type { Books } from '../server/create-books.js';

const limitMax = 200;

/**
 * Reads the list of movements page by page, and returns the cursor of a page.
 * @param rows the number of movements before that page
 * @throws Error if the list ends before that page
 */
export async function findPage(origin: string, books: Books, rows: number): Promise<string> {
  const call = callsTo(origin, books.headers);
  let cursor = '';
  for (let left = rows; left > 0; left -= limitMax) {
    const page = `limit=${Math.min(left, limitMax)}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { meta } = await call(`GET /v1/financial/movements?${page}`);
    cursor = meta.pagination.nextCursor ?? '';
    if (cursor === '') throw new Error(`The list of movements has no page after ${rows} movements.`);
  }
  return cursor;
}
