import type { BalanceFinding } from '../balances.js';
import type { StatementRow } from '../statement.js';
import { type FileAccount, identityOf } from '../survey-accounts.js';
import { addDecimals, describeAmount } from '../totals.js';
import { type PointsOfAmounts, readOfxAmount } from './amounts.js';
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
 * - The statement of the second balance begins on or before the day of the first balance, or on the next day.
 * - No transaction of that statement is on the day of the first balance, because that balance may or may not include such a transaction.
 *   If the statement begins on the next day, such transactions are in the statement of the first balance. That balance may include
 *   all, some or none of them, so the balances disagree only if no such case explains the difference.
 * - No transaction of that statement is after the day of the second balance.
 * - All rows of that statement can be read.
 *
 * Two different balances of one file with the same date and time (DTASOF) contradict each other, unless the transactions of one of the two
 * statements add up to the difference. In that case, the bank probably wrote the date of the export into both statements.
 */
export class OfxBalances {
  readonly #earlier: EarlierBalances;
  readonly #points: PointsOfAmounts;
  /** The last known balance of each account. */
  readonly #known = new Map<string, LedgerBalance & { readonly ofFile?: FileBalance }>();
  /** The first day of the statement (DTSTART); empty if it is unknown. */
  #startDay = '';
  /** The last day of the statement (DTEND); empty if it is unknown. */
  #endDay = '';
  /** The sum of the transactions since the earlier balance. */
  #sum = '0';
  /** The sum of all transactions of the statement. */
  #total = '0';
  /** The day of the latest transaction of the statement; empty if it has none. */
  #lastDay = '';
  #amountsOfLastDay: string[] = [];
  #hasFailure = false;
  /** True if a transaction is on the day of the earlier balance. */
  #hasRowOnEarlierDay = false;
  #balance: (LedgerBalance & { readonly asOf: string }) | undefined;

  constructor(earlier: EarlierBalances, points: PointsOfAmounts) {
    this.#earlier = earlier;
    this.#points = points;
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
    if (row.outcome === 'failure') this.#hasFailure = true;
    if (row.outcome !== 'transaction' || account === null) return;
    const { occurredOn, direction, amountDecimal } = row.transaction;
    const amount = direction === 'expense' ? `-${amountDecimal}` : amountDecimal;
    this.#total = addDecimals([this.#total, amount]);
    if (occurredOn > this.#lastDay) [this.#lastDay, this.#amountsOfLastDay] = [occurredOn, []];
    if (occurredOn === this.#lastDay && this.#amountsOfLastDay.length <= amountsMax)
      this.#amountsOfLastDay.push(amount);
    const before = this.#known.get(identityOf(account));
    if (before === undefined || occurredOn < before.day) return;
    if (occurredOn === before.day) this.#hasRowOnEarlierDay = true;
    this.#sum = addDecimals([this.#sum, amount]);
  }

  setBalance(fields: OfxFields, currencyCode: string | null): void {
    const text = fields.get('BALAMT') ?? '';
    const asOf = fields.get('DTASOF') ?? '';
    const [amount, day] = [readOfxAmount(text), readOfxDay(asOf)];
    if (amount === undefined || day === undefined || this.#points.findAmbiguity(text, currencyCode) !== undefined)
      return;
    this.#balance = { amount: addDecimals([(amount.sign === 'minus' ? '-' : '') + amount.amountDecimal]), day, asOf };
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
      const { asOf, ...known } = { ...balance, ...this.#amountsOfDay(balance.day) };
      const rowSum = this.#hasFailure || this.#lastDay === '' ? undefined : this.#total;
      this.#known.set(identityOf(account), { ...known, ofFile: { asOf, rowSum } });
      this.#earlier.add(account, known);
    }
    this.#balance = undefined;
    [this.#startDay, this.#endDay, this.#sum, this.#total, this.#lastDay] = ['', '', '0', '0', ''];
    [this.#amountsOfLastDay, this.#hasFailure, this.#hasRowOnEarlierDay] = [[], false, false];
    return finding;
  }

  /** Returns the amounts of the transactions on the day of a balance, to store them with it; an empty object if they are unknown. */
  #amountsOfDay(day: string): Pick<LedgerBalance, 'amountsOfDay'> {
    if (this.#hasFailure || this.#lastDay > day || this.#amountsOfLastDay.length > amountsMax) return {};
    return { amountsOfDay: this.#lastDay === day ? this.#amountsOfLastDay : [] };
  }

  #compare(
    balance: LedgerBalance & { readonly asOf: string },
    { account, currencyCode }: { account: FileAccount | null; currencyCode: string | null },
  ): BalanceFinding {
    const describe = (amount: string) => describeAmount(amount, currencyCode);
    const stated = `ledger balance ${describe(balance.amount)} on ${balance.day}`;
    const before = account === null ? undefined : this.#known.get(identityOf(account));
    if (before === undefined || this.#hasFailure) return { kind: 'stated', text: stated };
    const difference = subtract(balance.amount, before.amount);
    if (before.ofFile?.asOf === balance.asOf && this.#contradicts(difference, before.ofFile)) {
      const amounts = `${describe(before.amount)} and ${describe(balance.amount)}`;
      return { kind: 'disagrees', message: `two ledger balances on ${balance.day} differ: ${amounts}` };
    }
    const sums = before.day < balance.day && this.#lastDay <= balance.day ? this.#sumsSince(before, difference) : [];
    if (sums.length === 0) return { kind: 'stated', text: stated };
    // Some banks write the debt of a card or a loan without a minus.
    const isDebt = account?.type === 'credit_card' || account?.type === 'loan';
    const isSame = sums.some((sum) => difference === sum || (isDebt && withoutSign(difference) === withoutSign(sum)));
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

  /** Returns whether two balances of the same time differ, and the rows of neither statement add up to the difference. */
  #contradicts(difference: string, { rowSum }: FileBalance): boolean {
    if (difference === '0' || rowSum === undefined || this.#lastDay === '') return false;
    return ![rowSum, this.#total].map(withoutSign).includes(withoutSign(difference));
  }

  /** Returns the possible sums of the transactions since an earlier balance; an empty list if they are unknown. */
  #sumsSince({ day, amountsOfDay }: LedgerBalance, difference: string): readonly string[] {
    if (this.#startDay === '' || this.#hasRowOnEarlierDay) return [];
    if (this.#startDay <= day) return [this.#sum];
    // Equal balances are not compared: some banks write their current balance into all exports, each with the last day of its export.
    if (this.#startDay !== nextDay(day) || amountsOfDay === undefined || difference === '0') return [];
    // The balance may not include the last transactions of its day. They are at the end of the file or, if it begins with the newest
    // transaction, at its beginning.
    return [...amountsOfDay.keys(), amountsOfDay.length].flatMap((count) =>
      [amountsOfDay.slice(count), amountsOfDay.slice(0, count)].map((missing) => addDecimals([this.#sum, ...missing])),
    );
  }
}

/** The facts about a ledger balance that are known only while its file is read. */
interface FileBalance {
  /** The date and time of the balance as the file writes them (DTASOF). */
  readonly asOf: string;
  /** The sum of the transactions of the statement; undefined if it has none, or if a row cannot be read. */
  readonly rowSum: string | undefined;
}

/** The maximum number of amounts of one day that are stored with a balance. */
const amountsMax = 20;

function subtract(amount: string, subtracted: string): string {
  return addDecimals([amount, subtracted.startsWith('-') ? subtracted.slice(1) : `-${subtracted}`]);
}

function withoutSign(amount: string): string {
  return amount.replace('-', '');
}

function nextDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}
