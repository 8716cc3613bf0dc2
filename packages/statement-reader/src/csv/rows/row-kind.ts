import { type Period, readPeriod } from '../../values/periods.js';
import type { ColumnPositions, CsvColumnName } from '../columns/columns.js';
import { looksLikeHeaders } from '../columns/detect-columns-by-header.js';
import { namesAmountToPay } from './amounts-to-pay.js';
import {
  isAmbiguousBalance,
  isBalanceText,
  isPlainBalanceText,
  mentionsBalance,
  namesBalance,
} from './balance-names.js';
import { isAmountCell, isDateCell, isPendingStatus, plainCell } from './cells.js';
import { foldText, textMax } from './fold-text.js';
import { beginsAsTotal, isTotalOfPart, mayBeTotal, namesTotal, namesTurnover } from './total-names.js';

/**
 * The kind of a record below the headers. A `row` is or may be a transaction, and is always reported. A `continuation`
 * contains only text that continues the text of the row above it. The other kinds are not transactions. A `note` is a
 * sentence, a title, or a name followed only by amounts.
 *
 * The kind does not depend on the date format. The first pass over the file (`surveyRows`) classifies rows before the format
 * is known, and the later passes must classify them in the same way. In case of doubt, a record is a `row`. A `row`
 * that cannot be read is reported as a failure with its line number, so that no transaction is lost silently.
 */
export type RowKind = 'row' | 'continuation' | 'blank' | 'repeated header' | 'balance' | 'total' | 'note';

/** The headers of a file, and the positions of the columns that the import uses. */
interface KnownColumns {
  readonly headers: readonly string[];
  readonly positions: ColumnPositions;
}

/**
 * Returns the function that classifies the records of one file. Call it for each record, in the order of the file, because the values of a
 * summary are recognized by the names of balances in the record above them.
 */
export function rowClassifier(file: KnownColumns): (cells: readonly string[]) => RowKind {
  const classify = recordClassifier(file);
  const datePosition = file.positions.date ?? -1;
  let isBelowNames = false;
  return (cells) => {
    const kind = classify(cells);
    const isSummary = isBelowNames && areSummaryValues(cells, datePosition);
    isBelowNames = namingKinds.has(kind) && !isSummary && areSummaryNames(cells);
    return isSummary ? 'balance' : kind;
  };
}

/** The kinds of records that may have the names of a summary. */
const namingKinds: ReadonlySet<RowKind> = new Set(['balance', 'total', 'note']);

/**
 * Returns whether a record has the names of a summary, such as `Opening Balance`, `Dr Count` and `Closing Bal` of HDFC. At least one of its
 * cells is the name of a balance, and no cell has a digit.
 */
function areSummaryNames(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return names.length > 1 && names.some(isBalanceText) && !names.some((name) => /\p{Nd}/u.test(name));
}

/** Returns whether a record has several amounts and no other cells, and no date in the date column. */
function areSummaryValues(cells: readonly string[], datePosition: number): boolean {
  const values = cells.filter((cell) => cell.trim() !== '');
  return values.length > 1 && values.every(isAmountCell) && !isDateCell(cells[datePosition] ?? '');
}

/** Returns the function that classifies records without regard to other records. */
function recordClassifier(file: KnownColumns): (cells: readonly string[]) => RowKind {
  const { headers, positions } = file;
  const headerLine = headers.map((header) => header.trim()).join('\n');
  const amountPositions = [positions.amount, positions.debit, positions.credit].filter(
    (position) => position !== undefined,
  );
  const textPositions = [positions.description, positions.merchant].filter((position) => position !== undefined);
  const datePosition = positions.date ?? -1;
  return (cells) => {
    const dateCell = cells[datePosition]?.trim() ?? '';
    const hasAmount = amountPositions.some((position) => /\p{Nd}/u.test(cells[position] ?? ''));
    // The name of a balance, such as "Saldo finale al 28/02/2026", may be in the date column. Such a name begins with a letter.
    const isBalance = /^\p{L}/u.test(dateCell) && isBalanceText(dateCell);
    // The fast path: nearly every record is a row.
    const hasDate = /\p{Nd}/u.test(dateCell);
    if (hasDate && hasAmount && !isBalance) return 'row';
    const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    const [first] = filled;
    if (first === undefined) return 'blank';
    if (cells.map((cell) => cell.trim()).join('\n') === headerLine) return 'repeated header';
    // If several exports are joined into one file, their headers may be in different languages.
    if (!hasDate && !hasAmount && filled.length > 1 && looksLikeHeaders(cells)) return 'repeated header';
    if (isPendingStatus(dateCell)) return filled.length > 1 ? 'row' : 'note';
    const namesBalance = filled.some(isBalanceText);
    const isLabel = !hasAmount && !isBalance && label.test(dateCell) && !filled.some(isAmountCell);
    if (isLabel && !namesBalance) return 'note';
    if (hasDate && !isBalance)
      return namesBalance && filled.length > 1 && !hasAmount ? 'balance' : classifyDated(filled);
    if (isBalance || isBalanceText(first)) return 'balance';
    if (dateCell === '' && namesBalance && filled.every((cell) => isBalanceText(cell) || isAmountCell(cell)))
      return 'balance';
    if (beginsAsTotal(first)) return 'total';
    // If a file has a text column, a record with a name in the date column and only amounts in its other cells is a footer, such as a
    // total in a language that `beginsAsTotal` does not recognize.
    const isName = textPositions.length > 0 && dateCell !== '';
    if (isName && filled.every((cell) => cell === dateCell || isAmountCell(cell))) return 'note';
    if (hasAmount) return 'row';
    const isText = textPositions.some((position) => (cells[position]?.trim() ?? '') !== '');
    if (dateCell === '' && isText && filled.length <= textPositions.length) return 'continuation';
    return filled.some(looksLikeDate) ? 'row' : 'note';
  };
}

/** Matches a cell that begins with a label and a colon, such as `Generated On: 01-May-2026`. */
const label = /^\p{L}[\p{L} ]{2,40}:/u;

/**
 * Returns the kind of a record with a digit in its date column, but without an amount. The record is a note if it has only one filled
 * cell, and this cell does not look like a date. All other such records are rows.
 */
function classifyDated(filled: readonly string[]): RowKind {
  return filled.length > 1 || looksLikeDate(filled[0] ?? '') ? 'row' : 'note';
}

/** Returns whether a cell begins like a date in one of the common formats. */
function looksLikeDate(cell: string): boolean {
  return /^(\d{1,4}[./-]\s?(\d{1,2}|\p{L}{3,})[./-]\s?\d{2,4}\.?|\d{4}:\d{2}:\d{2}|(19|20)\d{6}(\d{6}\[.*\])?|\d{1,2}\.? \p{L}{3,}\.? \d{4})(?!\d)/u.test(
    cell,
  );
}

/**
 * Returns the final kind of a record. A continuation is a note if it does not follow a row or another continuation. All other records
 * keep their kind.
 *
 * @param before the final kind of the record above
 */
export function nextKind(kind: RowKind, before: RowKind): RowKind {
  return kind === 'continuation' && before !== 'row' && before !== 'continuation' ? 'note' : kind;
}

/** The cell that shows that a row is a balance or a total, and not a transaction. */
export interface FoundBalance {
  readonly text: string;
  readonly kind: 'balance' | 'total';
  /**
   * Whether the row is probably not a payment. This is the case if one of these is true:
   * - its only text is the name of a specific balance, such as "Closing Balance";
   * - its only text is a category such as "Food Total";
   * - one of its texts is the name of a turnover (the sum of all debits or credits), or of the total of a month, of a quarter, of all
   *   expenses or of all incomes.
   */
  readonly isPlain: boolean;
}

/** A text that may be the name of a total, and the minimum number of rows whose sum proves it. */
export interface TotalMention {
  readonly text: string;
  readonly rowsMin: 1 | 2;
}

/** Searches rows for the names of balances and totals: in the category, and in all columns that `otherNames` does not list. */
export class BalanceSearch {
  readonly #otherPositions: ReadonlySet<number | undefined>;
  readonly #categoryPosition: number;
  readonly #textPositions: readonly number[];

  /** @param positions the positions of the columns that the import uses */
  constructor(positions: ColumnPositions) {
    this.#otherPositions = new Set(otherNames.map((name) => positions[name]));
    this.#categoryPosition = positions.category ?? -1;
    this.#textPositions = [positions.description, positions.merchant].filter((position) => position !== undefined);
  }

  /**
   * Returns the cell that shows that a row is a balance or a total; undefined if there is none. Banks write the names of balances into any
   * column. A row whose only text is "Total" is a total. If the row has another text, "Total" may be the name of a petrol station.
   *
   * A category shows that the row is a balance if it is the name of a specific balance, such as "Opening Balance". It shows that the row is
   * a total if it begins or ends with the name of a total, such as "Food Total", and the row has no other text.
   *
   * @param isOwn whether Centavo wrote the file; the categories of such a file come from the user and never show a balance or a total
   */
  find(cells: readonly string[], { isOwn = false } = {}): FoundBalance | undefined {
    const texts = this.#textsOf(cells);
    const category = plainCell(cells[this.#categoryPosition] ?? '');
    const found = findBalance(texts, category);
    if (found?.kind === 'balance' || isOwn) return found;
    if (isPlainBalanceText(category)) return { text: category, kind: 'balance', isPlain: texts.length === 0 };
    // A spreadsheet writes subtotals such as "Food Total" into the column by which it groups the rows.
    const isTotal = found === undefined && texts.length === 0 && mayBeTotal(category);
    return isTotal ? { text: category, kind: 'total', isPlain: true } : found;
  }

  /**
   * Returns the first text that mentions a balance. The list of balance names is never complete, so a row with such a
   * text may be a balance. The text may also be the name of a merchant, such as "New Balance".
   */
  findMention(cells: readonly string[]): string | undefined {
    return this.#textsOf(cells).find(mentionsBalance);
  }

  /**
   * Returns the first text that may be the name of a total, and the number of rows that the total must have. This number is 1 if the only
   * text of the row names an amount to pay, such as "Rechnungsbetrag". It is 2 for a text that begins or ends with the name of a total,
   * such as "Total Food", because the text may also be the name of a merchant, such as "Total Energies".
   */
  findTotalMention(cells: readonly string[]): TotalMention | undefined {
    const texts = this.#textsOf(cells);
    const text = texts.find((cell) => mayBeTotal(cell) || (cell.length <= textMax && namesAmountToPay(foldText(cell))));
    if (text === undefined) return undefined;
    const category = plainCell(cells[this.#categoryPosition] ?? '');
    return { text, rowsMin: namesAmountToPay(foldText(text)) && !hasOtherTexts(text, texts, category) ? 1 : 2 };
  }

  /** Returns the period that a row names, such as `March`; undefined if there is none, or if the row has a category or another text. */
  findPeriod(cells: readonly string[]): { readonly text: string; readonly period: Period } | undefined {
    const [text = '', ...others] = this.#textPositions
      .map((position) => plainCell(cells[position] ?? ''))
      .filter((cell) => cell !== '');
    const period = readPeriod(text);
    if (period === undefined || plainCell(cells[this.#categoryPosition] ?? '') !== '') return undefined;
    const isPeriod = (cell: string) => readPeriod(cell) !== undefined;
    const hasOthers = !others.every(isPeriod) || this.#textsOf(cells).some((cell) => !isPeriod(cell) && !isCode(cell));
    return hasOthers ? undefined : { text, period };
  }

  /** Returns the cells that contain a letter, except those in the columns that `otherNames` lists. */
  #textsOf(cells: readonly string[]): readonly string[] {
    return cells.filter((cell, position) => !this.#otherPositions.has(position) && /\p{L}/u.test(cell)).map(plainCell);
  }
}

function findBalance(texts: readonly string[], category: string): FoundBalance | undefined {
  const folded = texts.map((text) => (text.length <= textMax ? foldText(text) : ''));
  const hasOthers = (found: string) => hasOtherTexts(found, texts, category);
  const balance = texts[folded.findIndex(namesBalance)];
  if (balance !== undefined) {
    return { text: balance, kind: 'balance', isPlain: isPlainBalanceText(balance) && !hasOthers(balance) };
  }
  const ambiguous = texts[folded.findIndex(isAmbiguousBalance)];
  if (ambiguous !== undefined && !hasOthers(ambiguous)) return { text: ambiguous, kind: 'balance', isPlain: false };
  const total = texts[folded.findIndex((name) => namesTotal(name) || isTotalOfPart(name))];
  const isPlain = total !== undefined && (namesTurnover(foldText(total)) || isTotalOfPart(foldText(total)));
  return total === undefined || (hasOthers(total) && !isPlain) ? undefined : { text: total, kind: 'total', isPlain };
}

/** Returns whether a row has a category, or a text that is none of these: the text `found`, a date, an amount or a code. */
function hasOtherTexts(found: string, texts: readonly string[], category: string): boolean {
  return (
    category !== '' || texts.some((text) => text !== found && !isDateCell(text) && !isAmountCell(text) && !isCode(text))
  );
}

/** Returns whether a text is an IBAN, or a code of one or two characters, such as the record type `AS` of Swedbank. */
function isCode(text: string): boolean {
  return /^([A-Z]{2}\d{2}[A-Z\d ]{8,36}|[A-Z\d]{1,2})$/.test(text);
}

/** The columns that are not searched for balances and totals. Exception: `find` searches the category, by stricter rules. */
const otherNames = [
  'date',
  'amount',
  'debit',
  'credit',
  'direction',
  'category',
  'account',
  'currency',
  'status',
] as const satisfies readonly CsvColumnName[];
