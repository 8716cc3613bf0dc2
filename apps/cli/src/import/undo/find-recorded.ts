import { bulkItemsMax } from '@centavo/contracts/calls';
import {
  type DecimalString,
  type FinancialClient,
  isIdempotencyConflictError,
  isNotFoundError,
  isStateConflictError,
  type Movement,
  type Transfer,
} from '@centavo/sdk';
import { connectionsMax } from '../../network/open-fetch.js';
import { isKeyReusedError } from '../plan/recorded/used-keys.js';
import { isVoided, keyAfterVoid, keyOfOtherId } from '../plan/recorded/voided-movements.js';
import type { MovementRequest, TransferRequest } from '../record/requests.js';

/** A movement or transfer that an import of the file recorded, in its current state. */
export interface RecordedRow {
  readonly line: number;
  readonly kind: 'movement' | 'transfer';
  readonly id: string;
  readonly etag: string;
  readonly state: 'unchanged' | 'corrected' | 'voided';
  readonly type: Movement['type'] | 'transfer';
  readonly amountDecimal: DecimalString;
  readonly currencyCode: string;
}

/** Runs `act`, and retries it after a 429 response. */
export type RepeatWhileLimited = <Result>(act: () => Promise<Result>) => Promise<Result>;

/** A row, and one of the idempotency keys under which it may be recorded. */
interface KeyedRow<Row extends MovementRequest | TransferRequest = MovementRequest | TransferRequest> {
  readonly row: Row;
  readonly key: string;
}

/**
 * The record under an idempotency key of a row; undefined if there is none. `reused`: the key was used for a request with
 * other details than the row, and the record is unknown.
 */
type UsedKey = { readonly id: string } | 'reused' | undefined;

/**
 * Finds the latest record of each row, and of each pair of rows that is one transfer. If a pair is not recorded as a
 * transfer, finds the movements of its rows.
 * @returns the records, and the number of rows and pairs that are not recorded
 */
export async function findRecorded(
  client: FinancialClient,
  { requests, withRetry }: { requests: readonly (MovementRequest | TransferRequest)[]; withRetry: RepeatWhileLimited },
): Promise<{ readonly recorded: readonly RecordedRow[]; readonly notRecordedCount: number }> {
  const whole = await findUnderKeys(client, { requests, withRetry });
  const missing = requests.filter((request) => !whole.has(request));
  const pairOf = new Map<MovementRequest | TransferRequest, TransferRequest>();
  for (const request of missing) {
    if (request.outcome !== 'transfer') continue;
    for (const row of await request.split()) if (row.outcome === 'movement') pairOf.set(row, request);
  }
  const rows = await findUnderKeys(client, { requests: [...pairOf.keys()], withRetry });
  const foundPairs = new Set([...rows.keys()].map((row) => pairOf.get(row)));
  const rowsOfFoundPairs = [...pairOf.values()].filter((pair) => foundPairs.has(pair)).length;
  // If neither row of a pair is recorded, the pair counts as one missing record. If one row is recorded, only the other counts.
  const notRecordedCount = missing.length - foundPairs.size + rowsOfFoundPairs - rows.size;
  return { recorded: [...whole.values(), ...rows.values()], notRecordedCount };
}

/**
 * Returns the latest record of each request. If the record under a key was voided or is unknown, the row of the request may
 * have been recorded again under a new key that depends on the old key ({@link keyAfterVoid}). If the key was used with
 * other details, for example for an equal row with another `externalId` (the bank's id of the transaction), the row may be
 * recorded under a key that depends on its own `externalId` ({@link keyOfOtherId}).
 */
async function findUnderKeys(
  client: FinancialClient,
  { requests, withRetry }: { requests: readonly (MovementRequest | TransferRequest)[]; withRetry: RepeatWhileLimited },
): Promise<ReadonlyMap<MovementRequest | TransferRequest, RecordedRow>> {
  const recorded = new Map<MovementRequest | TransferRequest, RecordedRow>();
  let open: readonly KeyedRow[] = requests.map((row) => ({ row, key: requireKey(row) }));
  while (open.length > 0) {
    const used = await findUsed(client, { rows: open, withRetry });
    const found = [...used].flatMap(([{ row }, record]) => (record === 'reused' ? [] : [{ row, id: record.id }]));
    const records = await readRecords(client, { found, withRetry });
    for (const [index, { row }] of found.entries()) {
      const isKnown = recorded.has(row) && recorded.get(row)?.state !== 'voided';
      if (!isKnown) recorded.set(row, records[index] as RecordedRow);
    }
    open = [...used].flatMap(([{ row, key }, record]) => {
      if (record !== 'reused') return recorded.get(row)?.state === 'voided' ? [{ row, key: keyAfterVoid(key) }] : [];
      const ownId = row.outcome === 'movement' && row.isKeyOfContent ? row.body.externalId : undefined;
      const ofOtherId = typeof ownId === 'string' ? [{ row, key: keyOfOtherId(key, ownId) }] : [];
      return [{ row, key: keyAfterVoid(key) }, ...ofOtherId];
    });
  }
  return recorded;
}

/**
 * Sends a dry run of each row to find the keys that were used. If a key was used, the server returns the stored response.
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
      const request =
        kind === 'movement' ? client.movements.get(id).withResponse() : client.transfers.get(id).withResponse();
      const { data, etag } = (await request) as { data: Movement | Transfer; etag: string | null };
      return toRecordedRow({ line, id, kind, data, etag: etag ?? '' });
    }),
  );
}

async function idsOfMovements(
  client: FinancialClient,
  { rows, withRetry }: { rows: readonly KeyedRow<MovementRequest>[]; withRetry: RepeatWhileLimited },
): Promise<readonly UsedKey[]> {
  const sendDryRun = (rowsToSend: readonly { readonly key: string; readonly body: MovementRequest['body'] }[]) =>
    withRetry(async () => {
      const items = rowsToSend.map(({ key, body }) => ({ ...body, idempotencyKey: key }));
      return client.movements.createMany(items, { mode: 'independent', dryRun: true });
    });
  const results = await sendDryRun(rows.map(({ row, key }) => ({ key, body: row.body })));
  // An earlier version of the CLI sent rows without `externalId`, so a key of that version fits only a request without it.
  const earlier = rows.filter((_, index) => results[index]?.error?.code === 'IDEMPOTENCY_KEY_REUSED');
  const again = await sendDryRun(
    earlier.map(({ row, key }) => ({ key, body: { ...row.body, externalId: undefined } })),
  );
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
  const { amountDecimal, currencyCode } = data;
  const isCorrected = 'version' in data && data.version > 1;
  return {
    ...row,
    state: isVoided(data) ? 'voided' : isCorrected ? 'corrected' : 'unchanged',
    type: 'type' in data ? data.type : 'transfer',
    amountDecimal,
    currencyCode,
  };
}

/** Maps items, at most `connectionsMax` of them concurrently. Returns the results in the order of the items. */
export async function mapConcurrently<Item, Result>(
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
