import { isAmountCell, isDateCell, isPendingStatus } from '../table/cells.js';
import type { ColumnPositions } from '../table/columns.js';
import { looksLikeHeaders } from '../table/detect-columns-by-header.js';
import { isBalanceText } from '../words/balance-names.js';
import { beginsAsTotal } from '../words/total-names.js';

/**
 * The kind of a record below the headers. A `row` is or may be a transaction, and is always reported. A `continuation`
 * contains only text that continues the text of the row above it. The other kinds are not transactions. A `note` is a
 * sentence, a title, or a name followed only by amounts.
 *
 * The kind does not depend on the date format. The first pass over the file (`surveyRows`) classifies rows before the format
 * is known, and the later passes must classify them in the same way. A record of unclear kind is a `row`. A `row`
 * that cannot be read is reported as a failure with its line number, so that no transaction is lost silently.
 */
export type RowKind = 'row' | 'continuation' | 'blank' | 'repeated header' | 'balance' | 'total' | 'note';

/** The headers of a file, and the positions of the columns that the import uses. */
interface KnownColumns {
  readonly headers: readonly string[];
  readonly positions: ColumnPositions;
}

/**
 * Returns the function that classifies the records of one file. Call it for each record, in the order of the file: a record with the values
 * of a summary is recognized by the record above it, which has their labels.
 */
export function rowClassifier(file: KnownColumns): (cells: readonly string[]) => RowKind {
  const classify = recordClassifier(file);
  const datePosition = file.positions.date ?? -1;
  let isBelowLabels = false;
  return (cells) => {
    const kind = classify(cells);
    const isSummary = isBelowLabels && areSummaryValues(cells, datePosition);
    isBelowLabels = summaryKinds.has(kind) && !isSummary && areSummaryLabels(cells);
    return isSummary ? 'balance' : kind;
  };
}

/** The kinds of records that may have the labels of a summary. */
const summaryKinds: ReadonlySet<RowKind> = new Set(['balance', 'total', 'note']);

/**
 * Returns whether a record has the labels of a summary, such as `Opening Balance`, `Dr Count` and `Closing Bal` of HDFC. At least one of
 * its cells is the label of a balance, and no cell has a digit.
 */
function areSummaryLabels(cells: readonly string[]): boolean {
  const labels = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return labels.length > 1 && labels.some(isBalanceText) && !labels.some((text) => /\p{Nd}/u.test(text));
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
    // The label of a balance, such as "Saldo finale al 28/02/2026", may be in the date column. Such a label begins with a letter.
    const isBalance = /^\p{L}/u.test(dateCell) && isBalanceText(dateCell);
    const isCutAmount = /^\p{L}/u.test(dateCell) && isLabelOfCutAmount(dateCell, cells);
    // The fast path: nearly every record is a row.
    const hasDate = /\p{Nd}/u.test(dateCell);
    if (hasDate && hasAmount && !isBalance && !isCutAmount) return 'row';
    const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    const [first] = filled;
    if (first === undefined) return 'blank';
    if (cells.map((cell) => cell.trim()).join('\n') === headerLine) return 'repeated header';
    // If several exports are joined into one file, their headers may be in different languages.
    if (!hasDate && !hasAmount && filled.length > 1 && looksLikeHeaders(cells)) return 'repeated header';
    if (isPendingStatus(dateCell)) return filled.length > 1 ? 'row' : 'note';
    const namesBalance = filled.some(isBalanceText);
    if (isCutAmount && !isBalance) return 'note';
    const hasText = textPositions.some((position) => (cells[position]?.trim() ?? '') !== '');
    if (!hasAmount && !hasText && isNamedAmount(filled, dateCell)) return 'note';
    const isLabel = !hasAmount && !isBalance && label.test(dateCell) && !filled.some(isAmountCell);
    if (isLabel && !namesBalance) return 'note';
    if (hasDate && !isBalance)
      return namesBalance && filled.length > 1 && !hasAmount ? 'balance' : classifyDated(filled);
    if (isBalance || isBalanceText(first)) return 'balance';
    if (dateCell === '' && namesBalance && filled.every((cell) => isBalanceText(cell) || isAmountCell(cell)))
      return 'balance';
    if (beginsAsTotal(first)) return 'total';
    if (
      sentence.test(dateCell) &&
      !filled.some((cell) => isAmountCell(cell) || /\d[.,]\d\d(?!\d)/.test(cell) || looksLikeDate(cell))
    )
      return 'note';
    // If a file has a text column, a record with a name in the date column and only amounts in its other cells is a footer, such as a
    // total in a language that `beginsAsTotal` does not recognize.
    const isName = textPositions.length > 0 && dateCell !== '' && !relativeDay.test(dateCell);
    if (isName && filled.every((cell) => cell === dateCell || isAmountCell(cell))) return 'note';
    if (hasAmount) return 'row';
    if (dateCell === '' && hasText && filled.length <= textPositions.length) return 'continuation';
    return filled.some(looksLikeDate) ? 'row' : 'note';
  };
}

/** Matches a cell with at least three words, such as a disclaimer. Its commas may have split it into several cells. */
const sentence = /\p{L}\W+\p{L}+\W+\p{L}/u;
/** Matches a word for a day, which some banks write instead of the date of a recent row. */
const relativeDay =
  /^(today|yesterday|(mon|tues|wednes|thurs|fri|satur|sun)day|heute|gestern|aujourd['’]hui|hier|hoy|ayer|oggi|ieri|hoje|ontem|vandaag|gisteren|idag|ig[åa]r|i dag|i g[åa]r|dzi[śs]|dzisiaj|wczoraj|dnes|včera|tänään|eilen|ma|tegnap|bugün|dün|сегодня|вчера|сьогодні|вчора)$/iu;
/** Matches a cell that begins with a label and a colon, such as `Generated On: 01-May-2026`. */
const label = /^\p{L}[\p{L} ]{2,40}:/u;

/**
 * Returns whether a record is a label and an amount that the delimiter has cut into several cells, such as `Mutasi Debet : 2`, `245` and
 * `866.30`. The label is in the date column.
 */
function isLabelOfCutAmount(dateCell: string, cells: readonly string[]): boolean {
  if (!/^\p{L}[\p{L} ]{2,40}: *\d{1,3}$/u.test(dateCell)) return false;
  const [, ...rest] = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return rest.length > 0 && rest.every((cell) => /^\d{1,3}([.,]\d+)?$/.test(cell));
}

/** Returns whether a record has only a name and an amount with decimals in the date column, such as the total `Debits` and `2 265,66`. */
function isNamedAmount([name = '', amount, ...others]: readonly string[], dateCell: string): boolean {
  if (amount !== dateCell || others.length > 0 || !/^\p{L}[^\p{Nd}]*$/u.test(name)) return false;
  return /[.,]\d{2}$/.test(amount) && isAmountCell(amount) && !isDateCell(amount);
}

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
