import { drawBelow } from './draw.js';
import type { Chance } from './seeded-chance.js';

/** An amount as a string and in minor units, computed by integer arithmetic alone. */
export interface DrawnAmount {
  readonly minorUnits: bigint;
  /** A form that the API accepts, possibly without trailing zeros. */
  readonly written: string;
  /** The form with exactly the decimal places of its currency. */
  readonly full: string;
}

/** Returns a random positive amount whose number of digits is evenly distributed. */
export function drawAmount(
  chance: Chance,
  { decimals, digitsMax }: { readonly decimals: number; readonly digitsMax: number },
): DrawnAmount {
  let digits = String(1 + drawBelow(chance, 9));
  for (let count = drawBelow(chance, digitsMax + decimals); count > 0; count -= 1) digits += drawBelow(chance, 10);
  const padded = digits.padStart(decimals + 1, '0');
  const whole = decimals === 0 ? padded : padded.slice(0, -decimals);
  const fraction = decimals === 0 ? '' : padded.slice(-decimals);
  const kept = fraction.slice(0, Math.max(fraction.replace(/0+$/, '').length, drawBelow(chance, decimals + 1)));
  return {
    minorUnits: BigInt(digits),
    written: kept === '' ? whole : `${whole}.${kept}`,
    full: fraction === '' ? whole : `${whole}.${fraction}`,
  };
}
