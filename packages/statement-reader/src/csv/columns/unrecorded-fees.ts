import { findAmountSign } from '../../values/amounts.js';
import { plainCell } from '../rows/cells.js';
import { type CsvColumns, canonicalHeader } from './columns.js';
import { namesFee, withheldTaxHeaders } from './fee-headers.js';
import { grossAmountHeaders, headerWords, netAmountHeaders } from './header-names.js';

/**
 * Counts rows with a fee or a withheld tax in a column that is not recorded. If the fee or tax is not deducted
 * from the amount of the row, the recorded balance becomes too high.
 */
export class UnrecordedFees {
  readonly #columns: { readonly header: string; readonly position: number; rowCount: number }[];

  constructor(headers: readonly string[], columns: CsvColumns) {
    const used = new Set(Object.values(columns).map(canonicalHeader));
    const amount = headerWords(columns.amount ?? '');
    const isUnrecorded = (words: string) =>
      (namesFee(words) && !netAmountHeaders.has(amount)) ||
      (withheldTaxHeaders.has(words) && !netAmountHeaders.has(amount) && !grossAmountHeaders.has(amount));
    this.#columns = headers.flatMap((header, position) =>
      isUnrecorded(headerWords(header)) && !used.has(canonicalHeader(header))
        ? [{ header: header.trim(), position, rowCount: 0 }]
        : [],
    );
  }

  add(cells: readonly string[]): void {
    for (const column of this.#columns) {
      if (findAmountSign(plainCell(cells[column.position] ?? '')) !== undefined) column.rowCount += 1;
    }
  }

  /** The headers of the unrecorded columns in which some row has a fee or tax; empty if all fees and taxes are zero. */
  get headers(): readonly string[] {
    return this.#columns.filter(({ rowCount }) => rowCount > 0).map(({ header }) => header);
  }

  /** A clause such as `5 rows have a "Fee" that is not recorded`; undefined if all fees and taxes are zero. */
  get description(): string | undefined {
    const parts = this.#columns
      .filter(({ rowCount }) => rowCount > 0)
      .map(
        ({ header, rowCount }) =>
          `${rowCount === 1 ? '1 row has' : `${rowCount} rows have`} a "${header}" that is not recorded`,
      );
    return parts.length === 0 ? undefined : parts.join(', ');
  }
}
