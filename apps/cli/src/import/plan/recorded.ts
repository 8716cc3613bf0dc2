import { canonicalAmount, earliestDate } from '@centavo/contracts/calls';
import {
  type FinancialClient,
  isIdempotencyConflictError,
  isNotFoundError,
  isPermissionError,
  type Movement,
  type Page,
} from '@centavo/sdk';
import type { StatementTransaction } from '@centavo/statement-reader';
import { isMissingOperation } from '../../client/is-missing-operation.js';
import { connectionsMax } from '../../network/open-fetch.js';
import type { TargetAccount } from './accounts.js';

/**
 * The transfers of the tracker, to recognize rows that are half of one. The key of a transfer depends on both rows. A
 * later export may have only one of them: a month ends between the two, or the import runs without
 * `--pair-transfers`. Such a row cannot find the transfer by key, and would be recorded a second time.
 *
 * A row matches only by the beginning of its own key in the mark of an imported transfer, or by the transfer group in
 * an export of Centavo, each in its account. Equal direction, amount, day and text are not enough: a cheque may equal
 * a transfer entered by hand in all of them, and would be lost.
 */
export class RecordedTransfers {
  /** Amounts by account and the beginning of the row's key, or by account and transfer group. */
  readonly #amounts: ReadonlyMap<string, string>;
  /** The beginnings of the keys of all rows that are in a transfer. */
  readonly #keyBeginnings: ReadonlySet<string>;

  private constructor(amounts: ReadonlyMap<string, string>, keyBeginnings: ReadonlySet<string>) {
    this.#amounts = amounts;
    this.#keyBeginnings = keyBeginnings;
  }

  /**
   * Reads all transfers of the tracker.
   * @returns undefined if the credential may not read movements
   */
  static async load(client: FinancialClient): Promise<RecordedTransfers | undefined> {
    const amounts = new Map<string, string>();
    const keyBeginnings = new Set<string>();
    try {
      for await (const leg of client.movements.list({ kind: 'transfer', limit: 200 })) {
        const amount = canonicalAmount(leg.amountDecimal);
        if (leg.transferGroupId !== null) amounts.set(legId(leg.accountId, leg.transferGroupId), amount);
        const mark = readTransferMark(leg.description);
        if (mark === undefined) continue;
        const beginning = leg.type === 'expense' ? mark.outgoing : mark.incoming;
        amounts.set(legId(leg.accountId, beginning), amount);
        keyBeginnings.add(beginning);
      }
    } catch (error) {
      if (isPermissionError(error) && error.code === 'INSUFFICIENT_SCOPE') return undefined;
      throw error;
    }
    return new RecordedTransfers(amounts, keyBeginnings);
  }

  static none(): RecordedTransfers {
    return new RecordedTransfers(new Map(), new Set());
  }

  /**
   * Returns the amount of the transfer that a row is half of, or undefined for any other row. The amount differs from
   * the row's if the file is now read differently, or if the bank has reused the id of the row.
   */
  findAmount({ transaction, target, key }: RowWithKey): string | undefined {
    if (target.id === null) return undefined;
    const { transferGroupId: group } = transaction;
    const ofGroup = group === undefined ? undefined : this.#amounts.get(legId(target.id, group));
    if (ofGroup !== undefined || key === null) return ofGroup;
    return this.#amounts.get(legId(target.id, keyBeginning(key)));
  }

  /** Returns whether a row with this key is in a transfer, so that equal rows have to be counted. */
  hasKey(key: string): boolean {
    return this.#keyBeginnings.has(keyBeginning(key));
  }
}

interface RowWithKey {
  readonly transaction: StatementTransaction;
  readonly target: TargetAccount;
  readonly key: string | null;
}

function legId(accountId: string, keyBeginningOrGroup: string): string {
  return `${accountId} ${keyBeginningOrGroup}`;
}

/** The beginnings of the keys of the two rows that a transfer was made from. */
interface TransferMark {
  readonly outgoing: string;
  readonly incoming: string;
}

/**
 * Returns the end of the description of an imported transfer, `[import 1a2b3c4d5e6f 7a8b9c0d1e2f]`: outgoing row,
 * incoming row. The mark is in the description because the API has no other field that both movements keep, that
 * other machines can read, and that transfers entered by hand do not have.
 */
export function writeTransferMark(outgoingKey: string, incomingKey: string): string {
  return `[import ${keyBeginning(outgoingKey)} ${keyBeginning(incomingKey)}]`;
}

/** Removes the mark from the text of a row, which has one if the row was exported from a tracker. */
export function withoutTransferMark(text: string): string {
  return text.replace(markPattern, '').trimEnd();
}

/** Returns undefined for a transfer that was not imported. */
function readTransferMark(description: string | null): TransferMark | undefined {
  const [, outgoing, incoming] = markPattern.exec(description ?? '') ?? [];
  return outgoing === undefined || incoming === undefined ? undefined : { outgoing, incoming };
}

/**
 * Returns the part of a row's key that stands in a mark, 12 of its 64 hexadecimal digits. Even if accounts are ignored,
 * about one in 30,000 imports of a million rows into a tracker with ten thousand transfers has a false match.
 */
function keyBeginning(key: string): string {
  return key.slice(0, 12);
}

const markPattern = /\[import ([0-9a-f]{12}) ([0-9a-f]{12})\]$/;

/** A recorded movement, as far as rows are compared with it. */
export interface RecordedMovement {
  readonly id: string;
  /** Description and merchant. */
  readonly text: string;
  readonly externalId: string | null;
  readonly source: Movement['source'];
}

/** What rows and movements that may be the same transaction have in common. */
export interface MovementGroup {
  readonly accountId: string;
  readonly occurredOn: string;
  readonly direction: Movement['type'];
  readonly amountDecimal: string;
}

/** The days of a file that have rows, for each id of an account. */
export type DaysOfAccounts = ReadonlyMap<string, ReadonlySet<string>>;

/** The movements of accounts on the days of a file. */
export class RecordedMovements {
  readonly #groups = new Map<string, RecordedMovement[]>();
  readonly #days = new Set<string>();
  #isCut = false;

  private constructor() {}

  /**
   * Lists the movements on the given days. Days that are at most a week apart are listed together, so an account takes
   * one request for each such period, and one more for each 200 movements in it. At most 500 requests are sent for all
   * accounts, the newest periods first; then `isCut` is true. The client waits for a rate limit.
   *
   * @throws every error of the client
   */
  static async load(client: FinancialClient, days: DaysOfAccounts): Promise<RecordedMovements> {
    const recorded = new RecordedMovements();
    let requestCount = 0;
    for (const [accountId, ofAccount] of days) {
      for (const period of periodsOf(ofAccount)) {
        let page: Page<Movement> | null = null;
        do {
          if (requestCount === requestsMax) {
            recorded.#isCut = true;
            return recorded;
          }
          requestCount += 1;
          page =
            page === null ? await client.movements.list({ ...period, accountId, limit: 200 }) : await page.nextPage();
          recorded.#add(page?.data ?? [], ofAccount);
        } while (page?.pagination.hasMore === true);
      }
    }
    return recorded;
  }

  /** Whether there are more movements than were listed. */
  get isCut(): boolean {
    return this.#isCut;
  }

  get isEmpty(): boolean {
    return this.#days.size === 0;
  }

  hasDay({ accountId, occurredOn }: Pick<MovementGroup, 'accountId' | 'occurredOn'>): boolean {
    return this.#days.has(`${accountId} ${occurredOn}`);
  }

  movementsOf(group: MovementGroup): readonly RecordedMovement[] {
    return this.#groups.get(groupId(group)) ?? [];
  }

  #add(movements: readonly Movement[], days: ReadonlySet<string>): void {
    for (const movement of movements) {
      const { id, type, amountDecimal, accountId, occurredOn, description, merchantName, externalId, source } =
        movement;
      if (!days.has(occurredOn)) continue;
      this.#days.add(`${accountId} ${occurredOn}`);
      const amount = canonicalAmount(amountDecimal);
      const group = groupId({ accountId, occurredOn, direction: type, amountDecimal: amount });
      const text = `${withoutTransferMark(description ?? '')} ${merchantName ?? ''}`;
      const known = this.#groups.get(group);
      const recorded = { id, text, externalId: externalId ?? null, source };
      if (known === undefined) this.#groups.set(group, [recorded]);
      else known.push(recorded);
    }
  }
}

/** The text of a group, equal for equal groups. */
export function groupId({ accountId, occurredOn, direction, amountDecimal }: MovementGroup): string {
  return `${accountId} ${occurredOn} ${direction} ${amountDecimal}`;
}

/** At 200 movements a request these are 100,000 movements, which fit into memory. */
const requestsMax = 500;

/**
 * Returns the periods that contain all days, the latest first. The API has no movements before `earliestDate`, and
 * refuses such a day as a filter.
 */
function periodsOf(days: ReadonlySet<string>): readonly { readonly from: string; readonly to: string }[] {
  const periods: { from: string; to: string }[] = [];
  for (const day of [...days]
    .filter((one) => one >= earliestDate)
    .sort()
    .reverse()) {
    const last = periods.at(-1);
    if (last !== undefined && dayNumber(last.from) - dayNumber(day) <= gapDaysMax) last.from = day;
    else periods.push({ from: day, to: day });
  }
  return periods;
}

/** A longer gap takes a request of its own, so that years of other movements are not listed for two rows. */
const gapDaysMax = 7;

function dayNumber(day: string): number {
  return Date.parse(day) / 86_400_000;
}

/**
 * Returns whether a request was recorded under an idempotency key. The API has no lookup of keys, so this sends a
 * probe: a write that can never succeed, a movement into the nil account. The server checks the key before the
 * account (contract, sections 5 and 6). It refuses the probe for its key if the key was used, otherwise for its
 * account, and the key stays free.
 */
export async function isKeyUsed(client: FinancialClient, idempotencyKey: string): Promise<boolean> {
  try {
    await client.movements.create(impossibleMovement, { idempotencyKey });
  } catch (error) {
    if (isKeyReusedError(error)) return true;
    if (isNotFoundError(error)) return false;
    throw error;
  }
  throw new Error('The server has recorded a movement in an account that does not exist.');
}

/** Returns those of the keys under which a request was recorded. A request asks for up to 100 keys, on an older server for one. */
export async function findUsedKeys(client: FinancialClient, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  try {
    const probes = keys.map((idempotencyKey) => ({ ...impossibleMovement, idempotencyKey }));
    const results = await client.movements.createMany(probes, { mode: 'independent', dryRun: true });
    return new Set(keys.filter((_, index) => results[index]?.error?.code !== 'NOT_FOUND'));
  } catch (error) {
    if (!isMissingOperation(error)) throw error;
  }
  const used = new Set<string>();
  for (let start = 0; start < keys.length; start += connectionsMax) {
    const some = keys.slice(start, start + connectionsMax);
    await Promise.all(some.map(async (key) => (await isKeyUsed(client, key)) && used.add(key)));
  }
  return used;
}

/** Returns whether a request was refused because another one was recorded under its key. */
export function isKeyReusedError(error: unknown): boolean {
  return isIdempotencyConflictError(error) && error.code === 'IDEMPOTENCY_KEY_REUSED';
}

const impossibleMovement = {
  type: 'expense',
  amountDecimal: '1',
  accountId: '00000000-0000-0000-0000-000000000000',
} as const;
