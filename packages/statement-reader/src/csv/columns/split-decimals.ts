import { StatementError } from '../../statement-error.js';
import { plainCell } from '../table/cells.js';
import { nameColumns } from '../table/columns.js';

/**
 * Checks whether the column directly to the right of the amount has the decimals of the amounts. In a file with commas between its cells,
 * an amount such as `-45,10` without quotation marks becomes two cells. If all rows have such amounts, and the header line
 * ends with a comma after the amount, each row has as many cells as the header line. No row fails then, so this check is needed.
 */
export class SplitDecimalsCheck {
  readonly #headers: readonly string[];
  readonly #amountPosition: number;
  #mayBeSplit: boolean;
  /** The first two cells that may be one amount. */
  #example: readonly [amount: string, decimals: string] | undefined;

  constructor(
    { headers, delimiter }: { readonly headers: readonly string[]; readonly delimiter: string },
    amountPosition: number | undefined,
  ) {
    this.#headers = headers;
    this.#amountPosition = amountPosition ?? -1;
    this.#mayBeSplit =
      delimiter === ',' &&
      headers.some((header) => header.trim() !== '') &&
      amountPosition !== undefined &&
      headers[amountPosition + 1]?.trim() === '';
  }

  add(cells: readonly string[]): void {
    if (!this.#mayBeSplit) return;
    const amount = plainCell(cells[this.#amountPosition] ?? '');
    const decimals = plainCell(cells[this.#amountPosition + 1] ?? '');
    if (amount === '' && decimals === '') return;
    const isAmountWhole = !/[.,]\d{1,2}(?!\d)/.test(amount);
    this.#mayBeSplit = isAmountWhole && /^(\d{1,2})?$/.test(decimals);
    if (decimals !== '') this.#example ??= [amount, decimals];
  }

  /** @throws StatementError that names the two columns, if the cells of all rows may be the parts of amounts */
  requireWholeAmounts(): void {
    if (!this.#mayBeSplit || this.#example === undefined) return;
    const [amount, decimals] = this.#example;
    const names = nameColumns(this.#headers);
    const [column, next] = [names[this.#amountPosition] ?? '', names[this.#amountPosition + 1] ?? ''];
    throw new StatementError(
      `The column "${column}" may have only the whole part of each amount, and "${next}" the decimals: "${amount}" and "${decimals}" may be the amount "${amount},${decimals}".`,
      `Export the statement with semicolons between the cells, or with quotation marks around the amounts. If "${next}" has other numbers, give it a header.`,
    );
  }
}
