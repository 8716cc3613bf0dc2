import { type FinancialClient, fromMinorUnits, isVersionConflictError, toMinorUnits } from '@centavo/sdk';
import { isMissingOperation } from '../../client/is-missing-operation.js';
import { confirmAction } from '../../commands/shared/confirm.js';
import { ConflictError, UsageError } from '../../errors.js';
import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { startProgress } from '../../ui/progress.js';
import { noPairs, type planPairs } from '../plan/pairs/plan-pairs.js';
import { RecordedTransfers } from '../plan/recorded/recorded-transfers.js';
import type { ImportInput } from '../read/read.js';
import { type MovementRequest, type TransferRequest, toRequests } from '../record/requests.js';
import type { ImportRequest } from '../request.js';
import { decideRateLimitWait } from '../retry.js';
import { findRecorded, mapConcurrently, type RecordedRow, type RepeatWhileLimited } from './find-recorded.js';

/** The result of `import --undo`, in the shape of `-o json`. In all counts except `rows`, a transfer counts once. */
interface UndoSummary {
  /** Transactions found in the file, including pending transactions; each fee in the column of `--fee-column` counts as a transaction. */
  readonly rows: number;
  readonly voided: number;
  readonly alreadyVoided: number;
  /** Records that the undo does not void, because they were corrected after the import. With `--even-corrected`, always 0. */
  readonly corrected: number;
  /** Rows and transfers that no import of this file has recorded with this credential. */
  readonly notRecorded: number;
}

/**
 * Voids what an import of this file recorded: the movements and transfers under the keys of its rows. First shows the
 * number and totals of these records. Skips records that are already voided, so that an interrupted undo can be run again.
 *
 * Limitation: suppose that two files contain the same two rows, which are equal except for their `externalId`s. If the files list the two
 * rows in different orders, an undo with the second file may not find their records.
 *
 * @returns the exit code: 0, or 130 after Ctrl-C
 * @throws UsageError (exit 2) if the user does not confirm the undo, or the server is too old
 * @throws ConflictError (exit 6) if a record was changed while the undo ran
 */
export async function undoImport(
  request: ImportRequest,
  { input, pairs }: { input: ImportInput; pairs: Awaited<ReturnType<typeof planPairs>> | undefined },
): Promise<ExitCode> {
  const { context, flags, isDryRun } = request;
  const { io, printer } = context;
  const { client, statement } = input;
  const destinations = { ...input.destinations, transfers: RecordedTransfers.none() };
  const requests: (MovementRequest | TransferRequest)[] = [];
  for await (const row of toRequests(statement.rows(), { destinations, plan: pairs ?? noPairs, leftOut: new Set() })) {
    if (row.outcome === 'movement' || row.outcome === 'transfer') requests.push(row);
  }
  const withRetry = <Result>(act: () => Promise<Result>) => repeatWhileLimited(act, io);
  const { recorded, notRecordedCount } = await findRecorded(client, { requests, withRetry }).catch((error: unknown) => {
    throw isMissingOperation(error) ? tooOld() : error;
  });
  const isWanted = ({ state }: RecordedRow) =>
    state === 'unchanged' || (state === 'corrected' && flags.evenCorrected === true);
  const wanted = recorded.filter(isWanted);
  const count = (state: RecordedRow['state']) => recorded.filter((row) => row.state === state && !isWanted(row)).length;
  printer.note(`The import of this file recorded ${describe(recorded.length, recorded)}.`);
  if (count('corrected') > 0) {
    printer.note(`Corrected after the import, and not voided: ${count('corrected')}. --even-corrected voids them too.`);
  }
  if (wanted.length > 0 && !isDryRun) {
    await confirmAction(
      context,
      { yes: flags.yes === true },
      `Void ${describe(wanted.length, wanted)}? This cannot be undone. A later import of the file records them again only with --record-again.`,
    );
  }
  const progress = startProgress({ ...io, total: wanted.length, isHidden: context.isQuiet });
  const voided = isDryRun
    ? 0
    : await voidAll(client, { rows: wanted, withRetry, interruption: io.interruption, onRow: progress.advance });
  progress.clear();
  const summary: UndoSummary = {
    rows: statement.rowCount,
    voided,
    alreadyVoided: count('voided'),
    corrected: count('corrected'),
    notRecorded: notRecordedCount,
  };
  if (isDryRun) printer.note(`Dry run: nothing was voided. The undo would void ${describe(wanted.length, wanted)}.`);
  await printer.printRecord(summary, {
    columns: [
      { header: 'ROWS', value: ({ rows }) => String(rows) },
      { header: 'VOIDED', value: (row) => String(row.voided) },
      { header: 'ALREADY VOIDED', value: ({ alreadyVoided }) => String(alreadyVoided) },
      { header: 'CORRECTED', value: ({ corrected }) => String(corrected) },
      { header: 'NOT RECORDED', value: ({ notRecorded }) => String(notRecorded) },
    ],
    fields: ['rows', 'voided', 'alreadyVoided', 'corrected', 'notRecorded'],
  });
  if (!io.interruption.aborted) return exitCodes.ok;
  printer.warn(
    `Interrupted: ${wanted.length - voided} of ${wanted.length} records are not voided. Run the undo again to void the rest.`,
  );
  return exitCodes.interrupted;
}

/** Returns a text with the number of records, and with their total for each currency and type. */
function describe(count: number, rows: readonly RecordedRow[]): string {
  const sums = new Map<string, bigint>();
  for (const { type, amountDecimal, currencyCode } of rows) {
    const name = `${currencyCode} ${type === 'transfer' ? 'transfers' : `${type}s`}`;
    sums.set(name, (sums.get(name) ?? 0n) + toMinorUnits(amountDecimal, currencyCode));
  }
  const totals = [...sums].map(([name, sum]) => {
    const [currencyCode = '', words] = name.split(' ');
    return `${fromMinorUnits(sum, currencyCode)} ${currencyCode} of ${words}`;
  });
  const records = count === 1 ? '1 record' : `${count} records`;
  return totals.length === 0 ? records : `${records} (${totals.join(', ')})`;
}

/** Voids movements and transfers concurrently, and returns the number of voided records. */
async function voidAll(
  client: FinancialClient,
  work: {
    readonly rows: readonly RecordedRow[];
    readonly withRetry: RepeatWhileLimited;
    readonly interruption: AbortSignal;
    readonly onRow: () => void;
  },
): Promise<number> {
  let voided = 0;
  await mapConcurrently(work.rows, async (row) => {
    if (work.interruption.aborted) return;
    const options = { etag: row.etag, idempotencyKey: `undo ${row.id}` };
    try {
      await work.withRetry(async () =>
        row.kind === 'movement' ? client.movements.void(row.id, options) : client.transfers.void(row.id, options),
      );
    } catch (error) {
      if (isVersionConflictError(error)) throw changedMeanwhile(row.line);
      throw error;
    }
    voided += 1;
    work.onRow();
  });
  return voided;
}

function tooOld(): UsageError {
  return new UsageError(
    'This server is too old to undo an import.',
    'Update the server, or void the movements one by one.',
  );
}

function changedMeanwhile(line: number): ConflictError {
  return new ConflictError(`The record of line ${line} was changed while the undo ran.`, 'Run the undo again.');
}

/** Runs `act`, and retries it after each 429 response for which `decideRateLimitWait` returns a delay. */
async function repeatWhileLimited<Result>(
  act: () => Promise<Result>,
  { clock, interruption }: ImportRequest['context']['io'],
): Promise<Result> {
  for (let count = 0; ; count += 1) {
    try {
      return await act();
    } catch (error) {
      const waitMs = interruption.aborted ? undefined : decideRateLimitWait(error, count);
      if (waitMs === undefined) throw error;
      await clock.waitMs(waitMs, interruption);
    }
  }
}
