import { isOutcomeUnknownError, isServerError } from '@centavo/sdk';
import type { OpenedStatement } from '@centavo/statement-reader';
import { describeErrorBriefly } from '../../describe-error.js';
import type { Clock } from '../../io.js';
import { connectionsMax } from '../../network/open-fetch.js';
import type { Printer } from '../../ui/printer.js';
import { startProgress } from '../../ui/progress.js';
import type { ImportPlan } from '../confirm.js';
import { noPairs } from '../plan/pairs/plan-pairs.js';
import { RecordedIds } from '../plan/recorded/recorded-ids.js';
import { VoidedMovements } from '../plan/recorded/voided-movements.js';
import { type RowDestinations, resolveDestinations } from '../plan/rows.js';
import type { ImportInput } from '../read/read.js';
import type { ImportRequest } from '../request.js';
import { decideRateLimitWait, decideReconnectWait, isRowError, isUnavailable, requestedDelayMs } from '../retry.js';
import {
  failDatesOutOfRange,
  type MovementRequest,
  matchFieldsOf,
  type RowRequest,
  type TransferRequest,
  toRequests,
} from './requests.js';
import { RowSender, type SendOutcome } from './send.js';
import { ImportTally } from './tally.js';

/** The result of an import. */
export interface ImportResult {
  readonly tally: ImportTally;
  /** The accounts and categories that the import used, and in a dry run also those that it would create. */
  readonly destinations: RowDestinations;
  /** The error that stopped the import; undefined if no error stopped it. */
  readonly stop: { readonly error: unknown } | undefined;
}

/**
 * Creates missing accounts and categories and records the rows. A dry run creates and records nothing.
 * @param leftOut the positions of rows that match a recorded movement. Such a row is skipped. But if its own idempotency key was used
 *   before, it is sent, so that it counts as a replay; the server does not record it a second time.
 */
export async function recordStatement(
  request: ImportRequest,
  { input, plan, leftOut }: { input: ImportInput; plan: ImportPlan; leftOut: ReadonlySet<number> },
): Promise<ImportResult> {
  const { context, flags, accountChoice, isDryRun } = request;
  const { client, statement, accounts, categories, transfers } = input;
  const { io, printer } = context;
  const records = { accounts, categories, transfers };
  const destinations = isDryRun
    ? input.destinations
    : await resolveDestinations(client, { statement, flags, accountChoice, records });
  const tally = new ImportTally();
  const progress = startProgress({ ...io, total: statement.rowCount, isHidden: context.isQuiet });
  const rows = toRequests(statement.rows(), { destinations, plan: plan.pairs ?? noPairs, leftOut });
  const duplicates = typeof plan.duplicates === 'string' ? undefined : plan.duplicates;
  const voided = duplicates?.voided ?? new VoidedMovements();
  const recordsVoided = flags.recordAgain === true;
  const ids = duplicates?.ids ?? new RecordedIds();
  const sender = new RowSender(client, { statement, printer, voided, ids, recordsVoided, isDryRun });
  const stop = await recordRows({
    rows: isDryRun ? failDatesOutOfRange(rows, io.clock.nowMs()) : rows,
    send: (row) => (isDryRun ? sender.plan(row) : sender.send(row)),
    tally,
    voided,
    clock: io.clock,
    interruption: io.interruption,
    concurrency: () => (isDryRun ? connectionsMax : sender.concurrency),
    onRowDone: progress.advance,
  });
  progress.clear();
  if (sender.isCut) printer.warn(cutLookups);
  tally.voided = voided.voidedRowCount;
  if (tally.recorded > 0) await saveBalances(statement, printer);
  return { tally, destinations, stop };
}

const cutLookups =
  "The dry run looked up the bank's transaction ids of only 200 rows. If the id of one of the remaining rows was recorded before with different details, the dry run does not report it, but the import does.";

/**
 * Saves the balances of the file, to compare the next file with them. A failure causes only a warning, because the rows
 * are already recorded.
 */
async function saveBalances(statement: OpenedStatement, printer: Printer): Promise<void> {
  try {
    await statement.saveBalances?.();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    printer.warn(`Could not save the balances of this file (${reason}). The next file is not compared with them.`);
  }
}

/** The options of {@link recordRows}. */
export interface RecordRowsOptions {
  readonly rows: AsyncIterable<RowRequest>;
  /** Sends a row, or a pair of rows that becomes one transfer. In a dry run, returns what would happen. */
  readonly send: (row: MovementRequest | TransferRequest) => Promise<SendOutcome | 'planned'>;
  readonly tally: ImportTally;
  /** Counts the rows that are recorded already, to find out how many of their movements were voided. */
  readonly voided: VoidedMovements;
  readonly clock: Clock;
  /** Aborted by Ctrl-C: no further row is sent, and requests in progress are finished. */
  readonly interruption: AbortSignal;
  /** Returns the maximum number of rows to send concurrently. */
  readonly concurrency: () => number;
  /** Called when a row is finished, whether or not it succeeded. */
  readonly onRowDone: () => void;
}

/** After this number of server errors or connection errors without an outcome in between, the server is the cause, and not the rows. */
const undecidedFailuresMax = 5;

/**
 * Records several rows concurrently. If the server rejects a row, only this row fails. An error that affects every row
 * (credential, network, a server that keeps failing) stops the import. If a server error or connection error ends a row while
 * other rows succeed, only that row fails. A rate limit delays all rows for the time that the server requires. An unavailable
 * server delays all rows for up to 30 s, enough for a restart. Delayed rows are sent again under the same idempotency keys.
 *
 * @returns the error that stopped the import; undefined if no error stopped it, for example after Ctrl-C
 */
export async function recordRows(options: RecordRowsOptions): Promise<ImportResult['stop']> {
  const state: RecordingState = {
    stop: undefined,
    resumeAtMs: 0,
    delay: undefined,
    lastOutcomeAtMs: undefined,
    undecidedFailures: [],
    rateLimitedBy: undefined,
    rateLimitedCount: 0,
  };
  const inProgress = new Set<Promise<void>>();
  let onRoom = () => {};
  try {
    for await (const row of options.rows) {
      if (state.stop !== undefined || options.interruption.aborted) break;
      if (row.outcome === 'movement' || row.outcome === 'transfer') {
        const recording: Promise<void> = recordRow(row, { options, state }).finally(() => {
          inProgress.delete(recording);
          onRoom();
        });
        inProgress.add(recording);
        while (inProgress.size >= options.concurrency()) {
          await new Promise<void>((resolve) => {
            onRoom = resolve;
          });
        }
      } else countUnsentRow(row, options);
    }
  } catch (error) {
    // The next row could not be read, or its account or category could not be found. Requests in progress are still finished.
    state.stop ??= { error };
  }
  await Promise.all(inProgress);
  if (state.stop === undefined && !options.interruption.aborted) failUndecided(state, options.tally);
  else for (const { lines } of state.undecidedFailures) options.tally.unknown += lines.length;
  return state.stop;
}

interface RecordingState {
  stop: { readonly error: unknown } | undefined;
  /** No row is sent before this time. */
  resumeAtMs: number;
  /** The wait that all delayed rows share, so that they need only one timer. */
  delay: Promise<void> | undefined;
  /** The time at which `send` last returned an outcome of any kind; undefined before the first outcome. */
  lastOutcomeAtMs: number | undefined;
  /**
   * Rows whose requests ended with a server error or a connection error since `send` last returned an outcome. The next outcome of another
   * row shows that the server works, so these rows count as failed. So they do at the end of the file. If the import stops before, their
   * outcome is unknown, because the cause may be the server.
   */
  undecidedFailures: { readonly lines: readonly number[]; readonly error: unknown }[];
  /** The error of the last 429 response. If one request contained many rows, each of them receives this same error. */
  rateLimitedBy: unknown;
  /** The number of 429 responses since `send` last returned an outcome. */
  rateLimitedCount: number;
}

/** Counts a row for which no request is sent. */
function countUnsentRow(
  row: Exclude<RowRequest, MovementRequest | TransferRequest>,
  { tally, voided, onRowDone }: Pick<RecordRowsOptions, 'tally' | 'voided' | 'onRowDone'>,
): void {
  if (row.outcome === 'skipped') tally.skip(row.reason);
  else if (row.outcome === 'recorded in a transfer') {
    tally.replayed += 1;
    voided.countReplay(row.matchFields);
  } else tally.fail(row.line, row.reason);
  onRowDone();
}

function failUndecided(state: RecordingState, tally: ImportTally): void {
  for (const { lines, error } of state.undecidedFailures) {
    for (const line of lines) tally.fail(line, describeErrorBriefly(error));
  }
  state.undecidedFailures = [];
}

async function recordRow(
  row: MovementRequest | TransferRequest,
  { options, state }: { options: RecordRowsOptions; state: RecordingState },
): Promise<void> {
  const { tally, clock, interruption } = options;
  const lines = row.outcome === 'transfer' ? row.lines : [row.line];
  // True after a lost response or a server error: the row may be recorded. If the import stops before the row has an outcome, the
  // outcome is counted as unknown.
  let isUnknown = false;
  let unavailableSinceMs: number | undefined;
  for (;;) {
    // This is a loop, because another row may extend the delay during the wait.
    while (clock.nowMs() < state.resumeAtMs && !interruption.aborted && state.stop === undefined) {
      state.delay ??= clock.waitMs(state.resumeAtMs - clock.nowMs(), interruption).finally(() => {
        state.delay = undefined;
      });
      await state.delay;
    }
    if (interruption.aborted || state.stop !== undefined) {
      if (isUnknown) tally.unknown += lines.length;
      return;
    }
    try {
      const outcome = await options.send(row);
      state.lastOutcomeAtMs = clock.nowMs();
      state.rateLimitedCount = 0;
      failUndecided(state, tally);
      // One of the two rows was recorded as a movement before, so that a transfer would count its money twice.
      if (outcome === 'split') {
        await recordAsMovements(row, { options, state });
        return;
      }
      countOutcome(outcome, { row, lines, options });
    } catch (error) {
      const rateLimitMs = decideRateLimitWait(error, state.rateLimitedCount);
      if (rateLimitMs !== undefined) {
        if (error !== state.rateLimitedBy) state.rateLimitedCount += 1;
        state.rateLimitedBy = error;
        state.resumeAtMs = Math.max(state.resumeAtMs, clock.nowMs() + rateLimitMs);
        continue;
      }
      if (isOutcomeUnknownError(error) || isServerError(error)) isUnknown = true;
      // The length of the outage is measured separately for each row. If all rows shared one measurement, each row that succeeds would
      // reset it, and this row could be sent again forever.
      unavailableSinceMs = isUnavailable(error) ? (unavailableSinceMs ?? clock.nowMs()) : undefined;
      if (unavailableSinceMs !== undefined) {
        const unavailableMs = clock.nowMs() - unavailableSinceMs;
        const delayMs = decideReconnectWait({ unavailableMs, retryAfterMs: requestedDelayMs(error) });
        if (delayMs !== undefined) {
          state.resumeAtMs = Math.max(state.resumeAtMs, clock.nowMs() + delayMs);
          continue;
        }
      }
      // This row may be the cause of the failure in two cases: the server is available and responded with an error, or the server became
      // unavailable for this row, but later recorded another row. In all other cases, the server or the network is the cause.
      const mayBeAtFault =
        unavailableSinceMs === undefined ? isServerError(error) : unavailableSinceMs < (state.lastOutcomeAtMs ?? 0);
      if (isRowError(error)) for (const line of lines) tally.fail(line, describeErrorBriefly(error));
      else if (mayBeAtFault && state.undecidedFailures.length < undecidedFailuresMax - 1)
        state.undecidedFailures.push({ lines, error });
      else {
        state.stop ??= { error };
        if (isUnknown) tally.unknown += lines.length;
      }
    }
    for (const _ of lines) options.onRowDone();
    return;
  }
}

/** Counts the outcome of a sent row, or of both rows of a pair. */
function countOutcome(
  outcome: Exclude<SendOutcome | 'planned', 'split'>,
  {
    row,
    lines,
    options: { tally, voided },
  }: {
    row: MovementRequest | TransferRequest;
    lines: readonly number[];
    options: Pick<RecordRowsOptions, 'tally' | 'voided'>;
  },
): void {
  if (typeof outcome === 'object') {
    for (const line of lines) tally.fail(line, outcome.failure);
    return;
  }
  if (outcome === 'recorded with other details') tally.countOtherDetails(lines);
  else if (outcome === 'recorded under another key') tally.countAlreadyRecorded();
  else tally[outcome === 'voided' ? 'replayed' : outcome] += lines.length;
  if (row.outcome === 'transfer' && outcome !== 'voided') tally.pairs += 1;
  if (outcome === 'created' || outcome === 'planned') return;
  const externalId = row.outcome === 'movement' ? row.body.externalId : undefined;
  for (const fields of matchFieldsOf(row)) voided.countReplay(fields, externalId ?? undefined);
}

/** Records the rows of a pair as two movements. */
async function recordAsMovements(
  row: MovementRequest | TransferRequest,
  { options, state }: { options: RecordRowsOptions; state: RecordingState },
): Promise<void> {
  if (row.outcome !== 'transfer') return;
  options.tally.splitPairs += 1;
  for (const single of await row.split()) {
    if (single.outcome === 'movement') await recordRow(single, { options, state });
    else countUnsentRow(single, options);
  }
}
