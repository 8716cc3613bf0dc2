import { isAmountCell, isDateCell } from './cell-kinds.js';
import { type CsvColumnName, type CsvColumns, nameColumns } from './csv-columns.js';
import { canonicalWord, directionWords, readDirectionWord } from './direction-words.js';
import { recordKeepingHeaders } from './header-dictionary.js';
import { headerWords } from './header-words.js';
import { findMovingColumns, type NumberColumn } from './moving-columns.js';
import { findAmountMark } from './parse-amount.js';
import { explainLetters } from './side-letters.js';

/**
 * Guesses, from the first rows of a file, those columns whose headers say nothing: a date is where all cells are dates;
 * an amount is the one column of amounts, or the one that a running balance follows from; words of a direction tell
 * the side of amounts without a sign. What more than one column could be is left out.
 *
 * @param file.rows the first rows below the headers
 * @param file.known what flags and headers have said
 * @param file.unwanted columns not to guess
 */
export function guessByContent(file: {
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
  }));
  const free = columns.filter(({ isFree }) => isFree);
  const guess: Partial<Record<CsvColumnName, string>> = {};
  const dates = free.filter(({ cells }) => cells.every(isDateCell));
  const date = dates.find(({ header }) => !recordKeepingHeaders.has(headerWords(header)));
  if (file.known.date === undefined && date !== undefined) guess.date = date.header;
  const numbers = free.filter((column) => !dates.includes(column) && isMoney(column.cells));
  if (!hasAmount(file.known)) Object.assign(guess, findMovingColumns(numbers satisfies readonly NumberColumn[]));

  const amount = columns.find(({ header }) => header === (file.known.amount ?? guess.amount));
  const isUnsigned = amount?.cells.every((cell) => !['minus', 'plus'].includes(findAmountMark(cell) ?? 'bare'));
  if (isUnsigned === true && file.known.direction === undefined && !file.unwanted.has('direction')) {
    const direction = free.find(isDirection);
    if (direction !== undefined) guess.direction = direction.header;
  }
  const isNameless = file.headers.every((header) => header.trim() === '');
  if (isNameless && file.known.description === undefined && !file.unwanted.has('description')) {
    const used = new Set(Object.values(guess));
    const text = findLongestText(free.filter(({ header }) => !used.has(header)));
    if (text !== undefined) guess.description = text;
  }
  return guess;
}

function isDirection({ header, cells }: { header: string; cells: readonly string[] }): boolean {
  const common = directionWords([], []);
  const words = explainLetters(new Set(cells.map(canonicalWord)), { header, words: common }) ?? common;
  return cells.every((cell) => readDirectionWord(cell, words) !== undefined);
}

function hasAmount(known: Partial<CsvColumns>): boolean {
  return known.amount !== undefined || (known.debit !== undefined && known.credit !== undefined);
}

/** Amounts only, with decimals somewhere: numbers of cheques and accounts have none. */
function isMoney(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return filled.every(isAmountCell) && filled.some((cell) => /\d[.,]\d{2}(?!\d)/.test(cell));
}

function findLongestText(columns: readonly { header: string; cells: readonly string[] }[]): string | undefined {
  const letters = ({ cells }: { cells: readonly string[] }) => cells.join('').replace(/[^\p{L}]/gu, '').length;
  const longest = columns.toSorted((one, other) => letters(other) - letters(one))[0];
  return longest !== undefined && letters(longest) > 0 ? longest.header : undefined;
}
