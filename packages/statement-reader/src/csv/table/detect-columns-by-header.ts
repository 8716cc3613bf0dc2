import { type CsvColumnName, type CsvColumns, nameColumns } from './columns.js';
import { feeHeaders } from './fee-headers.js';
import {
  accountAmountHeaders,
  accountCurrencyHeaders,
  type FoundColumnName,
  grossAmountHeaders,
  headerDictionary,
  headerWords,
  netAmountHeaders,
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

/** Returns whether a row has a header for the date, and either a header for the amount or headers for both debit and credit. */
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

/** Headers that mean debits in a file with a column of credits. In other files, they may also mean fees or payments with a card. */
const debitsBesideCredits: ReadonlySet<string> = new Set(['charges', 'charge', 'purchases']);

/** Returns, for each role, the header that names it. Roles that no header names are left out. */
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
  const debit = known.findIndex((header) => debitsBesideCredits.has(header));
  if (guess.credit !== undefined && guess.debit === undefined && debit !== -1 && !unwanted.has('debit')) {
    guess.debit = nameColumns(headers)[debit] ?? '';
  }
  const amount = chooseGrossOrNet(headers);
  if (guess.amount !== undefined && typeof amount === 'number') guess.amount = nameColumns(headers)[amount] ?? '';
  const [accountAmount, accountCurrency] = [accountAmountHeaders, accountCurrencyHeaders].map((words) =>
    known.findIndex((header) => words.has(header)),
  ) as [number, number];
  // If the amounts are in the currency of the account, the column with this currency is used, not one with the currency of the payment.
  if (guess.amount === nameColumns(headers)[accountAmount] && accountCurrency !== -1 && !unwanted.has('currency')) {
    guess.currency = nameColumns(headers)[accountCurrency] ?? '';
  }
  // "Valuta" is the value date in German files, but the currency in Nordic ones. One column cannot be both, so it is the date here.
  if (guess.currency === guess.date) delete guess.currency;
  return guess;
}

/** Returns the guess with either the debit and credit columns, or the amount column. Drops the other columns of amounts. */
function withOneKindOfAmount(guess: Partial<Record<CsvColumnName, string>>): Partial<CsvColumns> {
  const { amount, debit, credit, direction, ...others } = guess;
  // Debit and credit columns need no direction column.
  if (debit !== undefined && credit !== undefined) return { ...others, debit, credit };
  const beside = direction === undefined ? others : { ...others, direction };
  return amount === undefined ? beside : { ...beside, amount };
}

/**
 * Returns the position, from 0, of the column to use as the amount in a file that has a gross amount, a net amount or both. If there is
 * a tax column, the user paid the gross amount. If there is a fee column, the account received or paid the net amount.
 * Only the user can decide in these cases:
 *
 * - There is a net amount, a tax column and a fee column.
 * - There is a net amount and a tax column, but no gross amount.
 * - There is a gross and a net amount, but neither a tax nor a fee column.
 *
 * @returns `unclear` if only the user can decide; undefined if the headers do not require this choice
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
