import { isAmountCell, isDateCell } from '../table/cells.js';
import type { ColumnPositions } from '../table/columns.js';
import type { CsvRecord } from '../table/reader.js';
import type { RowKind } from './row-kind.js';

/** A row with only a date, an amount and an account number. */
export interface AccountBalanceRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** The account number. */
  readonly number: string;
}

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
  /** The position of the account number, from 0, if the row has only a date, an amount and an account number; otherwise undefined. */
  readonly numberAt: number | undefined;
}

/**
 * Finds a first and a last row that are probably balances. The bank LCL writes such rows, each with the date, the balance and the number of
 * the account. A row is one of them if all of these are true:
 *
 * - It is the first or the last row, and has only a date, an amount and an account number.
 * - It has fewer cells than all other rows. In a file without headers, fewer filled cells are enough.
 * - No other row has an account number in the same column. Such a column would have the accounts of the other parties.
 *
 * If the first and the last row both have only these cells, they must name the same account, and only the rows between them count as other
 * rows. If there are no other rows, a file without headers meets the second condition, and a file with headers does not.
 */
export class AccountBalanceRows {
  readonly #datePosition: number;
  readonly #amountPositions: readonly number[];
  readonly #hasHeaders: boolean;
  #first: Row | undefined;
  #last: Row | undefined;
  #otherCount = 0;
  #leastCells = Number.POSITIVE_INFINITY;
  #leastFilled = Number.POSITIVE_INFINITY;
  readonly #numberPositions = new Set<number>();

  constructor({ date = -1, amount, debit, credit }: ColumnPositions, { hasHeaders }: { readonly hasHeaders: boolean }) {
    this.#datePosition = date;
    this.#amountPositions = [amount, debit, credit].filter((position) => position !== undefined);
    this.#hasHeaders = hasHeaders;
  }

  add(record: CsvRecord, kind: RowKind): void {
    if (kind === 'continuation') this.#addText();
    if (kind !== 'row') return;
    const cells = 'cells' in record ? record.cells : [];
    if (this.#last !== undefined) this.#addOther(this.#last);
    const row = { line: record.line, cells, numberAt: this.#findNumber(cells) };
    if (this.#first === undefined) this.#first = row;
    else this.#last = row;
  }

  /** The first row, the last row, both or neither. Call it once, after the last record. */
  find(): readonly AccountBalanceRow[] {
    const ends = [this.#first, this.#last].filter((row) => row !== undefined);
    const numbers = new Set(ends.map(numberOf).filter((number) => number !== ''));
    const found = numbers.size === 1 ? ends.filter((row) => row.numberAt !== undefined) : [];
    for (const row of ends) if (!found.includes(row)) this.#addOther(row);
    return found
      .filter((row) => this.#isUnlikeOthers(row))
      .map((row) => ({ line: row.line, cells: row.cells, number: numberOf(row) }));
  }

  #isUnlikeOthers({ cells, numberAt = -1 }: Row): boolean {
    if (this.#otherCount === 0) return !this.#hasHeaders;
    const isShorter = cells.length < this.#leastCells || (!this.#hasHeaders && filledCells < this.#leastFilled);
    return isShorter && !this.#numberPositions.has(numberAt);
  }

  /** The next line continues the text of the last row, which is therefore not a balance. */
  #addText(): void {
    if (this.#last !== undefined) this.#last = { ...this.#last, numberAt: undefined };
    else if (this.#first !== undefined) this.#first = { ...this.#first, numberAt: undefined };
  }

  #addOther({ cells }: Row): void {
    this.#otherCount += 1;
    this.#leastCells = Math.min(this.#leastCells, cells.length);
    this.#leastFilled = Math.min(this.#leastFilled, cells.filter((cell) => cell.trim() !== '').length);
    for (const [position, cell] of cells.entries()) if (isAccountNumber(cell)) this.#numberPositions.add(position);
  }

  #findNumber(cells: readonly string[]): number | undefined {
    const filled = cells.flatMap((cell, position) => (cell.trim() === '' ? [] : [position]));
    if (filled.length !== filledCells) return undefined;
    const isAmount = (position: number) => this.#amountPositions.includes(position);
    const [number, ...others] = filled.filter((position) => position !== this.#datePosition && !isAmount(position));
    const hasNumber = number !== undefined && others.length === 0 && isAccountNumber(cells[number] ?? '');
    if (!hasNumber || !isDateCell(cells[this.#datePosition] ?? '')) return undefined;
    return filled.some((position) => isAmount(position) && isAmountCell(cells[position] ?? '')) ? number : undefined;
  }
}

/** The number of filled cells of a balance: the date, the amount and the account number. */
const filledCells = 3;

function numberOf({ cells, numberAt = -1 }: Row): string {
  return cells[numberAt]?.trim() ?? '';
}

/**
 * Returns whether a cell is an IBAN, or a number of at least eight digits that a letter and two digits may follow, such as `00451 098285A`.
 * Asterisks or the letter X may replace some of the digits.
 */
function isAccountNumber(cell: string): boolean {
  const text = cell.trim();
  return accountNumber.test(text) && !isDateCell(text);
}

const accountNumber =
  /^(?=.*\d{3})(?:[A-Z]{2}\d{2}(?: ?[A-Z\d]){8,30}|[\d*X](?: ?[\d*X]){7,24}(?: ?[A-Z])?(?: ?\d{2})?)$/;
