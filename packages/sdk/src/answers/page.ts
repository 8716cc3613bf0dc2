import type { Pagination } from '@centavo/contracts';
import type { ApiResponse } from './api-response.js';

/** Fetches the page at a cursor, with the filters and options of the first. */
export type FetchPage<Row> = (cursor: string) => Promise<ApiResponse<Page<Row>>>;

/**
 * Rows of a list, and the way to the next ones. Iterating it gives its own rows and then those of all pages after it.
 * @example
 * const page = await client.movements.list({ from: '2026-01-01', includeTotal: true });
 * console.log(page.data.length, 'of', page.pagination.total);
 * for await (const movement of page) console.log(movement.description);
 */
export class Page<Row> implements AsyncIterable<Row> {
  readonly data: readonly Row[];
  /** Where this page stands in the list. A list that the server never cuts is one whole page. */
  readonly pagination: Pagination;
  readonly #fetchPage: FetchPage<Row>;

  constructor(rows: readonly Row[], pagination: Pagination | undefined, fetchPage: FetchPage<Row>) {
    this.data = rows;
    this.pagination = pagination ?? wholeList(rows.length);
    this.#fetchPage = fetchPage;
  }

  /**
   * The page after this one, or null at the end. It goes by cursor, which the list's total order keeps valid while others
   * write: no row comes twice and none is lost.
   * @example
   * import type { Movement, Page } from '@centavo/sdk';
   *
   * let page: Page<Movement> | null = await client.movements.list({ limit: 200 });
   * for (; page !== null; page = await page.nextPage()) console.log(page.data.length);
   */
  async nextPage(): Promise<Page<Row> | null> {
    const { hasMore, nextCursor } = this.pagination;
    if (!hasMore || nextCursor === null) return null;
    return (await this.#fetchPage(nextCursor)).data;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    let page: Page<Row> | null = this;
    while (page !== null) {
      yield* page.data;
      page = await page.nextPage();
    }
  }
}

function wholeList(count: number): Pagination {
  return { limit: count, offset: 0, count, total: count, hasMore: false, nextOffset: null, nextCursor: null };
}
