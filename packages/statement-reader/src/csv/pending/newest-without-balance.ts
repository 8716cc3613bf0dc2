import type { Question } from '../../statement.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import type { CsvRow } from '../row/row.js';

/**
 * Finds the rows without a balance if they are the newest rows of the file, and all older rows have a balance. Some banks leave the balance
 * of pending rows empty.
 */
export class NewestWithoutBalance {
  #balanceCount = 0;
  #withoutCount = 0;
  /** The line numbers of rows without a balance: `#leading` above the first row with a balance, `#trailing` below the last one. */
  #leading: number[] = [];
  #trailing: number[] = [];
  #leadingCount = 0;
  #trailingCount = 0;
  #firstDay = '';
  #lastDay = '';

  add({ row, balance }: CsvRow): void {
    if (row.outcome !== 'transaction') return;
    const { occurredOn } = row.transaction;
    if (this.#firstDay === '') this.#firstDay = occurredOn;
    this.#lastDay = occurredOn;
    if (balance !== undefined) {
      this.#balanceCount += 1;
      this.#trailing = [];
      this.#trailingCount = 0;
      return;
    }
    this.#withoutCount += 1;
    if (this.#balanceCount === 0) this.#leadingCount += 1;
    else this.#trailingCount += 1;
    const lines = this.#balanceCount === 0 ? this.#leading : this.#trailing;
    if (lines.length < linesMax) lines.push(row.line);
  }

  /**
   * The line numbers of the newest rows without a balance, at most five. Empty if all rows have a balance, if an older row has no balance
   * either, or if at most half of the rows have a balance.
   */
  get lines(): readonly number[] {
    if (this.#withoutCount === 0 || this.#withoutCount >= this.#balanceCount) return [];
    if (this.#leadingCount === this.#withoutCount && this.#firstDay >= this.#lastDay) return this.#leading;
    return this.#trailingCount === this.#withoutCount && this.#lastDay >= this.#firstDay ? this.#trailing : [];
  }

  /**
   * Returns a question about rows without a balance if the balance column agrees with all other rows. The question is about the newest rows
   * if only these have no balance, and otherwise about rows whose amounts are not included in any balance. There is no question if the
   * status column has known statuses.
   */
  findQuestion({
    balance,
    hasKnownStatuses,
    options,
  }: Pick<InterpretationFacts, 'balance' | 'hasKnownStatuses' | 'options'>): Question | undefined {
    if (balance?.kind !== 'agrees' || options.ignoresBalance === true || hasKnownStatuses) return undefined;
    const newest = this.lines;
    const lines = newest.length > 0 ? newest : balance.unbookedLines;
    if (lines.length === 0) return undefined;
    const isOne = lines.length === 1;
    const rows = isOne ? `The newest row, line ${lines[0]}, has` : `The newest rows, lines ${lines.join(', ')}, have`;
    const excluded = isOne
      ? `Line ${lines[0]} has no balance, and no balance includes its amount. The row`
      : `Lines ${lines.join(', ')} have no balance, and no balance includes their amounts. The rows`;
    return {
      message: newest.length > 0 ? `${rows} no balance, and may be pending.` : `${excluded} may be pending.`,
      remedy: unbookedRemedy,
      requiresOption: true,
    };
  }
}

/** The remedy for rows that may be pending because of their balance. */
export const unbookedRemedy = 'Take such rows out of the file. If they are final, use --ignore-balance.';

const linesMax = 5;
