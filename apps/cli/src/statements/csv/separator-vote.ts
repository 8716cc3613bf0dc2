import { UsageError } from '../../errors.js';
import { type DecimalSeparator, decimalEvidence } from './parse-amount.js';

/** What the amounts of a file say about their decimal separator; two opinions are none. */
export class SeparatorVote {
  readonly #examples = new Map<DecimalSeparator | 'either' | 'none', string>();

  see(cell: string): void {
    if (cell !== '') this.#examples.set(decimalEvidence(cell), cell);
  }

  /** What the cells agree upon; undefined where they do not, or leave both open. */
  get evidence(): DecimalSeparator | undefined {
    const [hasPoint, hasComma] = [this.#examples.has('.'), this.#examples.has(',')];
    if (hasPoint === hasComma) return undefined;
    return hasPoint ? '.' : ',';
  }

  /**
   * @param fallback what to believe where the amounts leave both open
   * @throws UsageError (exit 2) where amounts are written both ways, or only in ways that read both ways
   */
  requireSeparator(fallback: DecimalSeparator | undefined): DecimalSeparator {
    const [point, comma] = [this.#examples.get('.'), this.#examples.get(',')];
    const undecided = this.#examples.get('either');
    if (point !== undefined && comma !== undefined) {
      throw new UsageError(
        `"${point}" is written with a decimal point and "${comma}" with a decimal comma.`,
        'Say which with --decimal-separator; rows written the other way will fail.',
      );
    }
    if (point !== undefined || comma !== undefined) return point === undefined ? ',' : '.';
    if (fallback !== undefined) return fallback;
    if (undecided === undefined) return '.';
    throw new UsageError(
      `The amount "${undecided}" can be thousands or have three decimals.`,
      'Say which with --decimal-separator . or --decimal-separator ,',
    );
  }
}
