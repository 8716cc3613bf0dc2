import { type RateLimit, type Spent, tokenMicros } from './rate-limit.js';

/**
 * Takes a token out of a bucket, if there is one. A bucket is one number, the moment at which it will be full again: each
 * token moves it on by the time that a token takes to come back (the generic cell rate algorithm). Within any time at most
 * the limit and what was refilled passes, which a count per window would double around its edge. Pure; whole numbers
 * only, so that nothing is lost to rounding.
 * @param bucket.fullAtMicros when it will be full, by the clock of `nowMicros`; null for one that was never touched
 * @returns also `fullAtMicros`, to be kept
 */
export function spendToken(bucket: {
  readonly fullAtMicros: number | null;
  readonly nowMicros: number;
  readonly rateLimit: RateLimit;
}): Spent & { readonly fullAtMicros: number } {
  const { nowMicros, rateLimit } = bucket;
  const token = tokenMicros(rateLimit);
  const capacity = token * rateLimit.limit;
  // A clock that was set back, or a limit that was lowered, leaves an empty bucket at worst, not one that is owed an hour.
  const debt = Math.min(Math.max((bucket.fullAtMicros ?? nowMicros) - nowMicros, 0), capacity);
  const isAllowed = debt + token <= capacity;
  const debtMicros = isAllowed ? debt + token : debt;
  return { isAllowed, debtMicros, fullAtMicros: nowMicros + debtMicros };
}

/** Returns whether a bucket has a token, and takes none. Pure; see {@link spendToken}. */
export function lookForToken(bucket: Parameters<typeof spendToken>[0]): Spent {
  const { isAllowed, debtMicros } = spendToken(bucket);
  return { isAllowed, debtMicros: isAllowed ? debtMicros - tokenMicros(bucket.rateLimit) : debtMicros };
}
