import { calls, type EventResourceType, encodeEventCursor } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { CallOptions } from '../call-options.js';
import type { RateLimitError, ServerError } from '../errors/capacity-errors.js';
import { isFinancialApiError } from '../errors/financial-api-error.js';
import {
  isConnectionError,
  isMalformedAnswerError,
  isRedirectRefusedError,
  isTimeoutError,
} from '../errors/transport-errors.js';
import type { Change } from '../money/record-types.js';
import type { Send } from '../transport/call-request.js';
import { retryDelayMs } from '../transport/retry-decision.js';
import type { Transport } from '../transport/transport.js';

/**
 * The position and the filters of a page of changes. All fields are optional.
 * @source docs/additions.md, section 3.5
 */
export interface ChangesQuery {
  /** The page starts after this cursor. By default it starts at the first change. */
  readonly after?: string | undefined;
  /** With `now`, the server returns no change, only the cursor after the newest change. Cannot be combined with `after`. */
  readonly from?: 'now' | undefined;
  /** The maximum number of changes in a page, 1–200. The server's default is 100. */
  readonly limit?: number | undefined;
  readonly resourceTypes?: readonly EventResourceType[] | undefined;
  /**
   * With `record`, each change contains the changed record in its current state, in the field `record`. For a budget, budget line,
   * member or webhook, the field is null.
   */
  readonly include?: 'record' | undefined;
  /**
   * The longest time that the server waits for a change if none exists after the cursor, 0–25 seconds. The default is 0 in `list`
   * and 20 in `follow`.
   */
  readonly waitSeconds?: number | undefined;
}

/**
 * The pause of `follow` after an empty page, if no more changes exist yet, in milliseconds. A server that shuts down or has too many
 * waiting requests returns an empty page at once. Without a pause, the client would then send requests continuously.
 */
const idleMs = 1000;

/**
 * The pause of `follow` after a page with changes, if no more changes exist yet, in milliseconds. Changes that occur during the pause
 * arrive together in the next page. Without a pause, the client of a tracker with many writes would send a request for almost every
 * change, and exceed the default rate limit of 600 reads a minute.
 */
const gatherMs = 250;

/** A failed request that `follow` repeats. */
export interface FollowFailure {
  /** The error of the SDK, such as a ConnectionError. */
  readonly error: unknown;
  /** The number of consecutive failed requests, starting at 1. */
  readonly attempt: number;
  /** Milliseconds until the next request. */
  readonly delayMs: number;
}

/** The position, the filters and the options of `follow`. */
export type FollowOptions = Omit<ChangesQuery, 'from'> &
  Pick<CallOptions, 'signal' | 'trackerId'> & {
    /** Called for each failed request that `follow` repeats, for example to log an outage. */
    readonly onFailure?: ((failure: FollowFailure) => void) | undefined;
  };

/** A change, and the position after it. */
export interface FollowedChange {
  readonly change: Change;
  /**
   * The position after the change. Process the change, and then store the cursor. After a restart, pass the stored cursor as the
   * option `after`.
   */
  readonly cursor: string;
}

/**
 * The changes of a tracker, in ascending order of their numbers (`sequence`).
 * @source docs/additions.md, section 3
 * @example
 * const { data, meta } = await client.changes.list({ include: 'record' }).withResponse();
 * console.log(data.map(({ type }) => type), meta?.feed?.cursor);
 */
export class ChangesResource {
  readonly #send: Send;
  readonly #waits: Waits;

  constructor(send: Send, waits: Waits) {
    this.#send = send;
    this.#waits = waits;
  }

  /**
   * Returns one page of changes. `withResponse()` returns the position after the page in `meta.feed`. The docstrings of
   * CursorDivergedError and CursorExpiredError say how to start again after these errors.
   * @throws CursorDivergedError if the history of the tracker does not contain the event to which the cursor points
   * @throws CursorExpiredError if the server has removed changes that belong to the result: changes after the cursor or, if `after` is
   *   not set, the first changes of the tracker
   * @example const changes = await client.changes.list({ resourceTypes: ['movement'] });
   */
  list(query: ChangesQuery = {}, options?: CallOptions): ApiPromise<Change[]> {
    return new ApiPromise(this.#send<Change[]>({ call: calls.listChanges, query: { ...query }, options }));
  }

  /**
   * Yields the changes after a cursor, and then each new change, until `signal` is aborted. If no more changes exist yet, the
   * client waits before the next request: 250 ms after a page with changes, or 1 s after an empty page. A program that restarts from a
   * stored cursor may receive a change a second time.
   *
   * Retries without limit after failed connections, timeouts, and the statuses 408, 429, and 5xx except 500 and 501. The waits before
   * these retries are the same as in other methods, with one exception: if `Retry-After` is longer than `retryAfterMsMax`, other methods
   * fail, but `follow` waits for `retryAfterMsMax`, plus a random time of up to 25 % of it.
   * @throws CursorDivergedError, CursorExpiredError as `list` does
   * @example
   * for await (const { change, cursor } of client.changes.follow({ include: 'record', signal: AbortSignal.timeout(1_000) })) {
   *   console.log(change.type, change.record, cursor);
   * }
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<FollowedChange, void, undefined> {
    const { signal, trackerId, onFailure, waitSeconds = 20, ...query } = options;
    const callOptions = { signal, trackerId, timeoutMs: (waitSeconds + 10) * 1000, maxRetries: 0 };
    let { after } = query;
    for (let failures = 0; !signal?.aborted; ) {
      const page = await this.list({ ...query, after, waitSeconds }, callOptions)
        .withResponse()
        .catch((error: unknown) => ({ error }));
      if (signal?.aborted) return;
      if ('error' in page) {
        const { error } = page;
        if (!isTemporary(error)) throw error;
        const delayMs = delayAfter(error, failures, this.#waits);
        failures += 1;
        onFailure?.({ error, attempt: failures, delayMs });
        await this.#pause(delayMs, signal);
      } else {
        failures = 0;
        for (const change of page.data) {
          yield { change, cursor: encodeEventCursor(change) };
          if (signal?.aborted) return;
        }
        after = page.meta?.feed?.cursor ?? after;
        const hasMore = page.meta?.feed?.hasMore === true;
        if (!hasMore) await this.#pause(page.data.length === 0 ? idleMs : gatherMs, signal);
      }
    }
  }

  /** Waits for `ms` milliseconds, or until the signal is aborted. */
  #pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      // A signal that is already aborted fires no event.
      if (signal?.aborted) {
        resolve();
        return;
      }
      const cancel = this.#waits.clock.schedule(ms, end);
      function end() {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      }
      signal?.addEventListener('abort', end);
    });
  }
}

/** The parts of the transport that determine the waits of `follow`. */
type Waits = Pick<Transport, 'clock' | 'random' | 'retryAfterMsMax'>;

/** Returns whether a later attempt may succeed. */
function isTemporary(error: unknown): boolean {
  if (isFinancialApiError(error)) return error.status === 408 || error.status === 429 || error.status >= 502;
  // A retry does not help if the server redirects, or if the response, for example that of a proxy, is not in the format of this API.
  const isLost = isConnectionError(error) && !isMalformedAnswerError(error) && !isRedirectRefusedError(error);
  return isLost || isTimeoutError(error);
}

/**
 * Returns the milliseconds to wait before the next attempt. If Retry-After is longer than `retryAfterMsMax`, other methods fail.
 * `follow` retries without limit, so it waits for `retryAfterMsMax` instead.
 */
function delayAfter(error: unknown, retriesMade: number, { random, retryAfterMsMax }: Waits): number {
  // Only the errors of 429 and 5xx have `retryAfterMs`. An error without a response has neither `retryAfterMs` nor `status`.
  const { status = null, retryAfterMs = null } = error as Partial<RateLimitError | ServerError>;
  const failure = { status, retryAfterMs: retryAfterMs && Math.min(retryAfterMs, retryAfterMsMax) };
  return retryDelayMs({ failure, retriesMade, msLeft: Number.POSITIVE_INFINITY, random });
}
