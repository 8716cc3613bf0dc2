import { beginsAsTotal, isBalanceText } from './balance-words.js';
import type { ColumnPositions } from './csv-columns.js';
import { isPendingWord } from './status-words.js';

/**
 * What a record below the headers is. A `row` is, or may be, a transaction, and something is told about each; a
 * `continuation` has only more text of the row above it; an `aside` can be no transaction: a blank record, a total, a
 * balance, a sentence, the headers once more.
 *
 * The question is asked without a date format, so that the survey, which has yet to find it, and the reading give the
 * same answer. In doubt a record is a `row`: one that is then not readable fails by its line, which is better than
 * money that nobody hears of.
 */
export type RecordKind = 'row' | 'continuation' | 'aside' | 'blank';

/** Makes the judge of one file's records. */
export function recordJudge(file: {
  readonly headers: readonly string[];
  readonly positions: ColumnPositions;
}): (cells: readonly string[]) => RecordKind {
  const { headers, positions } = file;
  const headerLine = headers.map((header) => header.trim()).join('\n');
  const amountPositions = [positions.amount, positions.debit, positions.credit].filter((place) => place !== undefined);
  const textPositions = [positions.description, positions.merchant].filter((place) => place !== undefined);
  const datePosition = positions.date ?? -1;
  return (cells) => {
    const dateCell = cells[datePosition]?.trim() ?? '';
    const hasAmount = amountPositions.some((place) => /\d/.test(cells[place] ?? ''));
    // Nearly every record ends here.
    if (/\d/.test(dateCell) && hasAmount) return 'row';
    const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    const [first] = filled;
    if (first === undefined) return 'blank';
    if (cells.map((cell) => cell.trim()).join('\n') === headerLine) return 'aside';
    if (isPendingWord(dateCell)) return 'row';
    const namesBalance = filled.some(isBalanceText);
    if (/\d/.test(dateCell)) return namesBalance && filled.length > 1 && !hasAmount ? 'aside' : judgeDated(filled);
    if (beginsAsTotal(first) || isBalanceText(first)) return 'aside';
    if (hasAmount) return 'row';
    const isText = textPositions.some((place) => (cells[place]?.trim() ?? '') !== '');
    if (dateCell === '' && isText && filled.length <= textPositions.length) return 'continuation';
    return filled.some(looksLikeDate) ? 'row' : 'aside';
  };
}

/** A sentence with a year in it is a note, whereas a dated record of several cells lacks its amount and has to be told. */
function judgeDated(filled: readonly string[]): RecordKind {
  return filled.length > 1 || looksLikeDate(filled[0] ?? '') ? 'row' : 'aside';
}

/** Whether a whole cell is a date, in whatever format. */
function looksLikeDate(cell: string): boolean {
  return /^(\d{1,4}[./-]\s?(\d{1,2}|\p{L}{3,})[./-]\s?\d{2,4}\.?|(19|20)\d{6}|\d{1,2}\.? \p{L}{3,}\.? \d{4})(?!\d)/u.test(
    cell,
  );
}
