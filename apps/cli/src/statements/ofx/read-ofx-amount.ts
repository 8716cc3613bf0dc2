import { type ParsedAmount, parseAmount } from '../csv/parse-amount.js';

/**
 * OFX groups no thousands, and takes a point or a comma for the decimals; banks group all the same.
 * @returns undefined for what is no amount, or could be two
 */
export function readOfxAmount(text: string): ParsedAmount | undefined {
  // `1,234` may be a thousand or one and three decimals: nothing tells, and either could be wrong.
  if (/^[+-]?\s*\d{1,3},\d{3}$/.test(text)) return undefined;
  const isComma = text.lastIndexOf(',') > text.lastIndexOf('.');
  return parseAmount(text, isComma ? ',' : '.');
}
