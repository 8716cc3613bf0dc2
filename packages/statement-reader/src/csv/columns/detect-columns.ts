import {
  type AmountSign,
  type DecimalSeparator,
  decimalEvidence,
  findAmountSign,
  parseAmount,
} from '../../values/amounts.js';
import { isAmountCell, isCurrencyCode, isDateCell } from '../rows/cells.js';
import { canonicalCode, directionCodes, readDirectionCode, resolveLetterCodes } from '../signs/direction-codes.js';
import { type CsvColumnName, type CsvColumns, nameColumns } from './columns.js';
import {
  accountAmountHeaders,
  accountCurrencyHeaders,
  type FoundColumnName,
  feeHeaders,
  grossAmountHeaders,
  headerDictionary,
  headerWords,
  namesBalance,
  netAmountHeaders,
  recordKeepingHeaders,
  taxHeaders,
} from './header-names.js';

/**
 * Detects column roles by the headers that banks and aggregators use. Roles that are not obvious are left out, because
 * a wrong guess is worse than no guess. The user confirms the result or names the columns.
 * @param unwanted roles not to detect, because an option decides them
 */
export function detectColumnsByHeader(
  headers: readonly string[],
  unwanted: ReadonlySet<CsvColumnName>,
): Partial<CsvColumns> {
  const { balance: _, ...guess } = findByHeader(headers, unwanted);
  return withOneKindOfAmount(guess);
}

/** Returns whether a row has a header for the date, and headers for the amount or for debit and credit. */
export function looksLikeHeaders(cells: readonly string[]): boolean {
  const { date, amount, debit, credit } = detectColumnsByHeader(cells, new Set());
  return date !== undefined && (amount !== undefined || (debit !== undefined && credit !== undefined));
}

/** Returns how many cells of a row are known headers. A row with several known headers is probably the header row. */
export function countKnownHeaders(cells: readonly string[]): number {
  return cells.filter((cell) => allHeaders.has(headerWords(cell))).length;
}

/** Returns whether a header names any kind of date. */
export function isDateHeader(header: string): boolean {
  return dateHeaders.has(headerWords(header));
}

const dateHeaders: ReadonlySet<string> = new Set(headerDictionary.date);
const allHeaders: ReadonlySet<string> = new Set(Object.values(headerDictionary).flat());

/** Returns the header of each role that a header names. */
export function findByHeader(
  headers: readonly string[],
  unwanted: ReadonlySet<CsvColumnName>,
): Partial<Record<FoundColumnName, string>> {
  const known = headers.map(headerWords);
  const guess: Partial<Record<FoundColumnName, string>> = {};
  for (const [name, variants] of Object.entries(headerDictionary) as [FoundColumnName, readonly string[]][]) {
    if (unwanted.has(name as CsvColumnName)) continue;
    // The order in the dictionary decides, not the order in the file: "Transaction Date" wins over "Posting Date".
    const position = variants.map((variant) => known.indexOf(variant)).find((found) => found !== -1);
    if (position !== undefined) guess[name] = nameColumns(headers)[position] ?? '';
  }
  const amount = chooseGrossOrNet(headers);
  if (guess.amount !== undefined && typeof amount === 'number') guess.amount = nameColumns(headers)[amount] ?? '';
  const [accountAmount, accountCurrency] = [accountAmountHeaders, accountCurrencyHeaders].map((words) =>
    known.findIndex((header) => words.has(header)),
  ) as [number, number];
  // The amount in the account currency needs the account currency, not the currency of the operation.
  if (guess.amount === nameColumns(headers)[accountAmount] && accountCurrency !== -1 && !unwanted.has('currency')) {
    guess.currency = nameColumns(headers)[accountCurrency] ?? '';
  }
  // A header has only one role. "Valuta" means the currency at Nordic banks and the date at German banks.
  if (guess.currency === guess.date) delete guess.currency;
  return guess;
}

function withOneKindOfAmount(guess: Partial<Record<CsvColumnName, string>>): Partial<CsvColumns> {
  const { amount, debit, credit, direction, ...others } = guess;
  // Debit and credit columns need no direction column.
  if (debit !== undefined && credit !== undefined) return { ...others, debit, credit };
  const beside = direction === undefined ? others : { ...others, direction };
  return amount === undefined ? beside : { ...beside, amount };
}

/**
 * Returns the position, from 0, of the amount in a file that has both a gross and a net amount. If there is a tax column,
 * the user paid the gross amount. If there is a fee column, the account received or paid the net amount. If there are
 * both columns or neither, only the user can decide: `unclear`.
 * @returns undefined if the headers do not require this choice
 */
export function chooseGrossOrNet(headers: readonly string[]): number | 'unclear' | undefined {
  const known = headers.map(headerWords);
  const has = (words: ReadonlySet<string>) => known.some((header) => words.has(header));
  const [gross, net] = [grossAmountHeaders, netAmountHeaders].map((words) =>
    known.findIndex((header) => words.has(header)),
  ) as [number, number];
  const [hasTax, hasFee] = [has(taxHeaders), has(feeHeaders)];
  if (net === -1) return hasTax && !hasFee && gross !== -1 ? gross : undefined;
  if (hasTax) return hasFee || gross === -1 ? 'unclear' : gross;
  if (hasFee) return net;
  return gross === -1 ? undefined : 'unclear';
}

/**
 * Detects, from the first rows of a file, the roles of columns whose headers are unknown. A column is the date if all its
 * cells are dates. A column is the amount if it is the only column of amounts, or if it explains the running balance. A
 * column whose header names a balance is not the amount if another column has numbers.
 * Amounts without a sign need a direction column. All cells of this column are direction codes, or it is the only column
 * with exactly two short codes. Amounts with signs have a direction column only if its words contradict some signs.
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
  const date = dates.find(({ header }) => !recordKeepingHeaders.has(headerWords(header)));
  if (file.known.date === undefined && date !== undefined) guess.date = date.header;
  const numbers = free.filter((column) => !dates.includes(column) && isMoney(column.cells));
  if (!hasAmount(file.known)) {
    const amounts = findAmountColumns(numbers satisfies readonly NumberColumn[]);
    const others = columns.filter(({ header }) => !Object.values(amounts).includes(header));
    const isUnclear =
      Object.values(amounts).some(namesBalance) &&
      others.some((column) => !dates.includes(column) && areNumbers(column.cells));
    if (!isUnclear) Object.assign(guess, amounts);
  }

  const amountHeader = file.known.amount ?? guess.amount;
  const amount = columns.find(({ header }) => header === amountHeader);
  if (amount !== undefined && file.known.direction === undefined && !file.unwanted.has('direction')) {
    const direction = findDirectionColumn(
      free.filter(({ header }) => !otherKinds.test(headerWords(header))),
      amount.cells.map(findAmountSign),
    );
    if (direction !== undefined) guess.direction = direction.header;
  }
  if (file.known.currency === undefined && !file.unwanted.has('currency')) {
    const [currency, ...others] = free.filter(({ isNamed, cells }) => !isNamed && cells.every(isCurrencyCode));
    if (currency !== undefined && others.length === 0) guess.currency = currency.header;
  }
  const hasNoHeaders = columns.every(({ isNamed }) => !isNamed);
  if (hasNoHeaders && file.known.description === undefined && !file.unwanted.has('description')) {
    const { currency: _, ...others } = guess;
    // If the currency column is the only text, it is also the description, so that rows keep the keys of earlier imports.
    const used = new Set(Object.values(others));
    const text = findLongestText(free.filter(({ header }) => !used.has(header)));
    if (text !== undefined) guess.description = text;
  }
  return guess;
}

/** Headers of columns in which "debit" and "credit" are not directions, but kinds of cards, accounts or payments. */
const otherKinds = /card|kart[aey]|kort|carte|tarjeta|carta|funding|method|account|konto|cuenta|conta\b|compte/;

/** Returns the column that shows the direction of amounts with these signs; undefined if no column or only the signs show it. */
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
 * Returns whether all cells are words of a direction, both directions occur, and a word contradicts the sign of its amount.
 * Single characters do not count as words, because a dash may mean an empty cell.
 */
function contradictsSigns(cells: readonly string[], signs: readonly (AmountSign | undefined)[]): boolean {
  const codes = directionCodes([], []);
  const directions = cells.map((cell) => (/\p{L}{2}/u.test(cell) ? readDirectionCode(cell, codes) : undefined));
  return (
    directions.includes('expense') &&
    directions.includes('income') &&
    !directions.includes(undefined) &&
    signs.some((sign, row) => sign !== undefined && (sign === 'minus') !== (directions[row] === 'expense'))
  );
}

function isDirection({ header, cells }: { header: string; cells: readonly string[] }): boolean {
  const common = directionCodes([], []);
  const codes = resolveLetterCodes(new Set(cells.map(canonicalCode)), { header, codes: common }) ?? common;
  return cells.every((cell) => readDirectionCode(cell, codes) !== undefined);
}

/** Returns whether a column has exactly two codes of one or two letters. */
function isPairOfCodes({ cells }: { readonly cells: readonly string[] }): boolean {
  const codes = new Set(cells.map(canonicalCode));
  return codes.size === 2 && [...codes].every((code) => /^\p{L}{1,2}$/u.test(code));
}

/**
 * Returns whether the amount is known. One of debit and credit is enough: an option for only one means that the other
 * does not exist.
 */
function hasAmount({ amount, debit, credit }: Partial<CsvColumns>): boolean {
  return amount !== undefined || debit !== undefined || credit !== undefined;
}

/** Returns whether all filled cells are amounts, and at least one amount has decimals: check and account numbers have none. */
function isMoney(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return filled.every(isAmountCell) && filled.some((cell) => /\d[.,]\d{2}(?!\d)/.test(cell));
}

function areNumbers(cells: readonly string[]): boolean {
  return (
    cells.every((cell) => cell === '' || (isAmountCell(cell) && !isDateCell(cell))) && cells.some((cell) => cell !== '')
  );
}

function findLongestText(columns: readonly { header: string; cells: readonly string[] }[]): string | undefined {
  const letters = ({ cells }: { cells: readonly string[] }) => cells.join('').replace(/[^\p{L}]/gu, '').length;
  const longest = columns.toSorted((one, other) => letters(other) - letters(one))[0];
  return longest !== undefined && letters(longest) > 0 ? longest.header : undefined;
}

/** A column in which every cell is an amount or empty, in the order of the file. */
export interface NumberColumn {
  readonly header: string;
  readonly cells: readonly string[];
}

/**
 * Returns which of several columns of numbers are amounts. A single column is the amount. If there are several, the
 * amount is the column that explains a balance column. Otherwise two columns are debit and credit if each row fills
 * exactly one of them and their difference explains a balance column. If no rule applies, the result is empty.
 */
export function findAmountColumns(columns: readonly NumberColumn[]): Pick<CsvColumns, 'amount' | 'debit' | 'credit'> {
  const [only, ...others] = columns;
  if (only === undefined) return {};
  if (others.length === 0) return only.cells.includes('') ? {} : { amount: only.header };
  // If a file has columns for the balance before, the amount and the balance after, the amount is most likely to be
  // negative. So columns with negative numbers are tried first.
  const numbers = columns
    .map(({ header, cells }) => ({ header, values: cells.map(readValue) }))
    .toSorted((one, other) => countNegative(other.values) - countNegative(one.values));
  for (const amount of numbers) {
    const balances = numbers.filter((column) => column !== amount);
    if (explainsBalance(amount.values, balances)) return { amount: amount.header };
  }
  for (const amount of numbers) {
    const balances = numbers.filter((column) => column !== amount);
    if (explainsBalanceBefore(amount.values, balances)) return { amount: amount.header };
  }
  for (const debit of numbers) {
    for (const credit of numbers) {
      if (debit === credit) continue;
      const isEither = debit.values.every((value, row) => isFilled(value) !== isFilled(credit.values[row]));
      // Some banks write debits with a minus.
      const moves = debit.values.map((value, row) => (credit.values[row] ?? 0n) - absolute(value ?? 0n));
      const balances = numbers.filter((column) => column !== debit && column !== credit);
      if (isEither && explainsBalance(moves, balances)) return { debit: debit.header, credit: credit.header };
    }
  }
  return {};
}

/** Returns whether a cell has an amount. Some banks write a zero instead of an empty cell. */
function isFilled(value: bigint | undefined): boolean {
  return value !== undefined && value !== 0n;
}

type Values = readonly (bigint | undefined)[];

/**
 * Returns whether these amounts explain a balance column. The balance may change from row to row, downwards or upwards,
 * or within each row, from one balance column to another.
 */
export function explainsBalance(moves: Values, balances: readonly { readonly values: Values }[]): boolean {
  if (moves.some((move) => move === undefined)) return false;
  const agrees = (before: bigint | undefined, after: bigint | undefined, move: bigint | undefined) =>
    before !== undefined && after !== undefined && move !== undefined && before + move === after;
  return balances.some(({ values }) => {
    const rows = values.slice(1);
    const down = rows.every((value, row) => agrees(values[row], value, moves[row + 1]));
    const up = rows.every((value, row) => agrees(value, values[row], moves[row]));
    const across = balances.some((end) => values.every((value, row) => agrees(value, end.values[row], moves[row])));
    return (rows.length > 1 && (down || up)) || (moves.length > 0 && across && moves.some((move) => move !== 0n));
  });
}

/**
 * Returns whether each balance plus the amount of its row is the balance of the next or the previous row. If no amount has
 * a minus, this proves nothing: the amounts may be expenses, in a file with the balance after each row.
 */
function explainsBalanceBefore(moves: Values, balances: readonly { readonly values: Values }[]): boolean {
  if (moves.includes(undefined) || countNegative(moves) === 0) return false;
  return balances.some(({ values }) => {
    const after = values.map((value, row) => (value === undefined ? undefined : value + (moves[row] ?? 0n)));
    const isDown = values.slice(1).every((value, row) => value !== undefined && value === after[row]);
    const isUp = values.slice(0, -1).every((value, row) => value !== undefined && value === after[row + 1]);
    return values.length > 2 && (isDown || isUp);
  });
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function countNegative(values: Values): number {
  return values.filter((value) => value !== undefined && value < 0n).length;
}

/** Returns the amount of a cell in ten-thousandths; undefined if the cell has no amount. */
export function readValue(cell: string): bigint | undefined {
  const separator: DecimalSeparator = decimalEvidence(cell) === ',' ? ',' : '.';
  const parsed = parseAmount(cell, separator);
  if (parsed === undefined) return undefined;
  const [whole = '0', fraction = ''] = parsed.amountDecimal.split('.');
  const value = BigInt(whole + fraction.slice(0, 4).padEnd(4, '0'));
  return parsed.sign === 'minus' ? -value : value;
}
