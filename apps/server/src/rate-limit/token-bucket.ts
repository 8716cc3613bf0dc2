import type { CallContract } from '@centavo/contracts';

/** Which bucket a request empties. Source: contract, sections 7 and 10a. */
export type PolicyName = 'reads' | 'writes' | 'admin' | 'auth_failures';

/** A token bucket: it holds `limit` tokens and gets as many in `windowSeconds`, evenly. */
export interface RateLimit {
  readonly policy: PolicyName;
  /** Whole, at least 1. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/** One bucket: whose it is under its policy. */
export interface Bucket {
  readonly rateLimit: RateLimit;
  /** Whether an identified caller owns it or an address; a flood of addresses must push out no caller's bucket. */
  readonly ownerKind: 'principal' | 'address';
  /** Unique under the policy and the kind, such as `user:` and an id. */
  readonly owner: string;
}

/** What came of asking for a token. */
export interface TokenResult {
  /** Whether there was a token; if not, none was taken. */
  readonly isAllowed: boolean;
  /** Microseconds until the bucket is full again. */
  readonly debtMicros: number;
}

/** Where buckets are kept: in this process, or for all processes. */
export interface TokenStore {
  /** Takes one token out of a bucket, if there is one. */
  consume(bucket: Bucket): Promise<TokenResult>;
  /** Returns whether there is a token, and takes none. */
  peek(bucket: Bucket): Promise<TokenResult>;
}

/** Microseconds in which a bucket gets one token; rounded up, so that rounding never gives more than the limit. */
export function tokenMicros({ limit, windowSeconds }: RateLimit): number {
  return Math.ceil((windowSeconds * 1_000_000) / limit);
}

/**
 * The policy that a call of an identified principal falls under: making, rotating and revoking credentials is `admin`,
 * other GETs are `reads`, all else is `writes`. Pure. Source: contract, section 10a
 */
export function choosePolicy({ noun, method }: CallContract): Exclude<PolicyName, 'auth_failures'> {
  if (method === 'GET') return 'reads';
  return noun === 'credentials' ? 'admin' : 'writes';
}

/**
 * Takes a token out of a bucket, if there is one. A bucket is one number, the moment at which it will be full again: each
 * token moves it on by the time that a token takes to come back (the generic cell rate algorithm). Within any time at most
 * the limit and what was refilled passes, which a count per window would double around its edge. Pure; whole numbers
 * only, so that nothing is lost to rounding.
 * @param bucket.fullAtMicros when it will be full, by the clock of `nowMicros`; null for one that was never touched
 * @returns also `fullAtMicros`, to be kept
 */
export function consumeToken(bucket: {
  readonly fullAtMicros: number | null;
  readonly nowMicros: number;
  readonly rateLimit: RateLimit;
}): TokenResult & { readonly fullAtMicros: number } {
  const { nowMicros, rateLimit } = bucket;
  const token = tokenMicros(rateLimit);
  const capacity = token * rateLimit.limit;
  // A clock that was set back, or a limit that was lowered, leaves an empty bucket at worst, not one that is owed an hour.
  const debt = Math.min(Math.max((bucket.fullAtMicros ?? nowMicros) - nowMicros, 0), capacity);
  const isAllowed = debt + token <= capacity;
  const debtMicros = isAllowed ? debt + token : debt;
  return { isAllowed, debtMicros, fullAtMicros: nowMicros + debtMicros };
}

/** Returns whether a bucket has a token, and takes none. Pure; see {@link consumeToken}. */
export function peekToken(bucket: Parameters<typeof consumeToken>[0]): TokenResult {
  const { isAllowed, debtMicros } = consumeToken(bucket);
  return { isAllowed, debtMicros: isAllowed ? debtMicros - tokenMicros(bucket.rateLimit) : debtMicros };
}

/** Where a caller stands with a bucket, in the units that clients read. */
export interface LimitStatus {
  readonly rateLimit: RateLimit;
  readonly isAllowed: boolean;
  /** Whole tokens that are left now. */
  readonly remaining: number;
  /** Whole seconds, rounded up, until there is one token more: whoever waits for them when none is left has one. */
  readonly nextTokenSeconds: number;
}

/** Says what a result or refused token means for the caller. Pure. */
export function toLimitStatus(rateLimit: RateLimit, { isAllowed, debtMicros }: TokenResult): LimitStatus {
  const token = tokenMicros(rateLimit);
  // The bucket holds whole tokens, so what is missing of the next one is what is owed beyond whole ones.
  const nextTokenMicros = debtMicros % token || token;
  return {
    rateLimit,
    isAllowed,
    remaining: Math.floor((token * rateLimit.limit - debtMicros) / token),
    nextTokenSeconds: Math.ceil(nextTokenMicros / 1_000_000),
  };
}
