import { callsTo } from '../../acceptance/support/call-api.js';
import type { Books } from '../place/furnish-books.js';

const limitMax = 200;

/**
 * Walks the list of movements by its cursors, and gives the one after which a page begins.
 * @param rows how many movements stand before that page
 * @throws Error where the list ends before
 */
export async function findPage(origin: string, books: Books, rows: number): Promise<string> {
  const call = callsTo(origin, books.headers);
  let cursor = '';
  for (let left = rows; left > 0; left -= limitMax) {
    const page = `limit=${Math.min(left, limitMax)}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { meta } = await call(`GET /v1/financial/movements?${page}`);
    cursor = meta.pagination.nextCursor ?? '';
    if (cursor === '') throw new Error(`There are no ${rows} movements.`);
  }
  return cursor;
}
