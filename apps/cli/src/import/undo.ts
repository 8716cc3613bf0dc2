import { bulkItemsMax } from '@centavo/contracts/calls';
import {
  type DecimalString,
  type FinancialClient,
  fromMinorUnits,
  isIdempotencyConflictError,
  isNotFoundError,
  isStateConflictError,
  isVersionConflictError,
  type Movement,
  type Transfer,
  toMinorUnits,
} from '@centavo/sdk';
import { isMissingOperation } from '../client/is-missing-operation.js';
import { confirmAction } from '../commands/shared/confirm.js';
import { ConflictError, UsageError } from '../errors.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { connectionsMax } from '../network/open-fetch.js';
import { startProgress } from '../ui/progress.js';
import { noPairs, type planPairs } from './plan/pairs.js';
import { isKeyReusedError } from './plan/recorded.js';
import { RecordedTransfers } from './plan/recorded-transfers.js';
import { keyAfterVoid } from './plan/voided.js';
import type { ImportInput } from './read.js';
import { type MovementRequest, type TransferRequest, toRequests } from './record/requests.js';
import { decideRateLimitWait } from './record/retry.js';
import type { ImportRequest } from './request.js';

/** A movement or transfer that an import of the file recorded, in its current state. */
interface RecordedRow {
  readonly line: number;
  readonly kind: 'movement' | 'transfer';
  readonly id: string;
  readonly etag: string;
  readonly state: 'unchanged' | 'corrected' | 'voided';
  readonly type: Movement['type'] | 'transfer';
  readonly amountDecimal: DecimalString;
  readonly currencyCode: string;
}

/** The result of `import --undo`, in the shape of `-o json`. A transfer counts once. */
interface UndoSummary {
  readonly rows: number;
  readonly voided: number;
  readonly alreadyVoided: number;
  /** Corrected since the import, and not voided. */
  readonly corrected: number;
  /** Rows that an import of this file has not recorded with this credential. */
  readonly notRecorded: number;
}

/**
 * Voids what an import of this file recorded: the movements and transfers under the keys of its rows. Shows their
 * number and totals first. Omits records that are already voided, so that an interrupted undo can be run again.
 *
 * @returns the exit code: 0, or 130 after Ctrl-C
 * @throws UsageError (exit 2) if the user does not confirm the undo
 */
export async function undoImport(
  request: ImportRequest,
  { input, pairs }: { input: ImportInput; pairs: Awaited<ReturnType<typeof planPairs>> | undefined },
): Promise<ExitCode> {
  const { context, flags, isDryRun } = request;
  const { io, printer } = context;
  const { client, statement } = input;
  const targets = { ...input.targets, transfers: RecordedTransfers.none() };
  const requests: (MovementRequest | TransferRequest)[] = [];
  for await (const row of toRequests(statement.rows(), { targets, plan: pairs ?? noPairs, leftOut: new Set() })) {
    if (row.outcome === 'movement' || row.outcome === 'transfer') requests.push(row);
  }
  const withRetry = <Result>(act: () => Promise<Result>) => repeatWhileLimited(act, io);
  const recorded = await findRecorded(client, { requests, withRetry }).catch((error: unknown) => {
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
    notRecorded: requests.length - recorded.length,
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
    `Interrupted: ${wanted.length - voided} of ${wanted.length} are not voided. Run the undo again to void the rest.`,
  );
  return exitCodes.interrupted;
}

/** Describes a number of movements and transfers with their totals. */
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

/** A row with one of its keys. */
interface KeyedRow<Row extends MovementRequest | TransferRequest = MovementRequest | TransferRequest> {
  readonly row: Row;
  readonly key: string;
}

/** The record under a key. `reused`: the key was used for a row with other details, and the record is unknown. */
type UsedKey = { readonly id: string } | 'reused' | undefined;

/**
 * Returns the latest record of each row. If the record under a key was voided or is unknown, the row may have been recorded
 * again under its next key.
 */
async function findRecorded(
  client: FinancialClient,
  { requests, withRetry }: { requests: readonly (MovementRequest | TransferRequest)[]; withRetry: RepeatWhileLimited },
): Promise<readonly RecordedRow[]> {
  const recorded = new Map<MovementRequest | TransferRequest, RecordedRow>();
  let open: readonly KeyedRow[] = requests.map((row) => ({ row, key: requireKey(row) }));
  while (open.length > 0) {
    const used = await findUsed(client, { rows: open, withRetry });
    const found = [...used].flatMap(([{ row }, record]) => (record === 'reused' ? [] : [{ row, id: record.id }]));
    const records = await readRecords(client, { found, withRetry });
    for (const [index, { row }] of found.entries()) recorded.set(row, records[index] as RecordedRow);
    const mayHaveNext = [...used].filter(
      ([{ row }, record]) => record === 'reused' || recorded.get(row)?.state === 'voided',
    );
    open = mayHaveNext.map(([{ row, key }]) => ({ row, key: keyAfterVoid(key) }));
  }
  return [...recorded.values()];
}

/**
 * Finds the used keys. A dry run with the key of a row returns the stored response if the key was used, and records
 * nothing.
 */
async function findUsed(
  client: FinancialClient,
  { rows, withRetry }: { rows: readonly KeyedRow[]; withRetry: RepeatWhileLimited },
): Promise<ReadonlyMap<KeyedRow, NonNullable<UsedKey>>> {
  const used = new Map<KeyedRow, NonNullable<UsedKey>>();
  const movements = rows.filter((keyed): keyed is KeyedRow<MovementRequest> => keyed.row.outcome === 'movement');
  for (let start = 0; start < movements.length; start += bulkItemsMax) {
    const chunk = movements.slice(start, start + bulkItemsMax);
    const records = await idsOfMovements(client, { rows: chunk, withRetry });
    chunk.forEach((keyed, index) => {
      const record = records[index];
      if (record !== undefined) used.set(keyed, record);
    });
  }
  for (const keyed of rows) {
    const { row, key } = keyed;
    if (row.outcome !== 'transfer') continue;
    const record = await withRetry(() => idOfTransfer(client, { row, key }));
    if (record !== undefined) used.set(keyed, record);
  }
  return used;
}

function readRecords(
  client: FinancialClient,
  {
    found,
    withRetry,
  }: {
    found: readonly { readonly row: MovementRequest | TransferRequest; readonly id: string }[];
    withRetry: RepeatWhileLimited;
  },
): Promise<readonly RecordedRow[]> {
  return mapConcurrently(found, ({ row, id }) =>
    withRetry(async () => {
      const kind = row.outcome;
      const line = row.outcome === 'transfer' ? row.lines[0] : row.line;
      const answer =
        kind === 'movement' ? client.movements.get(id).withResponse() : client.transfers.get(id).withResponse();
      const { data, etag } = (await answer) as { data: Movement | Transfer; etag: string | null };
      return toRecordedRow({ line, id, kind, data, etag: etag ?? '' });
    }),
  );
}

async function idsOfMovements(
  client: FinancialClient,
  { rows, withRetry }: { rows: readonly KeyedRow<MovementRequest>[]; withRetry: RepeatWhileLimited },
): Promise<readonly UsedKey[]> {
  const ask = (asked: readonly { readonly key: string; readonly body: MovementRequest['body'] }[]) =>
    withRetry(async () => {
      const items = asked.map(({ key, body }) => ({ ...body, idempotencyKey: key }));
      return client.movements.createMany(items, { mode: 'independent', dryRun: true });
    });
  const results = await ask(rows.map(({ row, key }) => ({ key, body: row.body })));
  // An earlier version sent the row without `externalId`, so the stored request differs.
  const earlier = rows.filter((_, index) => results[index]?.error?.code === 'IDEMPOTENCY_KEY_REUSED');
  const again = await ask(earlier.map(({ row, key }) => ({ key, body: { ...row.body, externalId: undefined } })));
  const ofEarlier = new Map(earlier.map((keyed, index) => [keyed, usedKeyOf(again[index])]));
  return rows.map((keyed, index) => ofEarlier.get(keyed) ?? usedKeyOf(results[index]));
}

function usedKeyOf(
  result:
    | {
        readonly status: string;
        readonly movement: { readonly id: string | null } | null;
        readonly error: { readonly code: string } | null;
      }
    | undefined,
): UsedKey {
  if (result?.error?.code === 'IDEMPOTENCY_KEY_REUSED') return 'reused';
  const id = result?.status === 'replayed' ? result.movement?.id : undefined;
  return id === null || id === undefined ? undefined : { id };
}

async function idOfTransfer(client: FinancialClient, { row, key }: KeyedRow<TransferRequest>): Promise<UsedKey> {
  try {
    const { data, replayed } = await client.transfers
      .create(row.body, { idempotencyKey: key, dryRun: true })
      .withResponse();
    return replayed && data.groupId !== null ? { id: data.groupId } : undefined;
  } catch (error) {
    if (isKeyReusedError(error)) return 'reused';
    const isRefused = isIdempotencyConflictError(error) || isStateConflictError(error) || isNotFoundError(error);
    if (isRefused) return undefined;
    throw error;
  }
}

function toRecordedRow(found: {
  readonly line: number;
  readonly id: string;
  readonly kind: RecordedRow['kind'];
  readonly data: Movement | Transfer;
  readonly etag: string;
}): RecordedRow {
  const { data, ...row } = found;
  const { amountDecimal, currencyCode, voidedAt } = data;
  const isCorrected = 'version' in data && data.version > 1;
  return {
    ...row,
    state: voidedAt !== null && voidedAt !== undefined ? 'voided' : isCorrected ? 'corrected' : 'unchanged',
    type: 'type' in data ? data.type : 'transfer',
    amountDecimal,
    currencyCode,
  };
}

/** Voids several rows concurrently, and returns the number of voided rows. */
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

type RepeatWhileLimited = <Result>(act: () => Promise<Result>) => Promise<Result>;

/** Runs `act`, and repeats it after each rate limit for which `decideRateLimitWait` returns a delay. */
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

/** Maps items concurrently, at most one per connection. Returns the results in the order of the items. */
async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await map(items[index] as Item);
  };
  await Promise.all(Array.from({ length: connectionsMax }, work));
  return results;
}

function requireKey({ key }: { readonly key: string | null }): string {
  if (key === null) throw new Error('A row without an idempotency key cannot be found.');
  return key;
}
