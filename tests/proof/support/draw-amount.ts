import { drawBelow } from './draw.js';
import type { SeededRandom } from './seeded-random.js';

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
  random: SeededRandom,
  { decimals, digitsMax }: { readonly decimals: number; readonly digitsMax: number },
): DrawnAmount {
  let digits = String(1 + drawBelow(random, 9));
  for (let count = drawBelow(random, digitsMax + decimals); count > 0; count -= 1) digits += drawBelow(random, 10);
  const padded = digits.padStart(decimals + 1, '0');
  const whole = decimals === 0 ? padded : padded.slice(0, -decimals);
  const fraction = decimals === 0 ? '' : padded.slice(-decimals);
  const kept = fraction.slice(0, Math.max(fraction.replace(/0+$/, '').length, drawBelow(random, decimals + 1)));
  return {
    minorUnits: BigInt(digits),
    written: kept === '' ? whole : `${whole}.${kept}`,
    full: fraction === '' ? whole : `${whole}.${fraction}`,
  };
}
