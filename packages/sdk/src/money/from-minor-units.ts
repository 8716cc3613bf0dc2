import { fromMinorUnits as contractFromMinorUnits } from '@centavo/contracts/calls';
import type { DecimalString } from './decimal-string.js';

/**
 * Writes minor units as an amount in whole currency units, exactly: `fromMinorUnits(1234n, "EUR")` → `"12.34"`.
 * @param minorUnits cents, or whatever the currency's smallest unit is; may be negative
 * @param currencyCode ISO 4217, upper case
 * @throws RangeError for a currency that ISO 4217 does not list
 */
export function fromMinorUnits(minorUnits: bigint, currencyCode: string): DecimalString {
  return contractFromMinorUnits(minorUnits, currencyCode) as DecimalString;
}
