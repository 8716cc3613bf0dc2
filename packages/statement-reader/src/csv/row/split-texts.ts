import type { ColumnPositions } from '../table/columns.js';

/**
 * Finds two adjacent text columns of which each row fills exactly one. In files of the bank LCL, the kind of a row decides which of the two
 * columns has its text. Neither column alone describes all rows.
 */
export class SplitTexts {
  readonly #description: number;
  readonly #used: ReadonlySet<number>;
  /** The different lists of positions, from 0, in which some row has a text. */
  readonly #filled = new Map<string, readonly number[]>();
  /** The number of characters of the texts in each column. */
  readonly #lengths = new Map<number, number>();

  /** @param positions the positions of the columns that have a role */
  constructor({ description = -1, ...others }: ColumnPositions) {
    this.#description = description;
    this.#used = new Set(Object.values(others));
  }

  add(cells: readonly string[]): void {
    if (this.#description === -1) return;
    const filled = cells.flatMap((cell, position) => (hasWord(cell) && !this.#used.has(position) ? [position] : []));
    if (filled.length === 0) return;
    for (const position of filled) {
      this.#lengths.set(position, this.#lengthOf(position) + (cells[position] ?? '').trim().length);
    }
    if (this.#filled.size <= fillingsMax) this.#filled.set(filled.join(), filled);
  }

  /**
   * The positions of the two columns. If one of them is the description, its position is left out. Empty if there are no such columns, if
   * it is not clear which columns they are, or if the description has longer texts.
   */
  get besideDescription(): readonly number[] {
    if (this.#filled.size > fillingsMax) return [];
    const [pair, ...others] = [...this.#lengths.keys()]
      .map((position) => [position, position + 1] as const)
      .filter((columns) => this.#isSplit(columns));
    if (pair === undefined || others.length > 0) return [];
    const length = this.#lengthOf(pair[0]) + this.#lengthOf(pair[1]);
    return length < this.#lengthOf(this.#description) ? [] : pair.filter((position) => position !== this.#description);
  }

  #isSplit([first, second]: readonly [number, number]): boolean {
    const rows = [...this.#filled.values()];
    const areBothUsed = this.#lengths.has(first) && this.#lengths.has(second);
    return areBothUsed && rows.every((filled) => filled.includes(first) !== filled.includes(second));
  }

  #lengthOf(position: number): number {
    return this.#lengths.get(position) ?? 0;
  }
}

/** The maximum number of stored lists of positions. A file with more of them has no such columns, or too many columns. */
const fillingsMax = 100;

function hasWord(cell: string): boolean {
  return /\p{L}{2}/u.test(cell);
}
