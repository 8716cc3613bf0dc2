import { headerWords } from '../columns/header-names.js';
import { plainCell } from './cells.js';

/** Payments whose money came from another account than that of the statement: the first such row, and the number of such rows. */
export interface PaidElsewhere {
  readonly line: number;
  /** The text of the cell that names the other account. */
  readonly text: string;
  /** The header of the column that names the other account. */
  readonly header: string;
  readonly rowCount: number;
}

/**
 * Finds payments whose money came from another account. Venmo lists all payments of a user. Its column `Funding Source` shows whether the
 * money came from the Venmo balance, a card or a bank account. Only the payments from the Venmo balance change this balance.
 */
export class FundingTally {
  readonly #position: number;
  readonly #header: string;
  #first: Pick<PaidElsewhere, 'line' | 'text'> | undefined;
  #rowCount = 0;

  constructor(headers: readonly string[]) {
    this.#position = headers.findIndex((header) => headerWords(header) === 'funding source');
    this.#header = headers[this.#position]?.trim() ?? '';
  }

  add(line: number, cells: readonly string[]): void {
    const text = plainCell(cells[this.#position] ?? '');
    if (text === '' || /\bbalance\b/i.test(text)) return;
    this.#first ??= { line, text };
    this.#rowCount += 1;
  }

  get finding(): PaidElsewhere | undefined {
    return this.#first && { ...this.#first, header: this.#header, rowCount: this.#rowCount };
  }
}
