import { isCalendarDate } from '@centavo/contracts/calls';
import type { BalanceFinding } from '../balances.js';
import { textAt, type XmlElement } from '../markup/xml.js';
import type { StatementRow } from '../statement.js';
import type { StatementBalances } from '../survey-accounts.js';
import { addDecimals, describeAmount } from '../totals.js';
import { readAmount, signed } from './entry.js';

/**
 * Checks, for each currency, that the opening balance of a statement plus its booked entries equals its closing balance.
 *
 * The check requires a complete statement: one page, and only entries and balances that can be read. Each currency of the
 * entries and balances must have exactly one opening and one closing balance. Interim, available and forward balances are ignored.
 * @source ISO 20022 external code set, balance types OPBD, PRCD, CLBD; sub-type INTM marks the balance of a single page
 */
export class CamtBalances {
  /** The balances by type and currency, such as `OPBD EUR`; at most two for each, because the second one already prevents the check. */
  readonly #balances = new Map<string, string[]>();
  /** The sum of the booked entries for each currency. */
  readonly #sums = new Map<string, string>();
  readonly #days = { opening: new Set<string>(), closing: new Set<string>() };
  /** The lines of `text`; at most `describedMax`. */
  readonly #described = new Set<string>();
  #entryCount = 0;
  #isComplete: boolean;

  /** @param isComplete whether the message has only one page */
  constructor(isComplete: boolean) {
    this.#isComplete = isComplete;
  }

  /**
   * Reads StmtPgntn, which shows whether the statement has other pages. A statement with several pages is not checked, because a balance on
   * one page may include the entries of all pages.
   */
  addPage(page: XmlElement): void {
    this.#isComplete &&= isWhole(page);
  }

  addBalance(balance: XmlElement): void {
    const code = textAt(balance, 'Tp/CdOrPrtry/Cd') ?? '';
    if (!/^(OPBD|PRCD|CLBD)$/.test(code)) return;
    const day = textAt(balance, 'Dt/Dt', 'Dt/DtTm')?.slice(0, 10) ?? '';
    this.#days[code === 'CLBD' ? 'closing' : 'opening'].add(day);
    const amount = readAmount(balance);
    if ('amountDecimal' in amount && this.#described.size < describedMax) {
      this.#described.add([code, day, amount.currencyCode, addDecimals([signed(amount)])].join(' '));
    }
    if ('reason' in amount || textAt(balance, 'Tp/SubTp/Cd') === 'INTM') {
      this.#isComplete = false;
      return;
    }
    const key = `${code} ${amount.currencyCode ?? ''}`;
    this.#balances.set(key, [...(this.#balances.get(key) ?? []), addDecimals([signed(amount)])].slice(0, 2));
  }

  /**
   * The day that all opening and closing balances read so far share. Undefined if the days differ or are missing, if there is no opening
   * balance, or if there is no closing balance.
   */
  get onlyDay(): string | undefined {
    const { opening, closing } = this.#days;
    const [day, ...others] = new Set([...opening, ...closing]);
    return opening.size === 1 && closing.size === 1 && others.length === 0 && day !== '' ? day : undefined;
  }

  /**
   * The opening and closing balances with their days, as one text that can be compared with the text of another statement. Null if the
   * opening balance, the closing balance or a day is missing.
   */
  get text(): string | null {
    const { opening, closing } = this.#days;
    const isComplete = opening.size > 0 && closing.size > 0 && !opening.has('') && !closing.has('');
    return isComplete ? [...this.#described].sort().join('\n') : null;
  }

  /** The days of the opening and closing balances. */
  get days(): readonly string[] {
    return [...this.#days.opening, ...this.#days.closing].filter(isCalendarDate);
  }

  /** The only opening and the only closing balance; undefined if the statement has several currencies, or cannot be checked. */
  get between(): StatementBalances | undefined {
    const [currencyCode = '', ...others] = this.#currencies;
    const [opening, closing] = [[...this.#days.opening], [...this.#days.closing]];
    const [openingDay = ''] = opening;
    const [closingDay = ''] = closing;
    const amounts = this.#check(currencyCode);
    const isClear = this.#isComplete && others.length === 0 && opening.length === 1 && closing.length === 1;
    if (!isClear || amounts === undefined || !isCalendarDate(openingDay) || !isCalendarDate(closingDay))
      return undefined;
    return {
      currencyCode,
      opening: { amount: amounts.opening, day: openingDay },
      closing: { amount: amounts.closing, day: closingDay },
    };
  }

  /** Adds the rows of one entry. */
  addEntry(rows: readonly StatementRow[]): void {
    if (rows.some(({ outcome }) => outcome === 'failure')) this.#isComplete = false;
    const booked = rows.flatMap((row) => (row.outcome === 'transaction' ? [row.transaction] : []));
    if (booked.length > 0) this.#entryCount += 1;
    for (const transaction of booked) {
      const currencyCode = transaction.currencyCode ?? '';
      this.#sums.set(currencyCode, addDecimals([this.#sums.get(currencyCode) ?? '0', signed(transaction)]));
    }
  }

  /** The result of the check, available after the last entry; undefined if the balances cannot be checked. */
  get finding(): BalanceFinding | undefined {
    if (!this.#isComplete) return undefined;
    const checks = [...this.#currencies].map((currencyCode) => this.#check(currencyCode));
    const disagreement = checks.find((check) => check !== undefined && check.expected !== check.closing);
    // If a currency has entries but no balances, the bank may have converted these entries, and included them in the
    // balance of another currency. Then no balance of the statement can be checked.
    if (checks.length === 0 || checks.includes(undefined)) return undefined;
    if (disagreement === undefined) return { kind: 'agrees', entryCount: this.#entryCount };
    const { currencyCode, opening, expected, closing } = disagreement;
    const describe = (amount: string) => describeAmount(amount, currencyCode);
    return {
      kind: 'disagrees',
      message: `opening balance ${describe(opening)} and entries give ${describe(expected)}, but the closing balance is ${describe(closing)}`,
    };
  }

  get #currencies(): ReadonlySet<string> {
    return new Set([...this.#sums.keys(), ...[...this.#balances.keys()].map((key) => key.slice(5))]);
  }

  /** Returns the balances of a currency, and the closing balance that the entries give; undefined if they cannot be checked. */
  #check(currencyCode: string) {
    const [opening, ...otherOpenings] =
      this.#balances.get(`OPBD ${currencyCode}`) ?? this.#balances.get(`PRCD ${currencyCode}`) ?? [];
    const [closing, ...otherClosings] = this.#balances.get(`CLBD ${currencyCode}`) ?? [];
    if (opening === undefined || closing === undefined || otherOpenings.length + otherClosings.length > 0) {
      return undefined;
    }
    return { currencyCode, opening, closing, expected: addDecimals([opening, this.#sums.get(currencyCode) ?? '0']) };
  }
}

/** The maximum number of balances of one statement that are stored for `text`, to limit the memory. */
const describedMax = 100;

/** Returns false if MsgPgntn or StmtPgntn says that there are other pages. */
export function isWhole(page: XmlElement): boolean {
  return (textAt(page, 'PgNb') ?? '1') === '1' && !/^(false|0)$/.test(textAt(page, 'LastPgInd') ?? '');
}
