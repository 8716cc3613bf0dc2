import { findAmountSign } from '../../values/amounts.js';
import { isDateCell, looksLikeTransaction, readStatus } from '../table/cells.js';
import { type CsvColumnName, type CsvColumns, nameColumns } from '../table/columns.js';
import { chooseGrossOrNet, isDateHeader } from '../table/detect-columns-by-header.js';
import {
  bookingDateHeaders,
  creationHeaders,
  headerDictionary,
  headerWords,
  recordKeepingHeaders,
  taxHeaders,
} from '../table/header-names.js';
import { detectFittingColumns } from './fitting-columns.js';

interface FileHead {
  readonly headers: readonly string[];
  /** The first rows below the headers. */
  readonly rows: readonly (readonly string[])[];
}

/**
 * Returns the columns that were guessed by headers, without guesses that the first rows contradict. If the date column has empty cells,
 * another date column may replace it. If every row fills both debit and credit, these columns repeat the totals of the whole file in each
 * row, so an amount column replaces them if there is one.
 */
export function reviseColumns(
  guess: Partial<CsvColumns>,
  file: FileHead & { readonly unwanted: ReadonlySet<CsvColumnName> },
): Partial<CsvColumns> {
  const rows = file.rows.filter(looksLikeTransaction);
  if (rows.length === 0) return guess;
  const amounts = areSumsOfFile(guess, { ...file, rows })
    ? detectFittingColumns(file, new Set([...file.unwanted, 'debit', 'credit'] as const))
    : guess;
  const revised = amounts.amount === undefined ? guess : amounts;
  const final = rows.filter((cells) => isFinal(cells, { headers: file.headers, status: revised.status }));
  const date = revised.date === undefined ? undefined : chooseFilledDate(revised.date, { ...file, rows: final });
  return { ...revised, ...(date !== undefined && { date }) };
}

/** Returns whether the status of a row is final, unknown or missing. */
function isFinal(
  cells: readonly string[],
  { headers, status }: { headers: readonly string[]; status?: string | undefined },
) {
  const kind = status === undefined ? 'final' : readStatus(cells[nameColumns(headers).indexOf(status)] ?? '');
  return kind === 'final' || kind === 'unknown';
}

/** Returns whether each row has both a debit and a credit. Such columns repeat the totals of the whole file in each row. */
function areSumsOfFile({ debit, credit }: Partial<CsvColumns>, { headers, rows }: FileHead): boolean {
  if (debit === undefined || credit === undefined) return false;
  const known = nameColumns(headers);
  const positions = [debit, credit].map((header) => known.indexOf(header));
  return rows.every((cells) => positions.every((position) => findAmountSign(cells[position] ?? '') !== undefined));
}

/**
 * Returns the date column to read. A guessed column with empty cells is replaced by a column of booking dates without empty cells. If there
 * is none, and at least half of the cells of the guessed column are empty, any date column without empty cells replaces it. In all other
 * cases the guessed column is used, because a row without a date may be pending.
 */
function chooseFilledDate(guessed: string, { headers, rows }: FileHead): string {
  const known = nameColumns(headers);
  const isFilled = (header: string, cells: readonly string[]) => (cells[known.indexOf(header)] ?? '').trim() !== '';
  const filledCount = rows.filter((cells) => isFilled(guessed, cells)).length;
  if (filledCount === rows.length) return guessed;
  const order = (header: string) => headerDictionary.date.indexOf(headerWords(header));
  const complete = known
    .filter((header) => isDateHeader(header) && rows.every((cells) => isDateCell(cells[known.indexOf(header)] ?? '')))
    .toSorted((one, other) => order(one) - order(other));
  const booking = complete.find((header) => bookingDateHeaders.has(headerWords(header)));
  return booking ?? (filledCount * 2 <= rows.length ? complete[0] : undefined) ?? guessed;
}

/**
 * Returns the result of {@link chooseGrossOrNet}. If it is `unclear`, decides again without the tax columns that are empty or zero in all
 * rows.
 */
export function chooseFilledGrossOrNet({ headers, rows }: FileHead): number | 'unclear' | undefined {
  const choice = chooseGrossOrNet(headers);
  if (choice !== 'unclear') return choice;
  const isEmptyTax = (header: string, position: number) =>
    taxHeaders.has(headerWords(header)) && rows.every((cells) => findAmountSign(cells[position] ?? '') === undefined);
  return chooseGrossOrNet(headers.map((header, position) => (isEmptyTax(header, position) ? '' : header)));
}

/**
 * Returns the header of the creation date, if all date columns of the file have the times at which a program created, changed or
 * imported records.
 * @returns undefined if the file has another kind of date column, or no column of creation dates without empty cells
 */
export function findOnlyCreation({ headers, rows }: FileHead): string | undefined {
  const transactions = rows.filter(looksLikeTransaction);
  const known = nameColumns(headers);
  const dates = known.filter((_, position) => transactions.some((cells) => isDateCell(cells[position] ?? '')));
  if (!dates.every((header) => recordKeepingHeaders.has(headerWords(header)))) return undefined;
  const isFull = (header: string) => transactions.every((cells) => isDateCell(cells[known.indexOf(header)] ?? ''));
  return dates.find((header) => creationHeaders.has(headerWords(header)) && isFull(header));
}
