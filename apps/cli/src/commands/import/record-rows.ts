import { isOutcomeUnknownError, isRateLimitError, isServerError } from '@centavo/sdk';
import { describeErrorBriefly } from '../../describe-error.js';
import type { Clock } from '../../io.js';
import type { ImportTally } from './import-tally.js';
import type { PreparedPair, PreparedRow, ReadyRow } from './prepare-rows.js';
import { askedDelayMs, decideReconnect, isAway } from './reconnect.js';
import { isRowError } from './row-error.js';

/**
 * What has become of a row, or of both rows of a pair; `kept`: it was recorded before with other details,
 * `apart`: they are movements, and stay two.
 */
export type RecordOutcome = 'created' | 'replayed' | 'kept' | 'planned' | 'apart';

/** How recording meets the world; `record` sends a row or pair under its key and tells whether it was there before. */
export interface RecordRowsOptions {
  readonly rows: AsyncIterable<ReadyRow>;
  readonly record: (row: PreparedRow | PreparedPair) => Promise<RecordOutcome>;
  readonly tally: ImportTally;
  readonly clock: Clock;
  /** Ctrl-C: no new row is taken, and those under way are finished. */
  readonly interruption: AbortSignal;
  /** Called when a row is done with, whatever became of it. */
  readonly onRowDone: () => void;
}

/** Rows under way at once. More would only wait for the same rate limit and the same balance rows. */
const concurrency = 8;
/** So many rows given up on with no success in between, and the fault is not in the rows. */
const suspectsMax = 5;
/** So many 429 with no success in between, and waiting is not going to help. */
const refusalsMax = 100;
/** The longest window of a limit, that of one-time codes. Who asks for more is not waited for. Source: contract, section 8. */
const rateLimitMsMax = 15 * 60_000;

/**
 * Records rows, eight at a time. A row that is refused is a failure of its own; what would meet every row (credential,
 * network, a server that keeps failing) stops the import. A rate limit holds all rows back for the time that the server
 * names, a server that is away for the time of a restart; the row is then sent again under its own key.
 *
 * @returns the error that stopped it, or undefined when the file or Ctrl-C ended it
 */
export async function recordRows(options: RecordRowsOptions): Promise<{ readonly error: unknown } | undefined> {
  const state: RecordingState = {
    stop: undefined,
    resumeAtMs: 0,
    answeredAtMs: undefined,
    suspects: [],
    refusals: 0,
  };
  const underWay = new Set<Promise<void>>();
  try {
    for await (const row of options.rows) {
      if (state.stop !== undefined || options.interruption.aborted) break;
      if (row.outcome === 'prepared' || row.outcome === 'paired') {
        const recording: Promise<void> = recordRow(row, { options, state }).finally(() => underWay.delete(recording));
        underWay.add(recording);
        if (underWay.size >= concurrency) await Promise.race(underWay);
      } else settleRow(row, options);
    }
  } catch (error) {
    // Reading on is not possible (an account could not be asked for, say), but rows under way are still recorded.
    state.stop ??= { error };
  }
  await Promise.all(underWay);
  if (state.stop === undefined && !options.interruption.aborted) failSuspects(state, options.tally);
  else for (const { lines } of state.suspects) options.tally.unknown += lines.length;
  return state.stop;
}

/** Counts a row that nothing is sent for. */
function settleRow(
  row: Exclude<ReadyRow, PreparedRow | PreparedPair>,
  { tally, onRowDone }: Pick<RecordRowsOptions, 'tally' | 'onRowDone'>,
): void {
  if (row.outcome === 'skipped') tally.skip(row.reason);
  else if (row.outcome === 'transferred') tally.replayed += 1;
  else tally.fail(row.line, row.reason);
  onRowDone();
}

interface RecordingState {
  stop: { readonly error: unknown } | undefined;
  /** No row is sent before this moment. */
  resumeAtMs: number;
  /** When a row was last recorded. */
  answeredAtMs: number | undefined;
  /**
   * Rows that the server failed on, since then: the next row that is recorded shows that the fault is in them. Until
   * then it may be the server's, and of none of them it is known whether it is recorded.
   */
  suspects: { readonly lines: readonly number[]; readonly error: unknown }[];
  refusals: number;
}

function failSuspects(state: RecordingState, tally: ImportTally): void {
  for (const { lines, error } of state.suspects) {
    for (const line of lines) tally.fail(line, describeErrorBriefly(error));
  }
  state.suspects = [];
}

async function recordRow(
  row: PreparedRow | PreparedPair,
  { options, state }: { options: RecordRowsOptions; state: RecordingState },
): Promise<void> {
  const { tally, clock, interruption } = options;
  const lines = row.outcome === 'paired' ? row.lines : [row.line];
  // A row whose answer was lost may be recorded, so it is not among those that were never reached.
  let isUnknown = false;
  let awaySinceMs: number | undefined;
  for (;;) {
    // Again and again, because another row may have been refused while this one waited.
    while (clock.nowMs() < state.resumeAtMs && !interruption.aborted && state.stop === undefined) {
      await clock.waitMs(state.resumeAtMs - clock.nowMs(), interruption);
    }
    // Not sent yet, so it counts as never begun.
    if (interruption.aborted || state.stop !== undefined) {
      if (isUnknown) tally.unknown += lines.length;
      return;
    }
    try {
      const outcome = await options.record(row);
      state.answeredAtMs = clock.nowMs();
      state.refusals = 0;
      failSuspects(state, tally);
      if (outcome === 'apart') {
        await recordApart(row, { options, state });
        return;
      }
      if (outcome === 'kept') tally.keep(lines);
      else tally[outcome] += lines.length;
      if (row.outcome === 'paired') tally.pairs += 1;
    } catch (error) {
      if (isRateLimitError(error) && state.refusals < refusalsMax) {
        const delayMs = error.retryAfterMs ?? 1000;
        if (delayMs <= rateLimitMsMax) {
          state.refusals += 1;
          state.resumeAtMs = Math.max(state.resumeAtMs, clock.nowMs() + delayMs);
          continue;
        }
      }
      if (isOutcomeUnknownError(error) || isServerError(error)) isUnknown = true;
      // Of this row alone: others may be answered meanwhile, and it must not be sent for ever.
      awaySinceMs = isAway(error) ? (awaySinceMs ?? clock.nowMs()) : undefined;
      if (awaySinceMs !== undefined) {
        const away = { awayMs: clock.nowMs() - awaySinceMs, retryAfterMs: askedDelayMs(error) };
        const delayMs = decideReconnect(away);
        if (delayMs !== undefined) {
          state.resumeAtMs = Math.max(state.resumeAtMs, clock.nowMs() + delayMs);
          continue;
        }
      }
      // A server that was away all the time is not the fault of any row.
      const mayBeOwnFault = awaySinceMs === undefined ? isServerError(error) : awaySinceMs < (state.answeredAtMs ?? 0);
      if (isRowError(error)) for (const line of lines) tally.fail(line, describeErrorBriefly(error));
      else if (mayBeOwnFault && state.suspects.length < suspectsMax - 1) state.suspects.push({ lines, error });
      else {
        state.stop ??= { error };
        if (isUnknown) tally.unknown += lines.length;
      }
    }
    for (const _ of lines) options.onRowDone();
    return;
  }
}

/** Records the rows of a pair as the two movements that they were before. */
async function recordApart(
  row: PreparedRow | PreparedPair,
  { options, state }: { options: RecordRowsOptions; state: RecordingState },
): Promise<void> {
  if (row.outcome !== 'paired') return;
  options.tally.pairsApart += 1;
  for (const single of await row.apart()) {
    if (single.outcome === 'prepared') await recordRow(single, { options, state });
    else settleRow(single, options);
  }
}
