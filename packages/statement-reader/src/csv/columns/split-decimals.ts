import { StatementError } from '../../statement-error.js';
import { plainCell } from '../table/cells.js';
import { type ColumnPositions, nameColumns } from '../table/columns.js';
import { headerList, headerWords } from '../table/header-names.js';

/**
 * Checks whether the column directly to the right of the amount holds the second part of each amount. In a file with commas between its
 * cells, an amount such as `-45,10` or `1,200.00` without quotation marks becomes two cells. The rows can then still have as many cells as
 * the header line: if the header line ends with a comma after the amount, or if the next column has notes, which are often empty. No row
 * fails then, so this check is needed.
 */
export class SplitDecimalsCheck {
  readonly #headers: readonly string[];
  readonly #amountPosition: number;
  readonly #hasNotes: boolean;
  #mayBeSplit: boolean;
  /** The first pair of cells that may be one amount, split at its decimals. */
  #example: SplitAmount | undefined;
  #rowCount = 0;
  #exampleCount = 0;
  /** The first pair of cells that may be one amount, split between its thousands. */
  #grouped: SplitAmount | undefined;
  #groupedCount = 0;
  #hasDecimals = false;
  #hasWords = false;

  constructor(
    { headers, delimiter }: { readonly headers: readonly string[]; readonly delimiter: string },
    { amount, debit, credit }: ColumnPositions,
  ) {
    this.#headers = headers;
    this.#amountPosition = amount ?? Math.max(debit ?? -1, credit ?? -1);
    const next = this.#amountPosition === -1 ? undefined : headers[this.#amountPosition + 1];
    this.#hasNotes = delimiter === ',' && noteHeaders.has(headerWords(next ?? ''));
    const hasHeaders = headers.some((header) => header.trim() !== '');
    this.#mayBeSplit = this.#hasNotes || (delimiter === ',' && hasHeaders && next?.trim() === '');
  }

  add(cells: readonly string[]): void {
    const amount = plainCell(cells[this.#amountPosition] ?? '');
    const end = plainCell(cells[this.#amountPosition + 1] ?? '');
    if (this.#hasNotes) this.#addGroup(amount, end);
    if (!this.#mayBeSplit || (amount === '' && end === '')) return;
    this.#rowCount += 1;
    this.#mayBeSplit = !/[.,]\d{1,2}(?!\d)/.test(amount) && /^(\d{1,2})?$/.test(end);
    if (end === '') return;
    this.#exampleCount += 1;
    this.#example ??= [amount, end];
  }

  #addGroup(amount: string, end: string): void {
    this.#hasWords ||= !/^[\d.]*$/.test(end);
    if (!/^[+-]?\d{1,3}$/.test(amount) || !/^\d{3}(\.\d\d)?$/.test(end)) return;
    this.#groupedCount += 1;
    this.#hasDecimals ||= end.includes('.');
    this.#grouped ??= [amount, end];
  }

  /** @throws StatementError that names the two columns, if the cells of the rows may be the parts of amounts */
  requireWholeAmounts(): void {
    const example = this.#findExample();
    if (example === undefined) return;
    const [amount, end] = example;
    const names = nameColumns(this.#headers);
    const [column, next] = [names[this.#amountPosition] ?? '', names[this.#amountPosition + 1] ?? ''];
    throw new StatementError(
      `The column "${column}" may have only the beginning of each amount, and "${next}" the end: "${amount}" and "${end}" may be the amount "${amount},${end}".`,
      `Export the statement with semicolons between the cells, or with quotation marks around the amounts. If "${next}" has other numbers, ${this.#hasNotes ? 'remove this column' : 'give it a header'}.`,
    );
  }

  /**
   * A few notes may be numbers. So most notes must be the decimals of an amount, or one must have thousands and decimals, or at least two
   * must be thousands in a file whose notes have no words.
   */
  #findExample(): SplitAmount | undefined {
    if (!this.#hasNotes) return this.#mayBeSplit ? this.#example : undefined;
    if (this.#mayBeSplit && this.#exampleCount > 1 && 2 * this.#exampleCount > this.#rowCount) return this.#example;
    return this.#hasDecimals || (this.#groupedCount > 1 && !this.#hasWords) ? this.#grouped : undefined;
  }
}

type SplitAmount = readonly [amount: string, end: string];

/** Headers of notes, whose cells are rarely only numbers. */
const noteHeaders: ReadonlySet<string> = new Set(
  headerList(
    'note; notes; memo; comment; comments; remarks; remark; notiz; notizen; bemerkung; kommentar; nota; notas; note personali; remarque; commentaire; opmerking; uwagi; notatka; poznámka; anteckning; notat; megjegyzés',
  ),
);
