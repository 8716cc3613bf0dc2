import { calls, type EventResourceType } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { CallOptions } from '../call-options.js';
import type { Change } from '../money/record-types.js';
import type { Send } from '../transport/call-request.js';

/**
 * The position and the filters of a page of changes. All are optional.
 * @source additions, section 3.5
 */
export interface ChangesQuery {
  /** The cursor behind which the page begins. Without it the page begins at the first change. */
  readonly after?: string | undefined;
  /** `now` returns no change, only the cursor behind the newest one. Not together with `after`. */
  readonly from?: 'now' | undefined;
  /** Changes of a page, 1–200. The server's default is 100. */
  readonly limit?: number | undefined;
  readonly resourceTypes?: readonly EventResourceType[] | undefined;
  /** `record` adds the record of each change as it is now. */
  readonly include?: 'record' | undefined;
}

/**
 * The changes of a tracker, in order.
 * @source additions, section 3
 * @example
 * const { data, meta } = await client.changes.list({ include: 'record' }).withResponse();
 * console.log(data.map(({ type }) => type), meta?.feed?.cursor);
 */
export class ChangesResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Returns one page of changes. `withResponse()` has the position behind the page in `meta.feed`.
   * @throws StateConflictError `cursor_diverged` or `cursor_expired`: start again from the cursor of `from: 'now'`
   * @example const changes = await client.changes.list({ resourceTypes: ['movement'] });
   */
  list(query: ChangesQuery = {}, options?: CallOptions): ApiPromise<Change[]> {
    return new ApiPromise(this.#send<Change[]>({ call: calls.listChanges, query: { ...query }, options }));
  }
}
