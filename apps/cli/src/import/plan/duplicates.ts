import { canonicalAmount, earliestDate } from '@centavo/contracts/calls';
import { type FinancialClient, isPermissionError, type Movement } from '@centavo/sdk';
import {
  type OpenedStatement,
  type StatementRow,
  type StatementTransaction,
  withoutFormatCharacters,
} from '@centavo/statement-reader';
import { type RowResolution, type RowTargets, resolveRows } from './rows.js';
import { isKeyUsed } from './used-keys.js';

/** The result of looking for rows of a file that another user or key has recorded. */
export interface DuplicateCheck {
  readonly checkedCount: number;
  /** The movements that equal rows of the file and were recorded under other keys. */
  readonly found: readonly { readonly accountName: string; readonly source: Movement['source'] }[];
}

/**
 * Looks for rows of a file that are in their accounts already, recorded by another user or API key. The API scopes
 * idempotency keys by user, or by API key (contract, section 6), so the same row sent by another one is a new
 * movement.
 *
 * At most twenty rows are checked. For each, the movements of its account, day and direction are listed; equal ones
 * have the same amount and texts, so that a corrected movement is missed. If one is equal, the row's own key shows
 * whether this user or key recorded it. Transfers made by an import are recognized by their mark, so only regular
 * movements are listed. Sends at most forty requests.
 *
 * @returns undefined if the credential may not list movements or send the probe
 */
export async function findDuplicates(
  client: FinancialClient,
  { statement, targets }: { statement: OpenedStatement; targets: RowTargets },
): Promise<DuplicateCheck | undefined> {
  // Equal rows are checked once, so none is counted.
  const rows = resolveRows(sampleRows(statement.rows(), statement.rowCount), targets, { mayRepeat: () => false });
  try {
    return await checkRows(client, rows);
  } catch (error) {
    if (isPermissionError(error)) return undefined;
    throw error;
  }
}

/**
 * Decides whether the checked rows show that another user or key has recorded the file: at least one in five of them,
 * and at least two.
 *
 * One in five, because a file that overlaps an earlier one may have few of its rows. Two, because one equal movement
 * may have been entered by hand. Of one or two checked rows all must be found.
 */
export function isRecordedElsewhere({
  checkedCount,
  foundCount,
}: {
  checkedCount: number;
  foundCount: number;
}): boolean {
  return foundCount > 0 && foundCount >= Math.min(checkedCount, Math.max(2, checkedCount / 5));
}

/**
 * Yields at most twenty transactions, spread over the file, in its order. Of a longer file only the first twenty
 * thousand rows are read: people's files are far shorter, and a million rows would be read once more for little.
 *
 * Halves of transfers in an export of Centavo are left out, because their transfer group identifies them.
 */
async function* sampleRows(rows: AsyncIterable<StatementRow>, rowCount: number): AsyncGenerator<StatementRow> {
  const readCount = Math.min(rowCount, rowsReadMax);
  const step = Math.max(1, readCount / sampleMax);
  let index = -1;
  let sampled = 0;
  for await (const row of rows) {
    index += 1;
    if (index >= readCount || sampled === sampleMax) return;
    // The next suitable row replaces one that cannot be checked.
    if (index < Math.floor(sampled * step) || !canBeChecked(row)) continue;
    sampled += 1;
    yield row;
  }
}

/** Each row may take two requests. */
const sampleMax = 20;
const rowsReadMax = 20_000;

function canBeChecked(row: StatementRow): boolean {
  return row.outcome === 'transaction' && row.transaction.transferGroupId === undefined;
}

async function checkRows(client: FinancialClient, rows: AsyncIterable<RowResolution>): Promise<DuplicateCheck> {
  const keys = new Set<string>();
  const days = new Map<string, CheckedRow[]>();
  for await (const row of rows) {
    if (row.outcome !== 'resolved' || row.key === null || row.target.id === null || keys.has(row.key)) continue;
    const { key, target, transaction } = row;
    const { direction, occurredOn } = transaction;
    // The API has no movements before this date, and refuses it as a filter.
    if (occurredOn < earliestDate) continue;
    keys.add(key);
    const day = [target.id, direction, occurredOn].join(' ');
    const checked = { key, accountId: row.target.id, accountName: target.name, transaction };
    days.set(day, [...(days.get(day) ?? []), checked]);
  }
  const pagesMax = Math.floor(listRequestsMax / Math.max(1, days.size));
  const found = await Promise.all([...days.values()].map((ofDay) => checkDay(ofDay, { client, pagesMax })));
  return { checkedCount: keys.size, found: found.flat() };
}

const listRequestsMax = 20;

interface CheckedRow {
  readonly key: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly transaction: StatementTransaction;
}

/** @param rows rows of one account, day and direction */
async function checkDay(
  rows: readonly CheckedRow[],
  { client, pagesMax }: { client: FinancialClient; pagesMax: number },
): Promise<DuplicateCheck['found']> {
  const movements = await listMovementsOfDay(rows, { client, pagesMax });
  const ids = new Set(movements.map(({ id }) => id));
  const byContent = new Map(movements.map((movement) => [contentOfMovement(movement), movement]));
  const found: { accountName: string; source: Movement['source'] }[] = [];
  for (const { key, accountName, transaction } of rows) {
    // A row of an export of this tracker is identified by the id of its movement.
    if (transaction.movementId !== undefined && ids.has(transaction.movementId)) continue;
    const equal = byContent.get(contentOf(transaction));
    if (equal === undefined || (await isKeyUsed(client, key))) continue;
    found.push({ accountName, source: equal.source });
  }
  return found;
}

async function listMovementsOfDay(
  [first]: readonly CheckedRow[],
  { client, pagesMax }: { client: FinancialClient; pagesMax: number },
): Promise<readonly Movement[]> {
  if (first === undefined) return [];
  const { occurredOn, direction } = first.transaction;
  const day = { from: occurredOn, to: occurredOn, accountId: first.accountId, type: direction };
  const movements: Movement[] = [];
  let page = await client.movements.list({ ...day, kind: 'regular', limit: 200 });
  for (let pages = 1; ; pages += 1) {
    movements.push(...page.data);
    const next = pages < pagesMax ? await page.nextPage() : null;
    if (next === null) return movements;
    page = next;
  }
}

function contentOfMovement(movement: Movement): string {
  return contentOf({ ...movement, amountDecimal: canonicalAmount(movement.amountDecimal) });
}

function contentOf(row: Pick<StatementTransaction, 'amountDecimal' | 'description' | 'merchantName'>): string {
  const texts = [row.description, row.merchantName].map((text) => text && withoutFormatCharacters(text));
  return JSON.stringify([row.amountDecimal, ...texts]);
}
