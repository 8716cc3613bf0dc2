import type { BalanceFinding } from '../balances.js';
import type { StatementRow } from '../statement.js';
import { type FileAccount, identityOf } from '../survey-accounts.js';
import { addDecimals, describeAmount } from '../totals.js';
import { type DecimalCommas, readOfxAmount } from './amounts.js';
import type { EarlierBalances, LedgerBalance } from './earlier-balances.js';
import type { OfxFields } from './records.js';
import { readOfxDay } from './transaction.js';

/**
 * Compares each ledger balance of a file with the previous ledger balance of the same account, which may be in an earlier file. OFX has no
 * opening balance, so one balance proves nothing. But the transactions between two balances of an account must add up to the
 * difference of the balances.
 *
 * Two balances are compared only under these conditions:
 *
 * - The second balance is from a later day.
 * - The statement of the second balance begins on or before the day of the first balance.
 * - No transaction of that statement is on the day of the first balance, because that balance may or may not include such a transaction.
 * - No transaction of that statement is after the day of the second balance.
 * - All rows of that statement can be read.
 */
export class OfxBalances {
  readonly #earlier: EarlierBalances;
  readonly #commas: DecimalCommas;
  /** The last known balance of each account. */
  readonly #known = new Map<string, LedgerBalance>();
  #startDay = '';
  #endDay = '';
  #sum = '0';
  #lastDay = '';
  #isClear = true;
  #balance: LedgerBalance | undefined;

  constructor(earlier: EarlierBalances, commas: DecimalCommas) {
    this.#earlier = earlier;
    this.#commas = commas;
  }

  /** Looks up the balance of an account in an earlier file, unless a balance of the account is already known. */
  async findEarlier(account: FileAccount): Promise<void> {
    if (this.#known.has(identityOf(account))) return;
    const balance = await this.#earlier.find(account);
    if (balance !== undefined) this.#known.set(identityOf(account), balance);
  }

  /** Sets the first day of the statement (DTSTART). */
  setStart(fields: OfxFields): void {
    this.#startDay = readOfxDay(fields.get('') ?? '') ?? '';
  }

  /** Sets the last day of the statement (DTEND). */
  setEnd(fields: OfxFields): void {
    this.#endDay = readOfxDay(fields.get('') ?? '') ?? '';
  }

  /** The first and the last day of the statement, without those that are unknown. */
  get days(): readonly string[] {
    return [this.#startDay, this.#endDay].filter((day) => day !== '');
  }

  addRow(row: StatementRow, account: FileAccount | null): void {
    if (row.outcome === 'failure') this.#isClear = false;
    if (row.outcome !== 'transaction' || account === null) return;
    const { occurredOn, direction, amountDecimal } = row.transaction;
    if (occurredOn > this.#lastDay) this.#lastDay = occurredOn;
    const before = this.#known.get(identityOf(account));
    if (before === undefined || occurredOn < before.day) return;
    if (occurredOn === before.day) this.#isClear = false;
    this.#sum = addDecimals([this.#sum, direction === 'expense' ? `-${amountDecimal}` : amountDecimal]);
  }

  setBalance(fields: OfxFields): void {
    const text = fields.get('BALAMT') ?? '';
    const [amount, day] = [readOfxAmount(text), readOfxDay(fields.get('DTASOF') ?? '')];
    if (amount === undefined || day === undefined || this.#commas.makeAmbiguous(text)) return;
    this.#balance = { amount: addDecimals([(amount.sign === 'minus' ? '-' : '') + amount.amountDecimal]), day };
  }

  /** The first day of the statement, and the day and amount of its ledger balance, joined into one text; null if one of them is unknown. */
  get text(): string | null {
    const balance = this.#balance;
    return balance === undefined || this.#startDay === ''
      ? null
      : [this.#startDay, balance.day, balance.amount].join(' ');
  }

  /** Ends a statement. Returns the finding about its balance; undefined if the statement has no unambiguous balance. */
  end(account: FileAccount | null, currencyCode: string | null): BalanceFinding | undefined {
    const balance = this.#balance;
    const finding = balance === undefined ? undefined : this.#compare(balance, { account, currencyCode });
    if (balance !== undefined && account !== null) {
      this.#known.set(identityOf(account), balance);
      this.#earlier.add(account, balance);
    }
    this.#balance = undefined;
    [this.#startDay, this.#endDay, this.#sum, this.#lastDay, this.#isClear] = ['', '', '0', '', true];
    return finding;
  }

  #compare(
    balance: LedgerBalance,
    { account, currencyCode }: { account: FileAccount | null; currencyCode: string | null },
  ): BalanceFinding {
    const describe = (amount: string) => describeAmount(amount, currencyCode);
    const stated = `ledger balance ${describe(balance.amount)} on ${balance.day}`;
    const before = account === null ? undefined : this.#known.get(identityOf(account));
    const isComparable =
      before !== undefined &&
      this.#isClear &&
      this.#startDay !== '' &&
      this.#startDay <= before.day &&
      before.day < balance.day &&
      this.#lastDay <= balance.day;
    if (!isComparable) return { kind: 'stated', text: stated };
    const difference = addDecimals([
      balance.amount,
      before.amount.startsWith('-') ? before.amount.slice(1) : `-${before.amount}`,
    ]);
    // Some banks write the debt of a card or a loan without a minus.
    const isDebt = account?.type === 'credit_card' || account?.type === 'loan';
    const isSame = difference === this.#sum || (isDebt && difference.replace('-', '') === this.#sum.replace('-', ''));
    const from = before.fileName === undefined ? before.day : `${before.day} (${before.fileName})`;
    if (isSame) return { kind: 'stated', text: `${stated}, and the transactions since ${from} agree with it` };
    if (before.fileName !== undefined) {
      return {
        kind: 'disagrees',
        message: `the ledger balances ${describe(before.amount)} on ${from} and ${describe(balance.amount)} on ${balance.day} (${this.#earlier.fileName}) differ by ${describe(difference)}, but the transactions between them sum to ${describe(this.#sum)}`,
      };
    }
    return {
      kind: 'disagrees',
      message: `ledger balance ${describe(before.amount)} on ${before.day} and later transactions give ${describe(addDecimals([before.amount, this.#sum]))}, but the ledger balance on ${balance.day} is ${describe(balance.amount)}`,
    };
  }
}
