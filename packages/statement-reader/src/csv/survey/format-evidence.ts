import { StatementError } from '../../statement-error.js';
import { type DecimalSeparator, DecimalSeparatorDetector, decimalEvidence, parseAmount } from '../../values/amounts.js';
import { type ChosenDateFormat, chooseDateFormat } from '../../values/choose-date-format.js';
import { currenciesOfSymbol, currenciesOfText } from '../../values/currency-symbols.js';
import { DateFormatDetector } from '../../values/detect-date-format.js';
import { mayUseEras } from '../../values/eras.js';
import type { Formats } from '../plan/plan.js';
import { isDateCell, isPendingStatus } from '../table/cells.js';
import { type ColumnPositions, findHeaderCurrency, type HeaderCurrency, isoCodes } from '../table/columns.js';
import { isDateHeader } from '../table/detect-columns-by-header.js';
import type { SurveyRequest } from './survey-request.js';
import { type SurveyedRow, textAt } from './surveyed-row.js';

/** Collects evidence about the formats of the dates and the amounts. */
export class FormatEvidence {
  readonly #request: SurveyRequest;
  readonly #dates: DateFormatDetector;
  readonly #separators = new DecimalSeparatorDetector();
  readonly #balanceSeparators = new DecimalSeparatorDetector();
  /** The amounts and balances of the first rows that have both. */
  readonly #withBalance: { readonly amount: string; readonly balance: string }[] = [];
  readonly #otherDatePositions: readonly number[];
  /** The currencies that the header of each amount column, or a line above the headers, may mean. */
  readonly #headerCurrencies: Partial<Record<(typeof amountRoles)[number], ReadonlySet<string> | undefined>>;
  /** The first text in the date column that is not a pending status; undefined if there is none. */
  #firstDate: string | undefined;

  constructor(request: SurveyRequest, positions: ColumnPositions) {
    const { dialect, columns, options, saved } = request;
    this.#request = request;
    this.#dates = new DateFormatDetector(options.dateFormat ?? saved?.dateFormat, {
      isYearUsuallyFirst: mayUseEras(columns.date),
    });
    this.#headerCurrencies = Object.fromEntries(
      amountRoles.map((role) => {
        const ofHeader = findHeaderCurrency(dialect.headers[positions[role] ?? -1] ?? '');
        return [role, currenciesOf(ofHeader ?? dialect.preambleCurrency)];
      }),
    );
    this.#otherDatePositions = dialect.headers.flatMap((header, index) =>
      isDateHeader(header) && index !== positions.date ? [index] : [],
    );
  }

  addDates({ date, cells }: SurveyedRow): void {
    if (!isPendingStatus(date)) {
      this.#firstDate ??= date;
      this.#dates.add(date);
    }
    for (const position of this.#otherDatePositions) this.#dates.addOtherDate(textAt(cells, position));
  }

  addAmounts(row: SurveyedRow): void {
    const rowCurrencies = currenciesOfCell(row.currency);
    for (const role of amountRoles) this.#separators.add(row[role], rowCurrencies ?? this.#headerCurrencies[role]);
    const balance = textAt(row.cells, this.#request.balancePosition);
    this.#balanceSeparators.add(balance);
    const amount = amountRoles.map((role) => row[role]).find((text) => text !== '');
    if (amount !== undefined && balance !== '' && this.#withBalance.length < rowsMax)
      this.#withBalance.push({ amount, balance });
  }

  /** Adds a line above the headers. If it has the period of the statement, the period can decide the order of day and month. */
  addLineAboveHeaders(cells: readonly string[]): void {
    this.#dates.addLineAboveHeaders(cells.join(' '));
  }

  /**
   * Chooses the formats from the options, the saved mapping and the cells.
   * @throws StatementError if the cells can be read in several formats, or if no date has a known format
   */
  async choose(): Promise<Pick<Formats, 'decimalSeparator'> & ChosenDateFormat> {
    const { options, saved, columns } = this.#request;
    const isOpen = options.decimalSeparator === undefined && saved?.decimalSeparator === undefined;
    const currency = isOpen && this.#separators.needsCurrency ? await options.findCurrency?.() : undefined;
    const fallback = saved?.decimalSeparator ?? this.#findSeparatorOutsideAmounts(currency);
    const decimalSeparator = options.decimalSeparator ?? this.#separators.requireSeparator(fallback);
    if (options.dateFormat === undefined && saved === undefined) this.#requireReadableFirstDate();
    const chosen = chooseDateFormat({
      dates: this.#dates,
      requested: options.dateFormat,
      saved: saved?.dateFormat,
      dateColumn: columns.date,
    });
    return { decimalSeparator, ...chosen };
  }

  /**
   * Returns the separator that the currency or the balances show. The look of the balances alone proves nothing: a bank may write
   * `-5.000` and `895000.00` in one row. So the differences of the balances must be equal to amounts, as read with this separator only.
   */
  #findSeparatorOutsideAmounts(accountCurrency: string | undefined): DecimalSeparator | undefined {
    const ofBalances = this.#balanceSeparators.evidence;
    const ofCurrency = this.#separators.currencyEvidence(accountCurrency);
    if (ofBalances === undefined) return ofCurrency;
    const [withPoint, withComma] = (['.', ','] as const).map((separator) => this.#followAmounts(ofBalances, separator));
    if (withPoint === withComma) return ofBalances === ofCurrency ? ofCurrency : undefined;
    return withPoint === true ? '.' : ',';
  }

  /** Returns whether some balances differ from the balances beside them by an ambiguous amount of one of the two rows. */
  #followAmounts(ofBalances: DecimalSeparator, ofAmounts: DecimalSeparator): boolean {
    const units = this.#withBalance.map(({ amount, balance }) => ({
      amount: decimalEvidence(amount) === 'either' ? readUnits(amount, ofAmounts) : undefined,
      balance: readUnits(balance, ofBalances),
    }));
    return units.slice(1).some(({ amount, balance }, index) => {
      const before = units[index];
      if (before?.balance === undefined || balance === undefined) return false;
      const difference = absolute(balance - before.balance);
      return (
        difference !== 0n && [amount, before.amount].some((one) => one !== undefined && absolute(one) === difference)
      );
    });
  }

  /**
   * Refuses a file without headers if its first date has an unknown format, and another date has a known format. Only the user knows
   * whether the first row is a transaction, and whether other rows also have the unknown date format.
   */
  #requireReadableFirstDate(): void {
    const { dialect, columns } = this.#request;
    const hasHeaders = dialect.headers.some((header) => header.trim() !== '');
    const first = this.#firstDate;
    if (hasHeaders || first === undefined || isDateCell(first) || !this.#dates.hasDates) return;
    throw new StatementError(
      `The first row has "${first}" in "${columns.date}", which is not a date in a known format.`,
      'Set the date format with --date-format. Rows with dates in other formats fail and are listed.',
    );
  }
}

const amountRoles = ['debit', 'credit', 'amount', 'fee'] as const;

/** The maximum number of rows whose balances are compared with their amounts. */
const rowsMax = 1000;

/** Returns an amount in ten-thousandths of the main unit; undefined if the text is not an amount. */
function readUnits(text: string, separator: DecimalSeparator): bigint | undefined {
  const parsed = parseAmount(text, separator);
  if (parsed === undefined) return undefined;
  const [whole = '0', fraction = ''] = parsed.amountDecimal.split('.');
  return BigInt(whole + fraction.slice(0, 4).padEnd(4, '0')) * (parsed.sign === 'minus' ? -1n : 1n);
}

function absolute(units: bigint): bigint {
  return units < 0n ? -units : units;
}

function currenciesOf({ code, sign }: Partial<HeaderCurrency> = {}): ReadonlySet<string> | undefined {
  return code === undefined ? currenciesOfSymbol(sign ?? '') : new Set([code]);
}

function currenciesOfCell(text: string): ReadonlySet<string> | undefined {
  const code = text.trim().toUpperCase();
  return isoCodes.has(code) ? new Set([code]) : currenciesOfText(text);
}
