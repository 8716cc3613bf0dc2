import { decimalEvidence, type ParsedAmount, parseAmount } from '../values/amounts.js';
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

/** Finds out whether a file has decimal commas. In such a file, the point in `1.000` may separate thousands. */
export class DecimalCommas {
  #hasComma = false;

  /** Yields the entries unchanged, and checks their amounts and balances for decimal commas. */
  async *watch(entries: AsyncIterable<OfxEntry>): AsyncGenerator<OfxEntry> {
    for await (const entry of entries) {
      const text = 'fields' in entry ? (entry.fields.get('TRNAMT') ?? entry.fields.get('BALAMT') ?? '') : '';
      this.#hasComma ||= text.includes(',') && decimalEvidence(text) === ',';
      yield entry;
    }
  }

  /**
   * Returns whether the point of an amount may separate thousands, because the file has decimal commas and exactly three digits follow the
   * point. `0.500` is not ambiguous, because a number with a thousands separator does not begin with a zero.
   */
  isPointAmbiguous(text: string): boolean {
    return this.#hasComma && /^[^\d.,]*[1-9]\d*\.\d{3}[^\d.,]*$/.test(text);
  }
}
