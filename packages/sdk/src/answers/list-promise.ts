import { ApiPromise } from './api-promise.js';
import type { Page } from './page.js';

/**
 * The result of a list method. `await` returns the first {@link Page}; `for await` yields all rows and fetches pages as
 * needed.
 * @example
 * const { data: firstRows } = await client.movements.list({ limit: 10 });
 * for await (const movement of client.movements.list({ limit: 10 })) console.log(movement.id, firstRows.length);
 */
export class ListPromise<Row> extends ApiPromise<Page<Row>> implements AsyncIterable<Row> {
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    yield* (await this.withResponse()).data;
  }

  override get [Symbol.toStringTag](): string {
    return 'ListPromise';
  }
}
