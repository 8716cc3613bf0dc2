import { StatementError } from '../../statement-error.js';
import { type DecimalSeparator, decimalEvidence, parseAmount } from '../../values/amounts.js';
import { type ChosenDateFormat, chooseDateFormat } from '../../values/choose-date-format.js';
import { isoCodes } from '../../values/currency-names.js';
import { currenciesOfSymbol, currenciesOfText } from '../../values/currency-symbols.js';
import { DateFormatDetector } from '../../values/detect-date-format.js';
import { DecimalSeparatorDetector, isWrittenWhole, narrowCurrencies } from '../../values/detect-decimal-separator.js';
import { mayUseEras } from '../../values/eras.js';
import { RemovedZeros } from '../../values/removed-zeros.js';
import type { Formats } from '../plan/plan.js';
import { isDateCell, isPendingStatus } from '../table/cells.js';
import { type ColumnPositions, findHeaderCurrency, findUpperCaseCodes, type HeaderCurrency } from '../table/columns.js';
import { isDateHeader } from '../table/detect-columns-by-header.js';
import type { SurveyRequest } from './survey-request.js';
import { type SurveyedRow, textAt } from './surveyed-row.js';

/** Collects evidence about the formats of the dates and the amounts. */
export class FormatEvidence {
  readonly #request: SurveyRequest;
  readonly #dates: DateFormatDetector;
  readonly #separators = new DecimalSeparatorDetector();
  readonly #balanceSeparators = new DecimalSeparatorDetector();
  readonly #removedZeros = new RemovedZeros();
  /** The amounts and balances of the first rows that have both. */
  readonly #withBalance: { readonly amount: string; readonly balance: string }[] = [];
  readonly #otherDatePositions: readonly number[];
  /** The currencies that the header of each amount column, or a line above the headers, may mean. */
  readonly #headerCurrencies: Partial<Record<(typeof amountRoles)[number], ReadonlySet<string> | undefined>>;
  /** The currencies and units, such as `CLF` and `grams`, that the lines above the headers name, and the headers of units. */
  readonly #units = new Set<string>();
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
        return [role, narrowCurrencies(currenciesOf(ofHeader), currenciesOf(dialect.preambleCurrency))];
      }),
    );
    for (const header of dialect.headers) if (unitHeaders.test(header.trim())) this.#units.add(header);
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
    for (const role of amountRoles) {
      const currencies = narrowCurrencies(rowCurrencies, this.#headerCurrencies[role]);
      this.#separators.add(row[role], currencies);
      this.#removedZeros.add(row[role], currencies);
    }
    const balance = textAt(row.cells, this.#request.balancePosition);
    this.#balanceSeparators.add(balance);
    const amount = amountRoles.map((role) => row[role]).find((text) => text !== '');
    if (amount !== undefined && balance !== '' && this.#withBalance.length < rowsMax)
      this.#withBalance.push({ amount, balance });
  }

  /**
   * Adds a line above the headers. If it has the period of the statement, the period can decide the order of day and month. If it names
   * another currency or unit than the account has, the currency of the account decides nothing.
   */
  addLineAboveHeaders(cells: readonly string[]): void {
    const line = cells.join(' ');
    this.#dates.addLineAboveHeaders(line);
    const words = line.match(/\p{L}+/gu) ?? [];
    for (const unit of [...findUpperCaseCodes(line), ...words.filter((word) => unitWords.test(word))])
      this.#units.add(unit);
  }

  /**
   * Chooses the formats from the options, the saved mapping, the cells and the currency of the account.
   * @throws StatementError if the cells can be read in several formats, if a spreadsheet program may have changed the amounts, or if no
   *   date has a known format
   */
  async choose(): Promise<Pick<Formats, 'decimalSeparator'> & ChosenDateFormat> {
    const { options, saved, columns } = this.#request;
    if (options.decimalSeparator === undefined && saved?.decimalSeparator === undefined)
      await this.#requireUnchangedAmounts();
    const decimalSeparator =
      options.decimalSeparator ??
      this.#separators.requireSeparator(saved?.decimalSeparator, await this.#findSeparatorOutsideAmounts());
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
   * Returns the separator that the currency or the balances show. The look of the balances alone proves nothing: a bank may write `-5.000`
   * and `895000.00` in one row. So at least one difference of balances must be equal to an amount, with this separator only. If the
   * balances are ambiguous too, as in `46,451` and `46,067`, an amount such as `384` shows what their comma means. If the currency
   * contradicts the balances, some balance must have three decimal places too. If none has, returns undefined.
   */
  async #findSeparatorOutsideAmounts(): Promise<DecimalSeparator | undefined> {
    const needsCurrency = this.#request.saved?.decimalSeparator === undefined && this.#separators.needsCurrency;
    const ofCurrency = this.#separators.currencyEvidence(needsCurrency ? await this.#findAccountCurrency() : undefined);
    const ofBalances = this.#balanceSeparators.evidence;
    const ofReading = this.#balanceSeparators.areWhole ? '.' : ofBalances;
    const [withPoint, withComma] = (['.', ','] as const).map((separator) =>
      ofReading === undefined
        ? this.#followAmounts('none', { ofBalances: separator, ofAmounts: separator })
        : this.#followAmounts('either', { ofBalances: ofReading, ofAmounts: separator }),
    );
    if (withPoint === withComma) return ofBalances === undefined || ofBalances === ofCurrency ? ofCurrency : undefined;
    const ofDifferences = withPoint === true ? '.' : ',';
    const isContradicted = ofCurrency !== undefined && ofCurrency !== ofDifferences;
    return isContradicted && !this.#balanceSeparators.hasLongDecimals ? undefined : ofDifferences;
  }

  /** Refuses a file with amounts from which a spreadsheet program may have removed zeros, such as 12.5 for 12.500 pesos. */
  async #requireUnchangedAmounts(): Promise<void> {
    const { example } = this.#removedZeros;
    if (example === undefined) return;
    const { cell, groupSeparator, currencies } = example;
    const currency = currencies?.size === 1 ? [...currencies][0] : await this.#findAccountCurrency();
    const isExcluded = currency === undefined || currencies?.has(currency) === false;
    if (isExcluded || !isWrittenWhole(currency, groupSeparator)) return;
    throw new StatementError(
      `All amounts are below 1000 ${currency}, and "${cell}" has decimal places. It may be a thousand times as large, because a spreadsheet program removed zeros.`,
      `Export the statement again, and do not open it in a spreadsheet program before the import. If the amounts are right, use --decimal-separator ${groupSeparator}`,
      { decimalSeparator: groupSeparator },
    );
  }

  /** Returns the currency of the account, if no line above the headers and no header names another currency or unit. */
  async #findAccountCurrency(): Promise<string | undefined> {
    const { options } = this.#request;
    const currency = (await options.findAccount?.())?.currencyCode;
    const isOfAccount = (unit: string) => unit === currency || currenciesOfText(unit)?.has(currency ?? '') === true;
    return [...this.#units].every(isOfAccount) ? currency : undefined;
  }

  /**
   * Returns whether some balances differ from the balances beside them by an amount of one of the two rows.
   * @param evidence which amounts count: ambiguous amounts, or, if the balances are ambiguous too, amounts without a point or a comma
   */
  #followAmounts(
    evidence: 'either' | 'none',
    { ofBalances, ofAmounts }: { readonly ofBalances: DecimalSeparator; readonly ofAmounts: DecimalSeparator },
  ): boolean {
    const units = this.#withBalance.map(({ amount, balance }) => ({
      amount: decimalEvidence(amount) === evidence ? readUnits(amount, ofAmounts) : undefined,
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

/** Matches the header of a column that names the unit of each amount, such as a coin or a metal. */
const unitHeaders = /^(?:units?|unidad|asset|activo|coin|token|wallet|instrument|commodity|symbol|ticker|reajuste)$/i;
/** Matches words for a fund unit, a coin, a weight or a currency that are not codes in capitals, and short names of dinars. */
const unitWords =
  /^(?:UF|CLF|UTM|BTC|ETH|USDC|USDT|KD|BD|dinars?|d[óo]lar(?:es)?|dollars?|euros?|grams?|gramos?|ounces?|onzas?|oz)$/i;

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

/** Returns the currencies that a cell of the currency column may mean: none if it has an unknown name; undefined if it has no name. */
function currenciesOfCell(text: string): ReadonlySet<string> | undefined {
  const code = text.trim().toUpperCase();
  if (!/[\p{L}\p{Sc}]/u.test(code)) return undefined;
  return isoCodes.has(code) ? new Set([code]) : (currenciesOfText(text) ?? new Set());
}
