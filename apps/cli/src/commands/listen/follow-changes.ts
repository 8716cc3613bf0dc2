import { encodeEventCursor } from '@centavo/contracts/calls';
import {
  type Change,
  type FinancialClient,
  isConnectionError,
  isRateLimitError,
  isServerError,
  isTimeoutError,
} from '@centavo/sdk';
import type { Io } from '../../io.js';

/** The position to start after, the form of the changes, and the surroundings. */
export interface FollowOptions {
  /** A cursor; undefined starts at the first change. */
  readonly after: string | undefined;
  readonly include: 'record' | undefined;
  readonly io: Pick<Io, 'clock' | 'interruption'>;
  /** Is called once for each outage of the server. */
  readonly onOutage: (error: unknown) => void;
}

/** The pause between two requests while nothing changes. */
const pauseMs = 1000;
const outagePauseMsMax = 8000;

/**
 * Returns the changes of a tracker in order, each with the cursor behind it, until `io.interruption`. Waits while the
 * server cannot be reached, limits the rate, or is not ready.
 * @throws every other error of the request, such as a StateConflictError for a cursor that cannot be used
 */
export async function* followChanges(
  client: FinancialClient,
  { after, include, io, onOutage }: FollowOptions,
): AsyncGenerator<{ readonly change: Change; readonly cursor: string }> {
  const { clock, interruption: signal } = io;
  let cursor = after;
  let outages = 0;
  while (!signal.aborted) {
    try {
      const { data, meta } = await client.changes.list({ after: cursor, include }, { signal }).withResponse();
      outages = 0;
      for (const change of data) yield { change, cursor: encodeEventCursor(change) };
      cursor = meta?.feed?.cursor ?? cursor;
      if (meta?.feed?.hasMore !== true) await clock.waitMs(pauseMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isOutage(error)) throw error;
      if (outages === 0) onOutage(error);
      const backoffMs = Math.min(outagePauseMsMax, 250 * 2 ** outages);
      outages += 1;
      await clock.waitMs(retryAfterMsOf(error) ?? backoffMs, signal);
    }
  }
}

function isOutage(error: unknown): boolean {
  return isConnectionError(error) || isTimeoutError(error) || isRateLimitError(error) || isServerError(error);
}

function retryAfterMsOf(error: unknown): number | null {
  return isRateLimitError(error) || isServerError(error) ? error.retryAfterMs : null;
}
