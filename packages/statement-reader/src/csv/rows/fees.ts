import { findAmountSign } from '../../values/amounts.js';
import { type CsvColumns, canonicalHeader } from '../columns/columns.js';
import { feeHeaders, headerWords, netAmountHeaders } from '../columns/header-names.js';
import { plainCell } from './cells.js';

/**
 * Counts rows with a fee in a column of its own. Only one amount of a row is recorded, so each fee makes the balance too
 * high, unless the amount is the one after fees.
 */
export class UnrecordedFees {
  readonly #columns: { readonly header: string; readonly position: number; rowCount: number }[];

  constructor(headers: readonly string[], columns: CsvColumns) {
    const used = new Set(Object.values(columns).map(canonicalHeader));
    const isNet = columns.amount !== undefined && netAmountHeaders.has(headerWords(columns.amount));
    this.#columns = headers.flatMap((header, position) =>
      !isNet && feeHeaders.has(headerWords(header)) && !used.has(canonicalHeader(header))
        ? [{ header: header.trim(), position, rowCount: 0 }]
        : [],
    );
  }

  add(cells: readonly string[]): void {
    for (const column of this.#columns) {
      if (findAmountSign(plainCell(cells[column.position] ?? '')) !== undefined) column.rowCount += 1;
    }
  }

  /** The header of the first column with a fee; undefined if every fee is zero. */
  get header(): string | undefined {
    return this.#columns.find(({ rowCount }) => rowCount > 0)?.header;
  }

  /** `5 rows have a "Fee" that is not recorded`; undefined if every fee is zero. */
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
