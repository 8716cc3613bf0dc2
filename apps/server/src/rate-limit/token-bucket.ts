import type { CallContract } from '@centavo/contracts';

/**
 * The rate limit policy of a request.
 * @source docs/contract.md, sections 7 and 10a
 */
export type PolicyName = 'reads' | 'writes' | 'admin' | 'auth_failures';

/** The size of a token bucket. The bucket contains at most `limit` tokens and refills evenly within `windowSeconds`. */
export interface RateLimit {
  readonly policy: PolicyName;
  /** A whole number, at least 1. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/** The owner and the limit of a bucket, and the number of requested tokens. */
export interface Bucket {
  readonly rateLimit: RateLimit;
  /** A whole number from 1 to `rateLimit.limit`. */
  readonly tokens: number;
  /** An authenticated caller or an IP address. Every store keeps the buckets of the two kinds apart. */
  readonly ownerKind: 'principal' | 'address';
  /** Identifies the owner, for example `user:` and an id. Unique within the policy and the kind of owner. */
  readonly owner: string;
}

/** The result of `consume` or `peek`. */
export interface TokenResult {
  /** True if the bucket had all requested tokens. If false, no token was consumed. */
  readonly isAllowed: boolean;
  /** Microseconds until the bucket is full again. */
  readonly microsUntilFull: number;
}

/** Stores buckets, either for this process only or shared by all processes. */
export interface TokenStore {
  /** Consumes the requested tokens if the bucket has all of them. */
  consume(bucket: Bucket): Promise<TokenResult>;
  /** Returns whether `consume` would succeed, and the time until the bucket is full. Consumes no tokens. */
  peek(bucket: Bucket): Promise<TokenResult>;
}

/** Returns the microseconds in which a bucket gains one token. Rounded up, so that rounding never allows more than the limit. */
export function tokenMicros({ limit, windowSeconds }: RateLimit): number {
  return Math.ceil((windowSeconds * 1_000_000) / limit);
}

/**
 * Returns the policy of an operation by an authenticated principal: creating, rotating and revoking credentials is `admin`, every
 * GET is `reads`, everything else is `writes`. Pure.
 * @source docs/contract.md, section 10a
 */
export function choosePolicy({ resource, method }: CallContract): Exclude<PolicyName, 'auth_failures'> {
  if (method === 'GET') return 'reads';
  return resource === 'credentials' ? 'admin' : 'writes';
}

/**
 * Consumes the requested tokens if the bucket has all of them. A bucket is one number, the time at which it will be full again. Each
 * consumed token moves that time later by one refill interval, in which the bucket gains one token (the generic cell rate algorithm). In
 * any period, the owner can consume at most the limit plus the tokens that are refilled in this period. A counter that is reset at the
 * start of each window would allow twice the limit within a moment: once just before a reset, and once just after it.
 * Pure. All numbers are integers, so that no rounding errors accumulate.
 * @param bucket.fullAtMicros when the bucket will be full, by the clock of `nowMicros`; null for an unused bucket
 * @returns the result, and the new `fullAtMicros` of the bucket
 */
export function consumeToken(bucket: {
  readonly fullAtMicros: number | null;
  readonly nowMicros: number;
  readonly rateLimit: RateLimit;
  readonly tokens: number;
}): TokenResult & { readonly fullAtMicros: number } {
  const { nowMicros, rateLimit } = bucket;
  const token = tokenMicros(rateLimit);
  const requested = token * bucket.tokens;
  const capacity = token * rateLimit.limit;
  // The time until the bucket is full is at most the refill time of an empty bucket, so that the bucket refills within one window even if
  // the clock was set back or the limit was lowered.
  const beforeMicros = Math.min(Math.max((bucket.fullAtMicros ?? nowMicros) - nowMicros, 0), capacity);
  const isAllowed = beforeMicros + requested <= capacity;
  const microsUntilFull = isAllowed ? beforeMicros + requested : beforeMicros;
  return { isAllowed, microsUntilFull, fullAtMicros: nowMicros + microsUntilFull };
}

/** Returns whether a bucket has the requested tokens, and the time until it is full. Consumes no tokens. Pure; see {@link consumeToken}. */
export function peekToken(bucket: Parameters<typeof consumeToken>[0]): TokenResult {
  const { isAllowed, microsUntilFull } = consumeToken(bucket);
  return {
    isAllowed,
    microsUntilFull: isAllowed ? microsUntilFull - tokenMicros(bucket.rateLimit) * bucket.tokens : microsUntilFull,
  };
}

/** The state of a bucket, in the units of the responses: tokens and seconds. */
export interface LimitStatus {
  readonly rateLimit: RateLimit;
  readonly isAllowed: boolean;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Whole seconds, rounded up, until the bucket gets another token; if the bucket is full, the time in which it gains one token. */
  readonly nextTokenSeconds: number;
  /** Whole seconds, rounded up, until the bucket has the requested tokens; at least 1. */
  readonly retryAfterSeconds: number;
}

/** Converts the result of `consume` or `peek` to the limit status. Pure. */
export function toLimitStatus(
  { rateLimit, tokens }: Pick<Bucket, 'rateLimit' | 'tokens'>,
  { isAllowed, microsUntilFull }: TokenResult,
): LimitStatus {
  const token = tokenMicros(rateLimit);
  // The time until the next token is `microsUntilFull` modulo the refill interval of one token, or a whole interval if the result is 0.
  const nextTokenMicros = microsUntilFull % token || token;
  return {
    rateLimit,
    isAllowed,
    remaining: Math.floor((token * rateLimit.limit - microsUntilFull) / token),
    nextTokenSeconds: Math.ceil(nextTokenMicros / 1_000_000),
    retryAfterSeconds: Math.max(1, Math.ceil((microsUntilFull - token * (rateLimit.limit - tokens)) / 1_000_000)),
  };
}
