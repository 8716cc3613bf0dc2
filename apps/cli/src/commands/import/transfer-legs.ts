import { type FinancialClient, isPermissionError } from '@centavo/sdk';
import type { StatementTransaction } from '../../statements/statement-row.js';
import type { TargetAccount } from './account-book.js';
import { plainAmount } from './plain-amount.js';
import { keyBeginning, readTransferMark } from './transfer-mark.js';

/**
 * The transfers of the tracker, to recognise rows that are half of one. The key of a transfer follows from both rows,
 * so a later export that has only one of them (a month that ends between the two, an import without
 * `--pair-transfers`) could not find it by a key, and would record that row a second time.
 *
 * Only what cannot be a coincidence counts: the row's own key in the mark of a transfer that an import has made, or
 * the transfer's group in Centavo's own export, each in its account. Side, amount, day and text do not: a cheque may be
 * equal in all of them to a transfer that somebody has made by hand, and would be lost.
 */
export class TransferLegs {
  /** Amounts of legs, by what names the leg. */
  readonly #amounts: ReadonlyMap<string, string>;
  /** The beginnings of keys of all rows that are in a transfer. */
  readonly #marked: ReadonlySet<string>;

  private constructor(amounts: ReadonlyMap<string, string>, marked: ReadonlySet<string>) {
    this.#amounts = amounts;
    this.#marked = marked;
  }

  /**
   * @returns undefined where the key may not read movements, and so cannot know
   * @throws whatever ends the whole import: no network, a revoked key
   */
  static async load(client: FinancialClient): Promise<TransferLegs | undefined> {
    const amounts = new Map<string, string>();
    const marked = new Set<string>();
    try {
      for await (const leg of client.movements.list({ kind: 'transfer', limit: 200 })) {
        const amount = plainAmount(leg);
        if (leg.transferGroupId !== null) amounts.set(nameOfLeg(leg.accountId, leg.transferGroupId), amount);
        const mark = readTransferMark(leg.description);
        if (mark === undefined) continue;
        const row = leg.type === 'expense' ? mark.outgoing : mark.incoming;
        amounts.set(nameOfLeg(leg.accountId, row), amount);
        marked.add(row);
      }
    } catch (error) {
      if (isPermissionError(error) && error.code === 'INSUFFICIENT_SCOPE') return undefined;
      throw error;
    }
    return new TransferLegs(amounts, marked);
  }

  /** Of no transfers. */
  static none(): TransferLegs {
    return new TransferLegs(new Map(), new Set());
  }

  /**
   * The amount of the transfer that a row is half of; undefined for any other row. It is another amount than the row's
   * where the file is read in another way now, or the bank has given the id of that row to another one.
   */
  findAmount({ transaction, target, key }: KeyedRow): string | undefined {
    if (target.id === null) return undefined;
    const { transferGroupId: group } = transaction;
    const ofGroup = group === undefined ? undefined : this.#amounts.get(nameOfLeg(target.id, group));
    if (ofGroup !== undefined || key === null) return ofGroup;
    return this.#amounts.get(nameOfLeg(target.id, keyBeginning(key)));
  }

  /** Whether a row with this key is in a transfer, so that it has to be told from equal rows. */
  hasKey(key: string): boolean {
    return this.#marked.has(keyBeginning(key));
  }
}

interface KeyedRow {
  readonly transaction: StatementTransaction;
  readonly target: TargetAccount;
  readonly key: string | null;
}

function nameOfLeg(accountId: string, row: string): string {
  return `${accountId} ${row}`;
}
