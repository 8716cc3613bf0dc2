import { StatementError } from '../../statement-error.js';
import { plainCell } from '../table/cells.js';
import { nameColumns } from '../table/columns.js';
import { headerList, headerWords } from '../table/header-names.js';

/**
 * Checks whether the column directly to the right of the amount has the end of the amounts. In a file with commas between its cells, an
 * amount such as `-45,10` or `1,200.00` without quotation marks becomes two cells. The rows can then still have as many cells as the header
 * line: if the header line ends with a comma after the amount, or if the next column has notes, which are often empty. No row fails then, so
 * this check is needed.
 */
export class SplitDecimalsCheck {
  readonly #headers: readonly string[];
  readonly #amountPosition: number;
  readonly #hasNotes: boolean;
  #mayBeSplit: boolean;
  /** The first two cells that may be one amount. */
  #example: readonly [amount: string, end: string] | undefined;
  /** The first two cells that may be one amount with a comma between thousands. */
  #grouped: readonly [amount: string, end: string] | undefined;

  constructor(
    { headers, delimiter }: { readonly headers: readonly string[]; readonly delimiter: string },
    amountPosition: number | undefined,
  ) {
    this.#headers = headers;
    this.#amountPosition = amountPosition ?? -1;
    const next = amountPosition === undefined ? undefined : headers[amountPosition + 1];
    this.#hasNotes = noteHeaders.has(headerWords(next ?? ''));
    const hasHeaders = headers.some((header) => header.trim() !== '');
    this.#mayBeSplit = delimiter === ',' && hasHeaders && (next?.trim() === '' || this.#hasNotes);
  }

  add(cells: readonly string[]): void {
    const amount = plainCell(cells[this.#amountPosition] ?? '');
    const end = plainCell(cells[this.#amountPosition + 1] ?? '');
    if (this.#hasNotes && /^[+-]?\d{1,3}$/.test(amount) && /^\d{3}\.\d\d$/.test(end)) this.#grouped ??= [amount, end];
    if (!this.#mayBeSplit || (amount === '' && end === '')) return;
    const isAmountWhole = !/[.,]\d{1,2}(?!\d)/.test(amount);
    this.#mayBeSplit = isAmountWhole && (this.#hasNotes ? /^\d\d$/ : /^(\d{1,2})?$/).test(end);
    if (end !== '') this.#example ??= [amount, end];
  }

  /** @throws StatementError that names the two columns, if the cells of all rows may be the parts of amounts */
  requireWholeAmounts(): void {
    const example = this.#mayBeSplit ? this.#example : this.#grouped;
    if (example === undefined) return;
    const [amount, end] = example;
    const names = nameColumns(this.#headers);
    const [column, next] = [names[this.#amountPosition] ?? '', names[this.#amountPosition + 1] ?? ''];
    throw new StatementError(
      `The column "${column}" may have only the beginning of each amount, and "${next}" the end: "${amount}" and "${end}" may be the amount "${amount},${end}".`,
      `Export the statement with semicolons between the cells, or with quotation marks around the amounts. If "${next}" has other numbers, ${this.#hasNotes ? 'remove this column' : 'give it a header'}.`,
    );
  }
}

/** Headers of notes, whose cells are rarely only numbers. */
const noteHeaders: ReadonlySet<string> = new Set(
  headerList(
    'note; notes; memo; comment; comments; remarks; remark; notiz; notizen; bemerkung; kommentar; nota; notas; note personali; remarque; commentaire; opmerking; uwagi; notatka; poznámka; anteckning; notat; megjegyzés',
  ),
);
