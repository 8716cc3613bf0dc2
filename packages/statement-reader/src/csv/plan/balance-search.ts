import { type Period, readPeriod } from '../../values/periods.js';
import { isAmountCell, isDateCell, plainCell } from '../table/cells.js';
import type { ColumnPositions, CsvColumnName } from '../table/columns.js';
import { foldText, textMax } from '../table/fold-text.js';
import { namesAmountToPay } from '../words/amounts-to-pay.js';
import {
  isAmbiguousBalance,
  isFoldedBalanceText,
  isParticularBalanceText,
  mentionsBalance,
} from '../words/balance-names.js';
import { isTotalOfPart, mayBeTotal, namesTotal, namesTurnover } from '../words/total-names.js';

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

/** Searches rows for the names of balances and totals: in the category, and in all columns except those in `unsearchedRoles`. */
export class BalanceSearch {
  readonly #unsearchedPositions: ReadonlySet<number | undefined>;
  readonly #categoryPosition: number;
  readonly #textPositions: readonly number[];

  /** @param positions the positions of the columns that the import uses */
  constructor(positions: ColumnPositions) {
    this.#unsearchedPositions = new Set(unsearchedRoles.map((name) => positions[name]));
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
   * @param isCentavoExport whether Centavo wrote the file; the categories of such a file come from the user and never show a balance or a
   *   total
   */
  find(cells: readonly string[], { isCentavoExport = false } = {}): FoundBalance | undefined {
    const texts = this.#textsOf(cells);
    const category = plainCell(cells[this.#categoryPosition] ?? '');
    const found = findBalance(texts, category);
    if (found?.kind === 'balance' || isCentavoExport) return found;
    if (isParticularBalanceText(category)) return { text: category, kind: 'balance', isPlain: texts.length === 0 };
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

  /** Returns the cells that contain a letter, except those in the columns of `unsearchedRoles`. */
  #textsOf(cells: readonly string[]): readonly string[] {
    return cells
      .filter((cell, position) => !this.#unsearchedPositions.has(position) && /\p{L}/u.test(cell))
      .map(plainCell);
  }
}

function findBalance(texts: readonly string[], category: string): FoundBalance | undefined {
  const folded = texts.map((text) => (text.length <= textMax ? foldText(text) : ''));
  const hasOthers = (found: string) => hasOtherTexts(found, texts, category);
  const balance = texts[folded.findIndex(isFoldedBalanceText)];
  if (balance !== undefined) {
    return { text: balance, kind: 'balance', isPlain: isParticularBalanceText(balance) && !hasOthers(balance) };
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
const unsearchedRoles = [
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
