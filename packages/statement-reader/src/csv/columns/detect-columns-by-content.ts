import { type AmountSign, findAmountSign } from '../../values/amounts.js';
import { canonicalCode, directionCodes, readDirectionCode, resolveAmbiguousLetters } from '../signs/direction-codes.js';
import { isAmountCell, isCurrencyCode, isDateCell } from '../table/cells.js';
import { type CsvColumnName, type CsvColumns, nameColumns } from '../table/columns.js';
import {
  headerDictionary,
  headerList,
  headerNamesBalance,
  headerWords,
  recordKeepingHeaders,
} from '../table/header-names.js';
import { findAmountColumns, type NumberColumn } from './find-amount-columns.js';
import { findHeaderUnit } from './header-units.js';

/**
 * Detects, from the first rows of a file, the roles of columns whose headers are unknown. The date is the first column in which all cells
 * are dates. Columns whose header names the time at which a record was created or changed, such as `created at`, are left out. Columns with
 * several different days are tried before columns with a single day.
 *
 * If only one column has numbers with decimal places, it is the amount. If several columns have them, and another column has a running
 * balance, the amount is the column whose numbers equal the changes of this balance. Two columns can also be debit and credit (see
 * `findAmountColumns`). If no column has decimal places, only such a balance shows the amount. A column whose header names a balance is not
 * the amount if another column has numbers. If a column has numbers and a header with a unit such as cents, it may be the amount, so no
 * amount is detected. In exports of DEGIRO, the column of the amounts has no header, and the column to its left has the currencies and a
 * header such as `Change`. Such columns are the amount and the currency.
 *
 * If no amount has a sign, the direction column is a column in which all cells are debit/credit codes such as `debit`, or the only column
 * with exactly two different short codes. If some amounts have a sign, a column of direction words is the direction column only if a word
 * contradicts the sign in its row. A column whose words agree with all signs adds nothing, and is not used. A column whose header names a
 * balance, such as `Dr/Cr of Balance`, is not the direction column.
 *
 * If exactly one column without a header consists of currency codes, it is the currency. If neither the known description nor the known
 * merchant has a text, a column of texts is the description. Without a text, rows of the same day and amount cannot be distinguished.
 *
 * @param file.rows the first rows below the headers
 * @param file.known the columns that are already known from options and headers
 * @param file.unwanted roles not to detect
 */
export function detectColumnsByContent(file: {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly known: Partial<CsvColumns>;
  readonly unwanted: ReadonlySet<CsvColumnName>;
}): Partial<CsvColumns> {
  const rows = file.rows.filter((cells) => cells.some(isDateCell) && cells.some(isAmountCell));
  if (rows.length === 0) return {};
  const taken = new Set(Object.values(file.known));
  const columns = nameColumns(file.headers).map((header, index) => ({
    header,
    cells: rows.map((cells) => cells[index]?.trim() ?? ''),
    isFree: !taken.has(header),
    isNamed: (file.headers[index] ?? '').trim() !== '',
  }));
  const free = columns.filter(({ isFree }) => isFree);
  const guess: Partial<Record<CsvColumnName, string>> = {};
  const dates = free.filter(({ cells }) => cells.every(isDateCell));
  // If another column has several days, a column with a single day may have the day of the export.
  const varied = dates.filter(({ cells }) => new Set(cells).size > 1);
  const date = [...varied, ...dates].find(({ header }) => !recordKeepingHeaders.has(headerWords(header)));
  if (file.known.date === undefined && date !== undefined) guess.date = date.header;
  const numbers = free.filter((column) => !dates.includes(column) && isMoney(column.cells));
  const besideCurrency = hasAmount(file.known) ? undefined : findAmountBesideCurrency(columns);
  if (besideCurrency !== undefined) {
    guess.amount = besideCurrency.amount;
    if (!file.unwanted.has('currency')) guess.currency = besideCurrency.currency;
  }
  if (!hasAmount(file.known) && besideCurrency === undefined) {
    // Amounts in a currency without decimal places look like numbers of cheques or accounts. Only a balance distinguishes them.
    const whole = free.filter((column) => !dates.includes(column) && areNumbers(column.cells));
    const amounts = numbers.length > 0 ? findAmountColumns(numbers) : findAmountColumns(whole, true);
    const others = columns.filter(({ header }) => !Object.values(amounts).includes(header));
    const hasBalance = Object.values(amounts).some(headerNamesBalance);
    const isUnclear = others.some(
      (column) =>
        (hasBalance || findHeaderUnit(column.header) !== undefined) &&
        !dates.includes(column) &&
        areNumbers(column.cells),
    );
    if (!isUnclear) Object.assign(guess, amounts);
  }

  const amountHeader = file.known.amount ?? guess.amount;
  const amount = columns.find(({ header }) => header === amountHeader);
  if (amount !== undefined && file.known.direction === undefined && !file.unwanted.has('direction')) {
    const direction = findDirectionColumn(
      free.filter(({ header }) => !otherKinds.test(headerWords(header)) && !headerNamesBalance(header)),
      amount.cells.map(findAmountSign),
    );
    if (direction !== undefined) guess.direction = direction.header;
  }
  if ((file.known.currency ?? guess.currency) === undefined && !file.unwanted.has('currency')) {
    const [currency, ...others] = free.filter(({ isNamed, cells }) => !isNamed && cells.every(isCurrencyCode));
    if (currency !== undefined && others.length === 0) guess.currency = currency.header;
  }
  if (!hasText(file.known, columns) && !file.unwanted.has('description')) {
    const { currency: _, ...guessed } = guess;
    // If the currency column is the only column of texts, it is also the description. Imports by earlier versions used it as the
    // description. Without this description, a row that such an import recorded would get a different idempotency key, and would be
    // recorded again.
    const used = new Set(Object.values(guessed));
    const others = free.filter(({ header }) => !used.has(header));
    const text = columns.every(({ isNamed }) => !isNamed) ? findTextWithoutHeaders(others) : findVariedText(others);
    if (text !== undefined) guess.description = text;
  }
  return guess;
}

/**
 * Returns the columns of the amounts and their currencies, as in exports of DEGIRO: the column with the currencies has a header such as
 * `Change`, and the column with the amounts, directly to its right, has no header.
 */
function findAmountBesideCurrency(
  columns: readonly (NumberColumn & { readonly isFree: boolean; readonly isNamed: boolean })[],
): { readonly amount: string; readonly currency: string } | undefined {
  const [found, ...others] = columns.flatMap(({ header: currency, cells, isFree }, position) => {
    const next = columns[position + 1];
    const isPair =
      isFree &&
      changeHeaders.has(headerWords(currency)) &&
      isFilledWith(cells, isCurrencyCode) &&
      next?.isNamed === false &&
      next.isFree &&
      isFilledWith(next.cells, isAmountCell);
    return isPair ? [{ amount: next.header, currency }] : [];
  });
  return others.length === 0 ? found : undefined;
}

/** Headers of the column with the currencies of the amounts in {@link findAmountBesideCurrency}. */
const changeHeaders: ReadonlySet<string> = new Set([
  ...headerDictionary.amount,
  ...headerList('change; mutatie; änderung; mouvement; mouvements; variazione; variazioni; variación; mudança; zmiana'),
]);

function isFilledWith(cells: readonly string[], fits: (cell: string) => boolean): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length > 0 && filled.every(fits);
}

/** Returns whether the description or the merchant is known and has a text. */
function hasText(
  { description, merchant }: Partial<CsvColumns>,
  columns: readonly { readonly header: string; readonly cells: readonly string[] }[],
): boolean {
  return columns.some(
    ({ header, cells }) => (header === description || header === merchant) && cells.some((cell) => cell !== ''),
  );
}

/** Matches headers of columns in which "debit" and "credit" are not directions, but kinds of cards, accounts or payments. */
const otherKinds =
  /payment (type|mode)|tender|paid (by|with)|zahl(ungs)?(art|weise)|(forma|medio) de pag|(mode|moyen) de paiement|modalit. di pagamento|betaalwijze|card|kart[aey]|kort|carte|tarjeta|carta|funding|method|account|konto|cuenta|conta\b|compte/;

/**
 * Returns the direction column; undefined if there is none. If some amount has a sign, the column must contradict at least one sign.
 *
 * @param signs the signs of the amounts, in the order of the cells
 */
function findDirectionColumn<Column extends NumberColumn>(
  columns: readonly Column[],
  signs: readonly (AmountSign | undefined)[],
): Column | undefined {
  if (signs.includes('minus') || signs.includes('plus'))
    return columns.find(({ cells }) => contradictsSigns(cells, signs));
  const unknownPairs = columns.filter(isPairOfCodes);
  return columns.find(isDirection) ?? (unknownPairs.length === 1 ? unknownPairs[0] : undefined);
}

/**
 * Returns whether at least half of the cells are direction words, both directions occur, and a word contradicts the sign of the amount in
 * its row. An amount without a sign counts as an income. A single character is not accepted as a word, because a dash may mean an empty
 * cell.
 */
function contradictsSigns(cells: readonly string[], signs: readonly (AmountSign | undefined)[]): boolean {
  const codes = directionCodes([], []);
  const directions = cells.map((cell) => (/\p{L}{2}/u.test(cell) ? readDirectionCode(cell, codes) : undefined));
  return (
    directions.includes('expense') &&
    directions.includes('income') &&
    directions.filter((direction) => direction !== undefined).length >= cells.length / 2 &&
    signs.some((sign, row) => sign !== undefined && (sign === 'minus') !== (directions[row] === 'expense'))
  );
}

function isDirection({ header, cells }: { header: string; cells: readonly string[] }): boolean {
  const common = directionCodes([], []);
  const codes = resolveAmbiguousLetters(new Set(cells.map(canonicalCode)), { header, codes: common }) ?? common;
  return cells.every((cell) => readDirectionCode(cell, codes) !== undefined);
}

/** Returns whether a column has exactly two different values, each of one or two letters. */
function isPairOfCodes({ cells }: { readonly cells: readonly string[] }): boolean {
  const codes = new Set(cells.map(canonicalCode));
  return codes.size === 2 && [...codes].every((code) => /^\p{L}{1,2}$/u.test(code));
}

/**
 * Returns whether the amount column is known, or at least one of the debit and credit columns. If an option names only one of these
 * two columns, the file does not have the other.
 */
function hasAmount({ amount, debit, credit }: Partial<CsvColumns>): boolean {
  return amount !== undefined || debit !== undefined || credit !== undefined;
}

/** Returns whether all filled cells are amounts, and some amount has two decimal places. Numbers of cheques and accounts have none. */
function isMoney(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return filled.every(isAmountCell) && filled.some((cell) => /\d[.,]\d{2}(?!\d)/.test(cell));
}

function areNumbers(cells: readonly string[]): boolean {
  return (
    cells.every((cell) => cell === '' || (isAmountCell(cell) && !isDateCell(cell))) && cells.some((cell) => cell !== '')
  );
}

/** Returns the column of texts with the largest number of distinct cells. A column of codes or kinds of transactions has fewer. */
function findVariedText(columns: readonly { header: string; cells: readonly string[] }[]): string | undefined {
  const variety = ({ cells }: { cells: readonly string[] }) => new Set(cells).size;
  const texts = columns.filter((column) => lettersOf(column) >= lettersOfTextMin * column.cells.length);
  const most = Math.max(...texts.map(variety));
  return findLongestText(texts.filter((column) => variety(column) === most));
}

/** The minimum average number of letters per row in a column of texts with an unknown header. Short codes and numbers have fewer. */
const lettersOfTextMin = 3;

/**
 * Returns the column with the longest texts of a file without headers. A column with few distinct cells, such as the name of the bank or
 * kinds of transactions, is returned only if no other column has texts.
 */
function findTextWithoutHeaders(columns: readonly { header: string; cells: readonly string[] }[]): string | undefined {
  const texts = columns.filter((column) => lettersOf(column) >= lettersOfTextMin * column.cells.length);
  const variety = ({ cells }: { cells: readonly string[] }) => new Set(cells).size;
  const most = Math.max(...texts.map(variety));
  return findLongestText(texts.filter((column) => 2 * variety(column) > most)) ?? findLongestText(columns);
}

function findLongestText(columns: readonly { header: string; cells: readonly string[] }[]): string | undefined {
  const longest = columns.toSorted((one, other) => lettersOf(other) - lettersOf(one))[0];
  return longest !== undefined && lettersOf(longest) > 0 ? longest.header : undefined;
}

function lettersOf({ cells }: { readonly cells: readonly string[] }): number {
  return cells.join('').replace(/[^\p{L}]/gu, '').length;
}
