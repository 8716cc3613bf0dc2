import { StatementError } from '../../statement-error.js';
import { DecimalSeparatorDetector } from '../../values/amounts.js';
import { type ChosenDateFormat, chooseDateFormat } from '../../values/choose-date-format.js';
import { currenciesOfSymbol, currenciesOfText } from '../../values/currency-symbols.js';
import { DateFormatDetector } from '../../values/detect-date-format.js';
import { mayUseEras } from '../../values/eras.js';
import { isStatedBalanceText } from '../lines/stated-balances.js';
import type { Formats } from '../plan/plan.js';
import { isAmountCell, isDateCell, isPendingStatus, plainCell } from '../table/cells.js';
import { type ColumnPositions, findHeaderCurrency, isoCodes } from '../table/columns.js';
import { isDateHeader } from '../table/detect-columns-by-header.js';
import type { SurveyRequest } from './survey-request.js';
import { type SurveyedRow, textAt } from './surveyed-row.js';

/** Collects evidence about the formats of the dates and the amounts. */
export class FormatEvidence {
  readonly #request: SurveyRequest;
  readonly #dates: DateFormatDetector;
  readonly #separators = new DecimalSeparatorDetector();
  readonly #balanceSeparators = new DecimalSeparatorDetector();
  readonly #otherDatePositions: readonly number[];
  /** The currencies that the header of each amount column may mean. */
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
      amountRoles.map((role) => [role, currenciesOfHeader(dialect.headers[positions[role] ?? -1] ?? '')]),
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
    for (const position of this.#otherDatePositions) this.#dates.addOtherDate(textAt(cells, position), 'column');
  }

  addAmounts(row: SurveyedRow): void {
    const rowCurrencies = currenciesOfCell(row.currency);
    for (const role of amountRoles) this.#separators.add(row[role], rowCurrencies ?? this.#headerCurrencies[role]);
    this.#balanceSeparators.add(textAt(row.cells, this.#request.balancePosition));
  }

  /**
   * Adds a line above the headers. The dates of a period can decide the order of day and month, and a balance can decide the decimal
   * separator, if the rows cannot.
   */
  addLineAboveHeaders(cells: readonly string[]): void {
    const dates = cells.join(' ').match(/(?<!\d)\d{1,2}([./-])\d{1,2}\1\d{4}(?!\d)/g) ?? [];
    if (dates.length === 2) for (const date of dates) this.#dates.addOtherDate(date, 'period');
    if (!cells.some(isStatedBalanceText)) return;
    for (const cell of cells.filter(isAmountCell)) this.#balanceSeparators.add(plainCell(cell));
  }

  /**
   * Chooses the formats from the options, the saved mapping and the cells.
   * @throws StatementError if the cells can be read in several formats, or if no date has a known format
   */
  choose(): Pick<Formats, 'decimalSeparator'> & ChosenDateFormat {
    const { options, saved, columns } = this.#request;
    const fallback = saved?.decimalSeparator ?? this.#balanceSeparators.evidence;
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

const amountRoles = ['debit', 'credit', 'fee', 'amount'] as const;

function currenciesOfHeader(header: string): ReadonlySet<string> | undefined {
  const { code, sign } = findHeaderCurrency(header) ?? {};
  return code === undefined ? currenciesOfSymbol(sign ?? '') : new Set([code]);
}

function currenciesOfCell(text: string): ReadonlySet<string> | undefined {
  const code = text.trim().toUpperCase();
  return isoCodes.has(code) ? new Set([code]) : currenciesOfText(text);
}
