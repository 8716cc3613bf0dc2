import type { Doubt } from '../../statement.js';
import type { ReadingFacts } from '../reading-facts.js';
import type { StatedBalance } from './stated-balances.js';

/** A balance that the file states outside its balance column, and that the rows contradict. */
export class StatedContradiction {
  readonly #kind: StatedBalance['kind'] | 'sum';
  readonly #line: number;
  readonly #stated: string;
  readonly #expected: string;
  readonly #openingLine: number | undefined;

  /**
   * @param found.kind `sum`: the opening balance and the rows do not add up to the closing balance
   * @param found.stated the balance that the line contains; `found.expected` the balance that the rows show
   * @param found.openingLine the line of the opening balance; undefined if `kind` is not `sum`
   */
  constructor(found: {
    readonly kind: StatedBalance['kind'] | 'sum';
    readonly line: number;
    readonly stated: string;
    readonly expected: string;
    readonly openingLine: number | undefined;
  }) {
    this.#kind = found.kind;
    this.#line = found.line;
    this.#stated = found.stated;
    this.#expected = found.expected;
    this.#openingLine = found.openingLine;
  }

  /** Returns the label and the text of the line that describes the contradiction to the user. */
  describe(): readonly [label: string, value: string] {
    const place = `${this.#stated} in line ${this.#line}, but`;
    switch (this.#kind) {
      case 'opening':
        return ['opening balance', `${place} ${this.#expected} before the oldest row`];
      case 'sum':
        return [
          'closing balance',
          `${place} the opening balance in line ${this.#openingLine} and the rows add up to ${this.#expected}`,
        ];
      default:
        return ['closing balance', `${place} ${this.#expected} in the balance column`];
    }
  }

  /** Returns a doubt, because the first or the last rows may be missing, unless an option accepts the rows. */
  findDoubt({ options }: Pick<ReadingFacts, 'options'>): Doubt | undefined {
    if (options.ignoresBalance === true) return undefined;
    return {
      message: `${this.#message}. Rows may be missing or wrong.`,
      remedy: 'Export the statement again. If its rows are right, use --ignore-balance.',
      requiresOption: true,
    };
  }

  get #message(): string {
    const place = `in line ${this.#line} is ${this.#stated}, but`;
    switch (this.#kind) {
      case 'opening':
        return `The opening balance ${place} the balance before the oldest row is ${this.#expected}`;
      case 'sum':
        return `The closing balance ${place} the opening balance in line ${this.#openingLine} and the rows add up to ${this.#expected}`;
      default:
        return `The ${this.#kind === 'closing' ? 'closing ' : ''}balance ${place} the balance column ends with ${this.#expected}`;
    }
  }
}
