import { StatementError } from '../../statement-error.js';
import { currenciesOfName } from '../../values/currency-names.js';
import { currenciesOfSymbol } from '../../values/currency-symbols.js';
import {
  cellsDiffer,
  findRepeatedColumns,
  isAmountCell,
  isCurrencyCode,
  looksLikeTransaction,
} from '../table/cells.js';
import { type CsvColumns, findHeaderCurrency, nameColumns, requirePositions } from '../table/columns.js';
import { namesFee } from '../table/fee-headers.js';
import { accountCurrencyHeaders, headerNamesBalance, headerWords } from '../table/header-names.js';
import { namesCurrency, namesFeeCurrency } from './currency-headers.js';

interface FileHead {
  readonly headers: readonly string[];
  /** The first rows below the headers. */
  readonly rows: readonly (readonly string[])[];
}

/** The positions, from 0, of the currency columns of the debit and the credit column. */
export type SideCurrencies = Readonly<Partial<Record<'debit' | 'credit', number>>>;

/** Returns the header of the currency column that is named like the amount column: `Billing Currency` for `Billing Amount`. */
export function findCurrencyOfAmount({ amount }: Partial<CsvColumns>, headers: readonly string[]): string | undefined {
  const position = amount === undefined ? undefined : findCurrencyPosition(amount, headers);
  return position === undefined ? undefined : nameColumns(headers)[position];
}

/**
 * Returns the positions of the currency columns named like the debit and the credit column: `DEBIT CURRENCY` for `DEBIT` or `DEBIT AMOUNT`.
 */
export function findSideCurrencies(columns: Partial<CsvColumns>, headers: readonly string[]): SideCurrencies {
  const sides = (['debit', 'credit'] as const).map((side) => {
    const header = columns[side];
    return [side, header === undefined ? undefined : findCurrencyPosition(header, headers)] as const;
  });
  return Object.fromEntries(sides.filter(([, position]) => position !== undefined));
}

/**
 * Returns the position of the currency column that is named like a column of amounts. A remark in parentheses is ignored if no currency
 * column has it too: `Source currency` is named like `Source amount (after fees)`.
 */
export function findCurrencyPosition(amountHeader: string, headers: readonly string[]): number | undefined {
  const { amount: position = -1 } = requirePositions({ amount: amountHeader }, headers);
  const header = headers[position] ?? '';
  const withoutRemark = header.replace(/\s*[([][^()[\]]*[)\]]/g, (remark) => (namesCurrency(remark) ? remark : ''));
  for (const name of new Set([header, withoutRemark].map(headerWords))) {
    const currencyName = name
      .replace(/\bamount\b/, 'currency')
      .replace(/betrag\b/, 'wahrung')
      .replace(/^סכום /, 'מטבע ');
    const names = currencyName === name ? [`${name} currency`, `currency ${name}`] : [currencyName];
    const found = headers.findIndex((other) => names.includes(headerWords(other)));
    if (found !== -1) return found;
  }
  return undefined;
}

/**
 * Returns the name of the currency column directly next to an amount column that an option names. If there are currency columns on both
 * sides, the right one is used, unless only the left one shares a word with the amount: `Pay currency` and `Pay amount`. A column
 * whose header names another currency is ignored, such as `Original Currency` or `Fee currency` beside `Amount`. Returns undefined if no
 * currency column remains.
 */
export function findCurrencyBesideNamedAmount(amountHeader: string, { headers, rows }: FileHead): string | undefined {
  const { amount = -1 } = requirePositions({ amount: amountHeader }, headers);
  const transactions = rows.filter(looksLikeTransaction);
  const words = headerWords(headers[amount] ?? '').split(' ');
  const sharesWord = (position: number) =>
    headerWords(headers[position] ?? '')
      .split(' ')
      .some((word) => words.includes(word));
  const beside = [amount + 1, amount - 1].filter((position) => {
    const header = headers[position] ?? '';
    const isOther = otherCurrency.test(headerWords(header)) && !otherCurrency.test(words.join(' '));
    const cells = transactions.map((row) => row[position]?.trim() ?? '');
    return areCodes(cells, isCurrency) && !isOther && !namesFeeCurrency(header);
  });
  const position = beside.find(sharesWord) ?? beside[0];
  return position === undefined ? undefined : nameColumns(headers)[position];
}

/**
 * Returns the name of the currency column, whose header has been guessed. If all of these are true, the currency column is the column
 * directly to the right of the amount, and its name is its position, such as `column 3`:
 *
 * - The column directly to the right of the amount has the guessed header. The column directly to the left does not have it.
 * - Another column with the guessed header has different cells.
 * - No other column has the header of the amount.
 *
 * If not, the name is the guessed header.
 *
 * @param file.currency the guessed header
 */
export function findCurrencyBesideAmount({
  columns: { amount },
  currency,
  headers,
  rows,
}: FileHead & { readonly columns: Partial<CsvColumns>; readonly currency: string }): string {
  const [repeated] = findRepeatedColumns({ currency }, headers);
  if (amount === undefined || repeated === undefined || findRepeatedColumns({ amount }, headers).length > 0) {
    return currency;
  }
  const { amount: position = 0 } = requirePositions({ amount }, headers);
  const isBeside = repeated.positions.includes(position + 1) && !repeated.positions.includes(position - 1);
  return isBeside && rows.some((cells) => cellsDiffer(cells, repeated)) ? `column ${position + 2}` : currency;
}

/**
 * Returns whether the guessed currency column seems to belong to another column of amounts, because it is next to such a column, and not
 * next to the amount. The caller then uses the currency that the header of the amount names. Returns false if that header names no
 * currency code.
 */
export function isCurrencyOfOtherAmount(columns: Partial<CsvColumns>, { headers, rows }: FileHead): boolean {
  const positions = requirePositions(columns, headers);
  const { amount, currency } = positions;
  if (amount === undefined || currency === undefined || Math.abs(amount - currency) === 1) return false;
  const taken = new Set(Object.values(positions));
  const transactions = rows.filter(looksLikeTransaction);
  const isOtherAmount = (position: number) => {
    const header = headers[position] ?? '';
    const cells = transactions.map((row) => row[position]?.trim() ?? '');
    const isNamedOther = namesFee(header) || headerNamesBalance(header);
    // Numbers without decimal places may be reference numbers, and not amounts.
    return !taken.has(position) && !isNamedOther && areAmounts(cells) && cells.some((cell) => /\d[.,]\d/.test(cell));
  };
  return (
    findHeaderCurrency(headers[amount] ?? '')?.code !== undefined && [currency - 1, currency + 1].some(isOtherAmount)
  );
}

/**
 * Finds the currency column by its cells, if no known header names it. The currency column is a column that is not already used for
 * something else. At least half of its cells are filled, all with codes, symbols or names of currencies. A column next to the amount
 * wins over others. A column without a header must be next to the amount, and have only codes. These columns are ignored:
 *
 * - a column whose header says that it is not the currency of the account, such as `Original Currency` or `Fee currency`
 * - a column that is not next to the amount, but next to other amounts or to a column such as `Original Currency`
 *
 * If no column remains, a column next to the balance is used, because the balance has the same currency as the amounts. This column must
 * not also be next to other amounts. If there is no such column either, a column with a header such as `Account Currency` is used.
 *
 * @param columns the columns that are already known
 * @returns undefined if there is no such column
 * @throws StatementError if several columns could be the currency column, and their cells differ
 */
export function findColumnOfCodes(columns: Partial<CsvColumns>, { headers, rows }: FileHead): string | undefined {
  const transactions = rows.filter(looksLikeTransaction);
  const positions = requirePositions(columns, headers);
  const taken = new Set(Object.values(positions));
  const amounts = [positions.amount, positions.debit, positions.credit].filter((position) => position !== undefined);
  const cellsOf = (position: number) => transactions.map((cells) => cells[position]?.trim() ?? '');
  const isBesideAmount = (position: number) => amounts.some((amount) => Math.abs(amount - position) === 1);
  const isBalance = (position: number) => headerNamesBalance(headers[position] ?? '');
  const besideOthers = (position: number) =>
    [position - 1, position + 1].filter(
      (other) =>
        !taken.has(other) && (areAmounts(cellsOf(other)) || otherCurrency.test(headerWords(headers[other] ?? ''))),
    );
  const columnsOfCodes = headers.flatMap((header, position) => {
    const isNamed = header.trim() !== '';
    const isCandidate =
      !taken.has(position) &&
      (isNamed || isBesideAmount(position)) &&
      areCodes(cellsOf(position), isNamed ? isCurrency : isCurrencyCode) &&
      !otherCurrency.test(headerWords(header)) &&
      !namesFeeCurrency(header);
    return isCandidate ? [position] : [];
  });
  const ofAmount = columnsOfCodes.filter((position) => isBesideAmount(position) || besideOthers(position).length === 0);
  const found =
    ofAmount.length > 0 ? ofAmount : columnsOfCodes.filter((position) => besideOthers(position).every(isBalance));
  const beside = found.filter(isBesideAmount);
  const [first, ...others] = beside.length === 0 ? found : beside;
  const names = nameColumns(headers);
  if (first === undefined) return names[headers.findIndex((header) => accountCurrencyHeaders.has(headerWords(header)))];
  if (others.some((position) => cellsOf(position).join() !== cellsOf(first).join())) {
    const candidates = [first, ...others].map((position) => `"${names[position] ?? ''}"`).join(', ');
    throw new StatementError(
      `It is not clear which column has the currency of the amounts: ${candidates}.`,
      'Name it with --currency-column, or use --currency-column "" if all amounts are in the currency of the account.',
    );
  }
  return names[first];
}

/** Matches headers that name the currency, amount or country of a payment, merchant or exchange, not of the account. */
const otherCurrency =
  /original|\borig\b|origine|foreign|fremd|ursprung|exchange|\bsource\b|\btarget\b|\bquote\b|\bcounter|destination|destino|handel|\bkauf|purchase|\blocal\b|merchant|\boperaci|operazione|opération|операци|country|land$/;

/** Returns whether at least half of the cells are filled, and all filled cells are currencies. */
function areCodes(cells: readonly string[], isCode: (cell: string) => boolean): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length > 0 && 2 * filled.length >= cells.length && filled.every(isCode);
}

/** Returns whether a cell is the code, a symbol or a name of a currency. Other abbreviations and numbers do not count. */
function isCurrency(cell: string): boolean {
  if (isCurrencyCode(cell.toUpperCase())) return true;
  return /\p{Sc}/u.test(cell)
    ? currenciesOfSymbol(cell) !== undefined
    : /\D/.test(cell) && currenciesOfName(cell) !== undefined;
}

function areAmounts(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length > 0 && filled.every(isAmountCell);
}
