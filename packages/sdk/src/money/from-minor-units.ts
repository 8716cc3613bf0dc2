import { fromMinorUnits as contractFromMinorUnits } from '@centavo/contracts/calls';
import type { DecimalString } from './decimal-string.js';

/**
 * Converts minor units to an amount in major units (euros, not cents), exactly: `fromMinorUnits(1234n, "EUR")` → `"12.34"`.
 * @param minorUnits the amount in the smallest unit of the currency, such as cents; may be negative
 * @param currencyCode ISO 4217, upper case
 * @throws RangeError for a currency that is not in `currencyCodes`
 * @throws TypeError if the minor units are not a bigint; a number is refused because a calculation may have rounded it
 * @example
 * import { fromMinorUnits, toMinorUnits } from '@centavo/sdk';
 *
 * let total = 0n;
 * for await (const { amountDecimal, currencyCode } of client.movements.list({ type: 'expense' })) {
 *   if (currencyCode === 'EUR') total += toMinorUnits(amountDecimal, currencyCode);
 * }
 * console.log(fromMinorUnits(total, 'EUR'));
 */
export function fromMinorUnits(minorUnits: bigint, currencyCode: string): DecimalString {
  if (typeof minorUnits !== 'bigint') throw new TypeError('Minor units must be a bigint');
  return contractFromMinorUnits(minorUnits, currencyCode) as DecimalString;
}
