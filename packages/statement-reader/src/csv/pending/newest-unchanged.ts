import type { Question } from '../../statement.js';
import { addDecimals } from '../../totals.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import type { CsvRow } from '../row/row.js';
import { unbookedRemedy } from './newest-without-balance.js';

/**
 * Finds the newest rows if they do not change the balance, and each older row does. Some banks show pending rows beside the balance of the
 * booked rows.
 */
export class NewestUnchanged {
  readonly #oldestFirst = new PairTally();
  readonly #newestFirst = new PairTally();
  #before:
    | { readonly balance: string; readonly amount: string; readonly line: number; readonly chain: string }
    | undefined;
  #isKnown = true;

  add({ row, balance }: CsvRow): void {
    if (row.outcome === 'skipped') return;
    if (row.outcome === 'failure' || balance === undefined) {
      this.#isKnown = false;
      return;
    }
    const { direction, amountDecimal, accountName, currencyCode } = row.transaction;
    const amount = direction === 'expense' ? `-${amountDecimal}` : amountDecimal;
    const chain = JSON.stringify([accountName, currencyCode]);
    const before = this.#before;
    this.#before = { balance, amount, line: row.line, chain };
    if (before === undefined) return;
    this.#isKnown &&= before.chain === chain;
    const moved = addDecimals([balance, negate(before.balance)]);
    this.#oldestFirst.add(row.line, moved === addDecimals([amount]), moved === '0');
    this.#newestFirst.add(before.line, moved === addDecimals([negate(before.amount)]), moved === '0');
  }

  /** Returns a question about these rows. There is no question if the status column has known statuses. */
  findQuestion({
    hasKnownStatuses,
    options,
  }: Pick<InterpretationFacts, 'hasKnownStatuses' | 'options'>): Question | undefined {
    const lines = this.#lines;
    if (lines.length === 0 || options.ignoresBalance === true || hasKnownStatuses) return undefined;
    const rows =
      lines.length === 1 ? `The newest row, line ${lines[0]}, does` : `The newest rows, lines ${lines.join(', ')}, do`;
    return {
      message: `${rows} not change the balance, and may be pending.`,
      remedy: unbookedRemedy,
      requiresOption: true,
    };
  }

  /** The line numbers of these rows, at most five; empty if there are none, or if they are more than the rows that change the balance. */
  get #lines(): readonly number[] {
    if (!this.#isKnown) return [];
    return (
      [this.#oldestFirst.trailing, this.#newestFirst.leading].find((lines) => lines.length > 0)?.slice(0, linesMax) ??
      []
    );
  }
}

const linesMax = 5;

/** Counts, for one order of the rows, how many rows change the balance by their amount, and collects the rows that do not change it. */
class PairTally {
  #changing = 0;
  /** The rows that do not change the balance: `#first` above the first row that changes it, `#last` below the last such row. */
  readonly #first: number[] = [];
  readonly #last: number[] = [];
  /** Whether some row changes the balance by another amount, or leaves it unchanged although rows above and below change it. */
  #hasOthers = false;

  add(line: number, changesBalance: boolean, isUnchanged: boolean): void {
    if (changesBalance) {
      this.#changing += 1;
      this.#hasOthers ||= this.#last.length > 0;
      return;
    }
    this.#hasOthers ||= !isUnchanged;
    const lines = this.#changing === 0 ? this.#first : this.#last;
    // One line more than the maximum is stored, to show that there are too many.
    if (lines.length <= linesStoredMax) lines.push(line);
  }

  get leading(): readonly number[] {
    return this.#hasOthers || this.#last.length > 0 || this.#first.length > this.#limit ? [] : this.#first;
  }

  get trailing(): readonly number[] {
    return this.#hasOthers || this.#first.length > 0 || this.#last.length > this.#limit ? [] : this.#last;
  }

  get #limit(): number {
    return Math.min(this.#changing, linesStoredMax);
  }
}

/** The maximum number of rows that are stored, to limit the memory. More pending rows than this are not recognized. */
const linesStoredMax = 100;

function negate(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}
