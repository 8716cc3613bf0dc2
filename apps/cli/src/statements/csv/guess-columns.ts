import { chooseGrossOrNet } from './choose-amount-header.js';
import { type CsvColumnName, type CsvColumns, nameColumns } from './csv-columns.js';
import { type FoundColumnName, headerDictionary } from './header-dictionary.js';
import { headerWords } from './header-words.js';

/**
 * Guesses what the headers of a statement stand for, from the names that banks and aggregators use. What is not
 * obvious is left out: a wrong guess is worse than none, and a person confirms the result or names the columns.
 *
 * @param unwanted columns not to guess, because a flag has said something else about them
 */
export function guessColumns(headers: readonly string[], unwanted: ReadonlySet<CsvColumnName>): Partial<CsvColumns> {
  const { balance: _, ...guess } = findByHeader(headers, unwanted);
  return withOneKindOfAmount(guess);
}

/** The header of the running balance, which nothing is recorded from but which tells how numbers are written. */
export function guessBalanceColumn(headers: readonly string[]): string | undefined {
  return findByHeader(headers, new Set()).balance;
}

/** Whether headers look like those of a statement: a date, and an amount or two. For finding them below a preamble. */
export function looksLikeHeaders(cells: readonly string[]): boolean {
  const { date, amount, debit, credit } = guessColumns(cells, new Set());
  return date !== undefined && (amount !== undefined || (debit !== undefined && credit !== undefined));
}

/** How many cells of a row are headers of a statement: more than one make it likely that the row is the headers. */
export function countKnownHeaders(cells: readonly string[]): number {
  return cells.filter((cell) => allHeaders.has(headerWords(cell))).length;
}

/** Whether a header names a date, be it the one that is read or another. */
export function isDateHeader(header: string): boolean {
  return dateHeaders.has(headerWords(header));
}

const dateHeaders: ReadonlySet<string> = new Set(headerDictionary.date);
const allHeaders: ReadonlySet<string> = new Set(Object.values(headerDictionary).flat());

function findByHeader(
  headers: readonly string[],
  unwanted: ReadonlySet<CsvColumnName>,
): Partial<Record<FoundColumnName, string>> {
  const known = headers.map(headerWords);
  const guess: Partial<Record<FoundColumnName, string>> = {};
  for (const [name, variants] of Object.entries(headerDictionary) as [FoundColumnName, readonly string[]][]) {
    if (unwanted.has(name as CsvColumnName)) continue;
    // The order of the variants decides, not that of the file: "Transaction Date" is a better date than "Posting Date".
    const position = variants.map((variant) => known.indexOf(variant)).find((found) => found !== -1);
    if (position !== undefined) guess[name] = nameColumns(headers)[position] ?? '';
  }
  const amount = chooseGrossOrNet(headers);
  if (guess.amount !== undefined && typeof amount === 'number') guess.amount = nameColumns(headers)[amount] ?? '';
  // One header cannot be two things; Nordic banks write "Valuta" for the currency, German ones for the date.
  if (guess.currency === guess.date) delete guess.currency;
  return guess;
}

function withOneKindOfAmount(guess: Partial<Record<CsvColumnName, string>>): Partial<CsvColumns> {
  const { amount, debit, credit, direction, ...others } = guess;
  // Two columns tell the side by themselves.
  if (debit !== undefined && credit !== undefined) return { ...others, debit, credit };
  const beside = direction === undefined ? others : { ...others, direction };
  return amount === undefined ? beside : { ...beside, amount };
}
