import type { Question } from '../../statement.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import type { StatedBalance } from './stated-balances.js';

interface FoundContradiction {
  /** `sum`: the opening balance and the rows do not add up to the closing balance. */
  readonly kind: StatedBalance['kind'] | 'sum';
  readonly line: number;
  /** The balance that the line contains. */
  readonly stated: string;
  /** The balance that the rows show. */
  readonly expected: string;
  /** The line of the opening balance; undefined if `kind` is not `sum`. */
  readonly openingLine: number | undefined;
}

/** A balance that the file states outside its balance column, and that the rows contradict. */
export class StatedContradiction {
  readonly #found: FoundContradiction;

  constructor(found: FoundContradiction) {
    this.#found = found;
  }

  /** Returns the label and the text of the line that describes the contradiction to the user. */
  describe(): readonly [label: string, value: string] {
    const { kind, line, stated, expected, openingLine } = this.#found;
    const place = `${stated} in line ${line}, but`;
    switch (kind) {
      case 'opening':
        return ['opening balance', `${place} ${expected} before the oldest row`];
      case 'sum':
        return [
          'closing balance',
          `${place} the opening balance in line ${openingLine} and the rows add up to ${expected}`,
        ];
      default:
        return ['closing balance', `${place} ${expected} in the balance column`];
    }
  }

  /** Returns a question unless an option accepts the rows, because the first or the last rows may be missing. */
  findQuestion({ options }: Pick<InterpretationFacts, 'options'>): Question | undefined {
    if (options.ignoresBalance === true) return undefined;
    return {
      message: `${describeContradiction(this.#found)}. Rows may be missing or wrong.`,
      remedy: 'Export the statement again. If its rows are right, use --ignore-balance.',
      requiresOption: true,
    };
  }
}

function describeContradiction({ kind, line, stated, expected, openingLine }: FoundContradiction): string {
  switch (kind) {
    case 'opening':
      return `The opening balance in line ${line} is ${stated}, but the balance before the oldest row is ${expected}`;
    case 'sum':
      return `The closing balance in line ${line} is ${stated}, but the opening balance in line ${openingLine} and the rows add up to ${expected}`;
    default:
      return `The ${kind === 'closing' ? 'closing ' : ''}balance in line ${line} is ${stated}, but the balance column ends with ${expected}`;
  }
}
