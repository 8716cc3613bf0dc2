import { decimalEvidence, type ParsedAmount, parseAmount } from '../values/amounts.js';
import { isWrittenWhole } from '../values/detect-decimal-separator.js';
import type { OfxEntry } from './entries.js';

/**
 * Parses an amount. OFX allows a decimal point or comma and no group separators, but some banks write group separators.
 * @returns undefined if the text is not an amount, or can be read as two different amounts
 */
export function readOfxAmount(text: string): ParsedAmount | undefined {
  if (hasAmbiguousComma(text)) return undefined;
  const isComma = text.lastIndexOf(',') > text.lastIndexOf('.');
  return parseAmount(text, isComma ? ',' : '.');
}

/**
 * Returns whether the comma of an amount is ambiguous: `1,234` may be 1234 or 1.234. `0,500` is not ambiguous, because a
 * number with a thousands separator does not begin with a zero.
 */
export function hasAmbiguousComma(text: string): boolean {
  return /^[^\d.,]*[1-9]\d{0,2},\d{3}[^\d.,]*$/.test(text);
}

/**
 * Returns whether the point of an amount may separate thousands, as in `1.234 EUR` or `(1.234)`. In OFX, a point always separates
 * decimals, but these two texts are not valid OFX amounts. `0.500 EUR` is not ambiguous, because a number with a thousands separator does
 * not begin with a zero.
 */
export function hasAmbiguousPoint(text: string): boolean {
  return /^[^\d.,]*[1-9]\d{0,2}\.\d{3}[^\d.,]*$/.test(text) && !/^[+-]?\s*[\d.]+$/.test(text);
}

/** Finds out what the points in the amounts of a file may mean. In OFX, they separate decimals, but some banks write `1.000` for 1000. */
export class PointsOfAmounts {
  #hasDecimalCommas = false;
  #hasGroups = false;

  /** Yields the entries unchanged, and checks their amounts and balances. */
  async *watch(entries: AsyncIterable<OfxEntry>): AsyncGenerator<OfxEntry> {
    for await (const entry of entries) {
      const text = 'fields' in entry ? (entry.fields.get('TRNAMT') ?? entry.fields.get('BALAMT') ?? '') : '';
      const hasNoDecimalPoint = decimalEvidence(text) === ',';
      this.#hasDecimalCommas ||= hasNoDecimalPoint && text.includes(',');
      this.#hasGroups ||= hasNoDecimalPoint && !text.includes(',');
      yield entry;
    }
  }

  /**
   * Returns the reason why the point of an amount may separate thousands. Undefined if it certainly separates decimals: it is not followed
   * by exactly three digits, or nothing in the file or its currency suggests thousands. `0.500` is certain too, because a number with a
   * thousands separator does not begin with a zero.
   */
  findAmbiguity(text: string, currencyCode: string | null): string | undefined {
    if (!/^[^\d.,]*[1-9]\d*\.\d{3}[^\d.,]*$/.test(text)) return undefined;
    if (this.#hasDecimalCommas) return 'the file also has decimal commas';
    if (this.#hasGroups) return 'the file also has points between thousands';
    return isWrittenWhole(currencyCode, '.') ? `${currencyCode} is usually written without decimals` : undefined;
  }
}
