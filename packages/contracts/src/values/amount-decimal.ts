import { currencyExponent } from './currency.js';

/**
 * The pattern of an unsigned decimal amount in major units (euros, not cents): without exponent or leading zeros, and with at most 15
 * digits before the point.
 * @source docs/contract.md, section 1
 */
export const amountPattern = /^(0|[1-9]\d{0,14})(\.\d+)?$/;

/** The pattern of an amount with an optional minus sign, for opening balances. */
export const signedAmountPattern = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/;

// Balances and totals may have more digits before the point than an amount in a request.
const sumPattern = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** Returns the number of decimal places of an amount, trailing zeros included. */
export function decimalsOf(amountDecimal: string): number {
  const point = amountDecimal.indexOf('.');
  return point === -1 ? 0 : amountDecimal.length - point - 1;
}

/**
 * Returns whether an amount has at most as many decimal places as its currency. Trailing zeros count.
 * @throws RangeError if the currency is unknown
 */
export function fitsCurrency(amountDecimal: string, currencyCode: string): boolean {
  return decimalsOf(amountDecimal) <= currencyExponent(currencyCode);
}

/** Returns whether an amount is zero, with any number of decimal places, with or without a minus sign. */
export function isZeroAmount(amountDecimal: string): boolean {
  return /^-?0*(\.0*)?$/.test(amountDecimal);
}

/**
 * Returns the canonical form of an amount, without trailing zeros in its decimal places, and with `0` instead of `-0`. The fingerprint of a
 * request uses it, so that requests with `"10"` and `"10.00"` have the same fingerprint.
 * @source docs/contract.md, section 6
 */
export function canonicalAmount(amountDecimal: string): string {
  const short = amountDecimal.includes('.') ? amountDecimal.replace(/\.?0+$/, '') : amountDecimal;
  return short === '-0' ? '0' : short;
}

/**
 * Formats an amount with exactly the decimal places of its currency: `("12.5", "EUR")` → `"12.50"`, `("-0", "EUR")` →
 * `"0.00"`.
 * @throws RangeError if the currency is unknown, or if digits other than zero would be lost; never if {@link fitsCurrency} returns true
 */
export function formatAmount(amountDecimal: string, currencyCode: string): string {
  const exponent = currencyExponent(currencyCode);
  // Slices by position, because a page of a list has up to 200 amounts, and splitting an amount with a regular expression takes several
  // times as long.
  const point = amountDecimal.indexOf('.');
  const wholeEnd = point === -1 ? amountDecimal.length : point;
  const decimalsEnd = wholeEnd + 1 + exponent;
  for (let index = decimalsEnd; index < amountDecimal.length; index += 1) {
    if (amountDecimal[index] !== '0')
      throw new RangeError(`An amount has more decimal places than ${currencyCode} allows`);
  }
  const whole = amountDecimal.slice(0, wholeEnd);
  const decimals = amountDecimal.slice(wholeEnd + 1, decimalsEnd).padEnd(exponent, '0');
  const formatted = exponent === 0 ? whole : `${whole}.${decimals}`;
  return formatted.startsWith('-') && isZeroAmount(formatted) ? formatted.slice(1) : formatted;
}

/**
 * Converts an amount, a balance or a total to minor units, exactly: `("12.5", "EUR")` → `1250n`.
 * @throws RangeError if the amount is malformed, the currency is unknown, or digits other than zero would be lost
 * @throws TypeError if the amount is not a string, because a number may already be rounded
 */
export function toMinorUnits(amountDecimal: string, currencyCode: string): bigint {
  if (typeof amountDecimal !== 'string') throw new TypeError('An amount must be a string such as "12.50"');
  if (!sumPattern.test(amountDecimal)) throw new RangeError('Not a decimal amount');
  return BigInt(formatAmount(amountDecimal, currencyCode).replace('.', ''));
}

/**
 * Converts minor units to an amount in major units (euros, not cents), exactly: `(1250n, "EUR")` → `"12.50"`.
 * @throws RangeError if the currency is unknown
 */
export function fromMinorUnits(minorUnits: bigint, currencyCode: string): string {
  const exponent = currencyExponent(currencyCode);
  const sign = minorUnits < 0n ? '-' : '';
  const digits = String(minorUnits < 0n ? -minorUnits : minorUnits).padStart(exponent + 1, '0');
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
