import { StatementError } from '../../statement-error.js';
import { isCurrencyCode, plainCell } from '../table/cells.js';
import { headerNamesBalance } from '../table/header-names.js';
import { namesCurrency, namesFeeCurrency } from './currency-headers.js';

/**
 * Finds a row in which two currency columns differ, in a file in which no currency column belongs to the amounts. The amounts may then have
 * either currency. Columns with the currency of a fee or of a balance are ignored.
 */
export class UnassignedCurrencies {
  readonly #columns: readonly { readonly header: string; readonly position: number }[];
  #example: string | undefined;

  /** @param headers the headers of a file without a currency for its amounts; empty if the amounts have a currency */
  constructor(headers: readonly string[]) {
    this.#columns = headers.flatMap((header, position) =>
      namesCurrency(header) && !namesFeeCurrency(header) && !headerNamesBalance(header)
        ? [{ header: header.trim(), position }]
        : [],
    );
  }

  add(line: number, cells: readonly string[]): void {
    if (this.#example !== undefined) return;
    const codes = this.#columns
      .map(({ header, position }) => ({ header, code: plainCell(cells[position] ?? '') }))
      .filter(({ code }) => isCurrencyCode(code.toUpperCase()));
    const [first] = codes;
    const other = codes.find(({ code }) => code.toUpperCase() !== first?.code.toUpperCase());
    if (first === undefined || other === undefined) return;
    this.#example = `line ${line} has "${first.code}" in "${first.header}" and "${other.code}" in "${other.header}"`;
  }

  /** @throws StatementError if two currency columns differ in some row */
  requireNone(): void {
    if (this.#example === undefined) return;
    throw new StatementError(
      `It is not clear which column has the currency of the amounts: ${this.#example}.`,
      'Name it with --currency-column, or use --currency-column "" if all amounts are in the currency of the account.',
    );
  }
}
