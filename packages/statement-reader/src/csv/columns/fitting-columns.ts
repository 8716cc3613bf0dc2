import { findAmountSign } from '../../values/amounts.js';
import { isAmountCell, isDateCell, isPendingStatus, looksLikeTransaction, plainCell } from '../table/cells.js';
import { type CsvColumnName, type CsvColumns, nameColumns } from '../table/columns.js';
import { detectColumnsByHeader } from '../table/detect-columns-by-header.js';
import { headerWords, vagueDirectionHeaders, vagueStatusHeaders } from '../table/header-names.js';

/**
 * Detects column roles by their headers, except roles that the cells of the first rows disprove:
 *
 * - An empty column, or a column of texts that cannot be dates, is not the date. For example, `Valuta` is the value date in German files, but the currency in
 *   Italian ones.
 * - An empty column is not the description, merchant or category if the header of a filled column names the same role. A column with only
 *   placeholders such as `No Description` is treated as empty. A description column with a text in fewer than half of the rows is not used
 *   if another description column has a text in at least half of the rows. If a column such as `Description` has the same text in all rows,
 *   for example the name of the account, and a column `Description 1` has different texts, `Description 1` is used.
 * - A column of amounts or dates below a vague header is not the status. For example, `Stanje` may be a status or a balance.
 * - A column of signed amounts below a header such as `Credit/Debit` is the amount, and not the direction, if no header names an amount.
 *
 * @param file.rows the first rows below the headers
 * @param unwanted roles not to detect
 */
export function detectFittingColumns(
  { headers, rows }: { readonly headers: readonly string[]; readonly rows: readonly (readonly string[])[] },
  unwanted: ReadonlySet<CsvColumnName>,
): Partial<CsvColumns> {
  const guess = detectColumnsByHeader(headers, unwanted);
  const transactions = rows.filter(looksLikeTransaction);
  if (transactions.length === 0) return guess;
  const columns = headers.map((_, position) => transactions.map((cells) => plainCell(cells[position] ?? '')));
  const detectAmong = (fits: (cells: readonly string[]) => boolean) =>
    detectColumnsByHeader(
      headers.map((header, position) => (fits(columns[position] ?? []) ? header : '')),
      unwanted,
    );

  const cellsBelow = (header: string) => columns[nameColumns(headers).indexOf(header)] ?? [];

  const { date } = detectAmong(couldBeDates);
  const { description, merchant, category } = detectAmong((cells) => cells.some(isText));
  const { description: fuller } = detectAmong((cells) => 2 * cells.filter(isText).length >= cells.length);
  const varied = findNumberedVariant(fuller ?? '', { headers, cellsBelow });
  // A column that is not the date may have another role.
  const others = date === guess.date ? guess : detectColumnsByHeader(headers, new Set([...unwanted, 'date']));
  const fitting = {
    ...withFittingStatus(others, cellsBelow),
    ...(date !== undefined && { date }),
    ...((varied ?? fuller ?? description) !== undefined && { description: varied ?? fuller ?? description }),
    ...(merchant !== undefined && { merchant }),
    ...(category !== undefined && { category }),
  };
  const { direction, ...withoutDirection } = fitting;
  if (direction === undefined || fitting.amount !== undefined || unwanted.has('amount')) return fitting;
  const isAmount = !vagueDirectionHeaders.has(headerWords(direction)) && areSignedAmounts(cellsBelow(direction));
  return isAmount ? { ...withoutDirection, amount: direction } : fitting;
}

/** Returns `Description 1` for `Description`, if `Description` has the same text in all rows and `Description 1` has different texts. */
function findNumberedVariant(
  header: string,
  {
    headers,
    cellsBelow,
  }: { readonly headers: readonly string[]; readonly cellsBelow: (header: string) => readonly string[] },
): string | undefined {
  const countTexts = (name: string) => new Set(cellsBelow(name)).size;
  if (countTexts(header) !== 1) return undefined;
  const words = headerWords(header);
  return nameColumns(headers).find(
    (name) => [`${words} 1`, `${words}1`].includes(headerWords(name)) && countTexts(name) > 1,
  );
}

function isText(cell: string): boolean {
  return !placeholder.test(cell);
}

/** Removes the status column if its header is vague, and its cells are only amounts or dates. */
function withFittingStatus(
  guess: Partial<CsvColumns>,
  cellsBelow: (header: string) => readonly string[],
): Partial<CsvColumns> {
  const { status, ...others } = guess;
  if (status === undefined || !vagueStatusHeaders.has(headerWords(status))) return guess;
  return cellsBelow(status).every((cell) => cell === '' || isAmountCell(cell) || isDateCell(cell)) ? others : guess;
}

/** Matches an empty cell, or a placeholder that some banks write instead. */
const placeholder = /^(|no description|n\/a|-+)$/i;

/** Returns whether some cell may be a date, or a status such as `Pending` in place of a date. */
function couldBeDates(cells: readonly string[]): boolean {
  return cells.some((cell) => cell !== '' && (/\p{Nd}/u.test(cell) || isPendingStatus(cell)));
}

/** Returns whether all filled cells are amounts, and some have a minus. */
function areSignedAmounts(cells: readonly string[]): boolean {
  return (
    cells.every((cell) => cell === '' || isAmountCell(cell)) && cells.some((cell) => findAmountSign(cell) === 'minus')
  );
}
