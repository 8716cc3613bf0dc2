import { type CsvColumns, canonicalHeader, plainCell } from './csv-columns.js';
import { feeHeaders, netAmountHeaders } from './header-dictionary.js';
import { headerWords } from './header-words.js';
import { findAmountMark } from './parse-amount.js';

/**
 * Counts the rows whose fee stands in a column of its own. Only one amount of a row is recorded, so the balance would end
 * too high by each of them, unless the amount is the one after fees.
 */
export class UnrecordedFees {
  readonly #columns: { readonly header: string; readonly place: number; rowCount: number }[];

  constructor(headers: readonly string[], columns: CsvColumns) {
    const used = new Set(Object.values(columns).map(canonicalHeader));
    const isNet = columns.amount !== undefined && netAmountHeaders.has(headerWords(columns.amount));
    this.#columns = headers.flatMap((header, place) =>
      !isNet && feeHeaders.has(headerWords(header)) && !used.has(canonicalHeader(header))
        ? [{ header: header.trim(), place, rowCount: 0 }]
        : [],
    );
  }

  see(cells: readonly string[]): void {
    for (const column of this.#columns) {
      if (findAmountMark(plainCell(cells[column.place] ?? '')) !== undefined) column.rowCount += 1;
    }
  }

  /** `5 rows have a "Fee" that is not recorded`; undefined where every fee is zero. */
  get told(): string | undefined {
    const told = this.#columns
      .filter(({ rowCount }) => rowCount > 0)
      .map(
        ({ header, rowCount }) =>
          `${rowCount === 1 ? '1 row has' : `${rowCount} rows have`} a "${header}" that is not recorded`,
      );
    return told.length === 0 ? undefined : told.join(', ');
  }
}
