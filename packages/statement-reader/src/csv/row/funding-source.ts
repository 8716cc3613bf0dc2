import type { Question } from '../../statement.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import { plainCell } from '../table/cells.js';
import { headerWords } from '../table/header-names.js';

/**
 * Finds payments whose money came from another account. Venmo lists all payments of a user. Its column `Funding Source` shows whether the
 * money came from the Venmo balance, a card or a bank account. Only the payments from the Venmo balance change this balance.
 */
export class FundingTally {
  readonly #position: number;
  readonly #header: string;
  /** The first such payment, and the text of the cell that names the other account. */
  #first: { readonly line: number; readonly text: string } | undefined;
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

  /** Returns a question about these payments, unless the balance column includes them. */
  findQuestion({ balance }: Pick<InterpretationFacts, 'balance'>): Question | undefined {
    if (this.#first === undefined || balance?.kind === 'agrees') return undefined;
    const { line, text } = this.#first;
    const rows = this.#rowCount === 1 ? 'A row was' : `${this.#rowCount} rows were`;
    return {
      message: `${rows} paid from another account: line ${line} has "${text}" in the column "${this.#header}". If such rows are recorded, the balance of this account may become too low.`,
      remedy: 'Take such rows out of the file, or accept them with --yes.',
    };
  }
}
