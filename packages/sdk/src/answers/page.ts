import type { Pagination } from '@centavo/contracts';
import type { ApiResponse } from './api-response.js';

/** Fetches the page at a cursor, with the filters and options of the first page. */
export type FetchPage<Row> = (cursor: string) => Promise<ApiResponse<Page<Row>>>;

/**
 * One page of a list. Iteration yields its rows, and then the rows of all later pages.
 * @example
 * const page = await client.movements.list({ from: '2026-01-01', includeTotal: true });
 * console.log(page.data.length, 'of', page.pagination.total);
 * for await (const movement of page) console.log(movement.description);
 */
export class Page<Row> implements AsyncIterable<Row> {
  readonly data: readonly Row[];
  /** The position of this page in the list. A list without paging is one page. */
  readonly pagination: Pagination;
  readonly #fetchPage: FetchPage<Row>;

  constructor(rows: readonly Row[], pagination: Pagination | undefined, fetchPage: FetchPage<Row>) {
    this.data = rows;
    this.pagination = pagination ?? wholeList(rows.length);
    this.#fetchPage = fetchPage;
  }

  /**
   * Fetches the next page, or returns null after the last page. A cursor is a position in a total order of the rows, so a row that another
   * client adds meanwhile causes no repetition or gap. A row that moves to another position, for example because its date is corrected, may
   * be repeated or missing.
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
