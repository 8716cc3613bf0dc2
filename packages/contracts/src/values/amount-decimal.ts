import { currencyExponent } from './currency.js';

/** An unsigned amount in whole currency units: no exponent, no leading zeros, no sign. Source: contract, section 1. */
export const amountPattern = /^(0|[1-9]\d{0,14})(\.\d+)?$/;

/** The same with a sign, for opening balances. */
export const signedAmountPattern = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/;

/** How many decimals an amount was written with. */
export function decimalsOf(amountDecimal: string): number {
  const point = amountDecimal.indexOf('.');
  return point === -1 ? 0 : amountDecimal.length - point - 1;
}

/** Whether an amount can be written in its currency without rounding. */
export function fitsCurrency(amountDecimal: string, currencyCode: string): boolean {
  return decimalsOf(amountDecimal) <= currencyExponent(currencyCode);
}

/** Whether an amount is zero, whatever its decimals and sign. */
export function isZeroAmount(amountDecimal: string): boolean {
  return /^-?0*(\.0*)?$/.test(amountDecimal);
}

/**
 * The one spelling of an amount that equal amounts share: no trailing zeros, no `-0`. For fingerprints, so that
 * `"10"` and `"10.00"` are the same intent. Source: contract, section 6.
 */
export function canonicalAmount(amountDecimal: string): string {
  const short = amountDecimal.includes('.') ? amountDecimal.replace(/\.?0+$/, '') : amountDecimal;
  return short === '-0' ? '0' : short;
}

/**
 * Echoes an amount with exactly the decimals of its currency: `("12.5", "EUR")` → `"12.50"`, `("-0", "EUR")` → `"0.00"`.
 * @throws RangeError when digits other than zero would be lost; the caller has checked with {@link fitsCurrency}
 */
export function formatAmount(amountDecimal: string, currencyCode: string): string {
  const exponent = currencyExponent(currencyCode);
  // Cut by positions: a page of movements has fifty amounts, and splitting and matching each costs several times as much.
  const point = amountDecimal.indexOf('.');
  const wholeEnd = point === -1 ? amountDecimal.length : point;
  const decimalsEnd = wholeEnd + 1 + exponent;
  for (let index = decimalsEnd; index < amountDecimal.length; index += 1) {
    if (amountDecimal[index] !== '0') throw new RangeError(`An amount has more decimals than ${currencyCode} allows`);
  }
  const whole = amountDecimal.slice(0, wholeEnd);
  const decimals = amountDecimal.slice(wholeEnd + 1, decimalsEnd).padEnd(exponent, '0');
  const formatted = exponent === 0 ? whole : `${whole}.${decimals}`;
  return formatted.startsWith('-') && isZeroAmount(formatted) ? formatted.slice(1) : formatted;
}

/**
 * An amount in minor units, exactly: `("12.5", "EUR")` → `1250n`.
 * @throws RangeError when the amount is malformed or has more decimals than its currency
 * @throws TypeError for an amount that is no string: a number may have been rounded already
 */
export function toMinorUnits(amountDecimal: string, currencyCode: string): bigint {
  if (typeof amountDecimal !== 'string') throw new TypeError('An amount must be a string such as "12.50"');
  if (!signedAmountPattern.test(amountDecimal)) throw new RangeError('Not a decimal amount');
  return BigInt(formatAmount(amountDecimal, currencyCode).replace('.', ''));
}

/** Minor units as an amount in whole units, exactly: `(1250n, "EUR")` → `"12.50"`. */
export function fromMinorUnits(minorUnits: bigint, currencyCode: string): string {
  const exponent = currencyExponent(currencyCode);
  const sign = minorUnits < 0n ? '-' : '';
  const digits = String(minorUnits < 0n ? -minorUnits : minorUnits).padStart(exponent + 1, '0');
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
