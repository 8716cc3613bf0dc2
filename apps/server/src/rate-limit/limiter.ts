import { type CallContract, headerNames } from '@centavo/contracts';
import type { Logger } from 'pino';
import { ApiError } from '../api-error.js';
import type { Principal } from '../auth/principal.js';
import { FallbackStore } from './fallback-store.js';
import { MemoryStore } from './memory-store.js';
import { connectRedisStore } from './redis-store.js';
import {
  type Bucket,
  choosePolicy,
  type LimitStatus,
  type PolicyName,
  type TokenStore,
  toLimitStatus,
} from './token-bucket.js';

// About 20 MB for a full table. Whoever touched a bucket within the last minute and comes after so many others is let off.
const bucketsMax = 100_000;

/** A limiter, and the end of what it holds open. */
export interface OpenLimiter extends Limiter {
  close(): void;
}

/**
 * Opens the limiter: in memory, or shared with other processes through Redis. A Redis that is away does not keep the
 * server from starting. Source: contract, section 7
 * @param options.elapsedMs milliseconds of a clock that nobody sets; a wall clock put forward would fill every bucket
 * @param options.onRedisChange told when Redis goes away, with the first error, and when it is back
 */
export async function openLimiter(options: {
  readonly rates: RatesPerMinute;
  readonly redisUrl: string | null;
  readonly elapsedMs: () => number;
  readonly onRedisChange: (change: { readonly isAway: boolean; readonly error: unknown }) => void;
}): Promise<OpenLimiter> {
  const { rates, redisUrl, elapsedMs } = options;
  const memory = new MemoryStore({ nowMicros: () => Math.floor(elapsedMs() * 1_000), bucketsMax });
  if (redisUrl === null) return { ...createLimiter({ rates, store: memory }), close: () => {} };
  const redis = await connectRedisStore(redisUrl);
  const store = new FallbackStore({ shared: redis, local: memory, elapsedMs, onChange: options.onRedisChange });
  return { ...createLimiter({ rates, store }), close: () => redis.close() };
}

/** How many a minute each policy allows; 0 switches it off. Source: contract, section 7. */
export type RatesPerMinute = Readonly<Record<PolicyName, number>>;

/** Asks for tokens. All answer null where the limit is switched off. */
export interface Limiter {
  /** Takes a token for one call of an identified principal: a user's for all their sessions, or a secret's own. */
  consumeForPrincipal(request: {
    readonly principal: Pick<Principal, 'type' | 'id'>;
    readonly call: CallContract;
  }): Promise<LimitStatus | null>;
  /** Takes a token for a call without a credential, by the rate of `writes`: each address has as many as a caller. */
  consumeForAddress(addressBlock: string): Promise<LimitStatus | null>;
  /**
   * Takes a token for a credential that failed.
   * @param addressBlock the part of the network it came from
   */
  consumeForFailure(addressBlock: string): Promise<LimitStatus | null>;
  /** Returns whether a credential from there may still fail, and takes no token. */
  peekForFailure(addressBlock: string): Promise<LimitStatus | null>;
}

/** The limiter over buckets that are kept anywhere. */
export function createLimiter(options: { readonly rates: RatesPerMinute; readonly store: TokenStore }): Limiter {
  const act = async (
    method: 'consume' | 'peek',
    bucket: { readonly policy: PolicyName } & Omit<Bucket, 'rateLimit'>,
  ): Promise<LimitStatus | null> => {
    const { policy, ...owner } = bucket;
    const limit = options.rates[policy];
    if (limit === 0) return null;
    const rateLimit = { policy, limit, windowSeconds: 60 };
    return toLimitStatus(rateLimit, await options.store[method]({ rateLimit, ...owner }));
  };
  const ofAddress = (policy: PolicyName, owner: string) => ({ policy, ownerKind: 'address', owner }) as const;
  return {
    consumeForPrincipal: ({ principal, call }) =>
      act('consume', {
        policy: choosePolicy(call),
        ownerKind: 'principal',
        owner: `${principal.type}:${principal.id}`,
      }),
    consumeForAddress: (addressBlock) => act('consume', ofAddress('writes', addressBlock)),
    consumeForFailure: (addressBlock) => act('consume', ofAddress('auth_failures', addressBlock)),
    peekForFailure: (addressBlock) => act('peek', ofAddress('auth_failures', addressBlock)),
  };
}

/**
 * The two headers that tell a caller its limit and where it stands: `q` tokens in `w` seconds, `r` of them left, one more
 * in `t` seconds. Source: contract, sections 7 and 10a; the IETF draft httpapi-ratelimit-headers-10.
 */
export function toRateLimitHeaders({ rateLimit, remaining, nextTokenSeconds }: LimitStatus): Record<string, string> {
  const { policy, limit, windowSeconds } = rateLimit;
  return {
    [headerNames.rateLimitPolicy]: `"${policy}";q=${limit};w=${windowSeconds}`,
    [headerNames.rateLimit]: `"${policy}";r=${remaining};t=${nextTokenSeconds}`,
  };
}

/** 429 for a bucket that is empty; whoever waits for Retry-After and was alone finds a token. Source: contract, section 5. */
export function rateLimited({ rateLimit, nextTokenSeconds }: LimitStatus): ApiError {
  const { policy, limit, windowSeconds } = rateLimit;
  return new ApiError({
    code: 'RATE_LIMITED',
    message: `More than ${limit} ${subjects[policy]} in ${windowSeconds} seconds. Wait for Retry-After, then go on slower.`,
    details: { policy, limit, windowSeconds, retryAfterSeconds: nextTokenSeconds },
    headers: { 'Retry-After': String(nextTokenSeconds) },
  });
}

const subjects = {
  reads: 'reads',
  writes: 'writes',
  admin: 'changes of credentials',
  auth_failures: 'refused credentials from this address',
} as const;

/** Logs that the rate limits are no longer shared, or are again; once each time, however many requests notice. */
export function logRedisChange(logger: Logger, change: { readonly isAway: boolean; readonly error: unknown }): void {
  if (!change.isAway) {
    logger.info('Redis answers again: rate limits are shared between processes.');
    return;
  }
  // Not the error's message: it may quote the address, which may hold a password.
  const { name, code } = change.error as { readonly name?: unknown; readonly code?: unknown };
  logger.warn({ name, code }, 'Redis does not answer: rate limits count in this process alone until it does.');
}
