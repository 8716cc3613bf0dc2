import type { FinancialClient, Movement } from '@centavo/sdk';
import type { StatementTransaction } from '../../statements/statement-row.js';
import { withoutFormatCharacters } from '../../statements/tidy-text.js';
import { earliestDay } from './foresee-refusals.js';
import type { FoundRow } from './identify-rows.js';
import { isKeyTaken } from './is-key-taken.js';
import { plainAmount } from './plain-amount.js';

/** What a look at some rows has shown. */
export interface RecordedElsewhere {
  readonly lookedAtCount: number;
  /** The movements that stand for rows of the file and were not recorded under their keys. */
  readonly found: readonly { readonly accountName: string; readonly source: Movement['source'] }[];
}

/**
 * Finds rows of a file that are in their accounts already, recorded by somebody whose keys are not ours: the API scopes
 * keys by user, or by API key (contract, section 6), so the same row through another one is a new movement.
 *
 * For each row, movements of its account, day and side are asked for; equal are those of equal amount and texts. One
 * that has been corrected since is missed. Where there is an equal one, the row's own key tells whether it was recorded
 * under that. Rows in transfers that an import has made are known by the mark, whoever has made them, so only regular
 * movements count here. Takes at most forty requests.
 *
 * @param rows those to look at, at most twenty
 * @throws PermissionError where movements may not be read, or keys not be asked for; whatever ends the whole import
 */
export async function findRecordedElsewhere(
  client: FinancialClient,
  rows: AsyncIterable<FoundRow>,
): Promise<RecordedElsewhere> {
  const keys = new Set<string>();
  const days = new Map<string, AskedRow[]>();
  for await (const row of rows) {
    if (row.outcome !== 'identified' || row.key === null || row.target.id === null || keys.has(row.key)) continue;
    const { key, target, transaction } = row;
    const { direction, occurredOn } = transaction;
    // The API has no movements of such a day, and refuses to be asked for them.
    if (occurredOn < earliestDay) continue;
    keys.add(key);
    const day = [target.id, direction, occurredOn].join(' ');
    const asked = { key, accountId: row.target.id, accountName: target.name, transaction };
    days.set(day, [...(days.get(day) ?? []), asked]);
  }
  const pagesMax = Math.floor(listRequestsMax / Math.max(1, days.size));
  const found = await Promise.all([...days.values()].map((ofDay) => lookInto(ofDay, { client, pagesMax })));
  return { lookedAtCount: keys.size, found: found.flat() };
}

const listRequestsMax = 20;

interface AskedRow {
  readonly key: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly transaction: StatementTransaction;
}

/** @param rows of one account, day and side */
async function lookInto(
  rows: readonly AskedRow[],
  { client, pagesMax }: { client: FinancialClient; pagesMax: number },
): Promise<RecordedElsewhere['found']> {
  const movements = await listDay(rows, { client, pagesMax });
  const ids = new Set(movements.map(({ id }) => id));
  const byContent = new Map(movements.map((movement) => [contentOfMovement(movement), movement]));
  const found: { accountName: string; source: Movement['source'] }[] = [];
  for (const { key, accountName, transaction } of rows) {
    // A row of an export of this very tracker is known by the id of its movement.
    if (transaction.movementId !== undefined && ids.has(transaction.movementId)) continue;
    const equal = byContent.get(contentOf(transaction));
    if (equal === undefined || (await isKeyTaken(client, key))) continue;
    found.push({ accountName, source: equal.source });
  }
  return found;
}

async function listDay(
  [first]: readonly AskedRow[],
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
  return contentOf({ ...movement, amountDecimal: plainAmount(movement) });
}

function contentOf(row: Pick<StatementTransaction, 'amountDecimal' | 'description' | 'merchantName'>): string {
  const texts = [row.description, row.merchantName].map((text) => text && withoutFormatCharacters(text));
  return JSON.stringify([row.amountDecimal, ...texts]);
}
