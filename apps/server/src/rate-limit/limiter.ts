import { type CallContract, errorCodes, headerNames } from '@centavo/contracts';
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

// The maximum number of buckets in each table of MemoryStore. A table of this size takes about 20 MB. If more than 100,000 callers consume
// tokens within a minute, the callers that were inactive longest get a full bucket again.
const bucketsMax = 100_000;

/** A limiter that may have a connection to Redis. */
export interface OpenLimiter extends Limiter {
  close(): void;
}

/**
 * Opens the limiter: in memory, or shared with other processes through Redis. The server also starts while Redis is unavailable.
 * @param options.elapsedMs milliseconds of a monotonic clock; a wall clock that is set forward would fill every bucket
 * @param options.onRedisChange called with the first error when Redis becomes unavailable, and called again when Redis answers
 * @source docs/contract.md, section 7
 */
export async function openLimiter(options: {
  readonly rates: RatesPerMinute;
  readonly redisUrl: string | null;
  readonly elapsedMs: () => number;
  readonly onRedisChange: (change: { readonly isUnavailable: boolean; readonly error: unknown }) => void;
}): Promise<OpenLimiter> {
  const { rates, redisUrl, elapsedMs } = options;
  const memory = new MemoryStore({ nowMicros: () => Math.floor(elapsedMs() * 1_000), bucketsMax });
  if (redisUrl === null) return { ...createLimiter({ rates, store: memory }), close: () => {} };
  const redis = await connectRedisStore(redisUrl);
  const store = new FallbackStore({ shared: redis, local: memory, elapsedMs, onChange: options.onRedisChange });
  return { ...createLimiter({ rates, store }), close: () => redis.close() };
}

/**
 * The limit of each policy, in requests per minute; 0 switches the limit off.
 * @source docs/contract.md, section 7
 */
export type RatesPerMinute = Readonly<Record<PolicyName, number>>;

/** Consumes rate limit tokens. A method returns null if the limit that it applies is switched off. */
export interface Limiter {
  /**
   * Consumes tokens of an authenticated principal, one by default. All sessions of a user share a bucket. Each secret that acts for a
   * user has its own bucket.
   */
  consumeForPrincipal(request: {
    readonly principal: Pick<Principal, 'type' | 'id'>;
    readonly call: CallContract;
    readonly tokens?: number;
  }): Promise<LimitStatus | null>;
  /** Consumes a token of an address, for an operation without a credential. The limit of the policy `writes` applies. */
  consumeForAddress(addressBlock: string): Promise<LimitStatus | null>;
  /** Consumes a token of the address that sent a failed credential. */
  consumeForFailure(addressBlock: string): Promise<LimitStatus | null>;
  /** Returns the status of the limit for failed credentials from this address, without consuming a token. */
  peekForFailure(addressBlock: string): Promise<LimitStatus | null>;
}

/** Creates a limiter that uses the given token store. */
export function createLimiter(options: { readonly rates: RatesPerMinute; readonly store: TokenStore }): Limiter {
  const act = async (
    method: 'consume' | 'peek',
    bucket: { readonly policy: PolicyName; readonly tokens?: number } & Omit<Bucket, 'rateLimit' | 'tokens'>,
  ): Promise<LimitStatus | null> => {
    const { policy, tokens = 1, ...owner } = bucket;
    const limit = options.rates[policy];
    if (limit === 0) return null;
    const rateLimit = { policy, limit, windowSeconds: 60 };
    // Capped at the limit, because a request for more tokens than the capacity would never be allowed.
    const request = { rateLimit, tokens: Math.min(tokens, limit), ...owner };
    return toLimitStatus(request, await options.store[method](request));
  };
  const ofAddress = (policy: PolicyName, owner: string) => ({ policy, ownerKind: 'address', owner }) as const;
  return {
    consumeForPrincipal: ({ principal, call, tokens = 1 }) =>
      act('consume', {
        tokens,
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
 * Returns the headers `RateLimit-Policy` (at most `q` tokens, which refill within `w` seconds) and `RateLimit` (`r` tokens are left, and
 * the bucket gets the next token in `t` seconds).
 * @source docs/contract.md, sections 7 and 10a; IETF draft httpapi-ratelimit-headers-10
 */
export function toRateLimitHeaders({ rateLimit, remaining, nextTokenSeconds }: LimitStatus): Record<string, string> {
  const { policy, limit, windowSeconds } = rateLimit;
  return {
    [headerNames.rateLimitPolicy]: `"${policy}";q=${limit};w=${windowSeconds}`,
    [headerNames.rateLimit]: `"${policy}";r=${remaining};t=${nextTokenSeconds}`,
  };
}

/**
 * Returns the 429 error for a bucket without enough tokens. After the time in Retry-After the bucket has enough tokens, unless another
 * request consumes tokens first.
 * @source docs/contract.md, section 5
 */
export function rateLimited({ rateLimit, retryAfterSeconds }: LimitStatus): ApiError {
  const { policy, limit, windowSeconds } = rateLimit;
  return new ApiError({
    code: 'RATE_LIMITED',
    message: `More than ${limit} ${subjects[policy]} in ${windowSeconds} seconds. ${errorCodes.RATE_LIMITED.remedy}`,
    details: { policy, limit, windowSeconds, retryAfterSeconds },
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}

const subjects = {
  reads: 'reads',
  writes: 'writes',
  admin: 'changes of credentials',
  auth_failures: 'refused credentials from this address',
} as const;

/** Logs that the rate limits are no longer shared between processes, or are shared again. */
export function logRedisChange(
  logger: Logger,
  change: { readonly isUnavailable: boolean; readonly error: unknown },
): void {
  if (!change.isUnavailable) {
    logger.info('Redis answers again. Rate limits are shared between processes.');
    return;
  }
  // The error's message is not logged, because it may quote the URL, which may contain a password.
  const { name, code } = change.error as { readonly name?: unknown; readonly code?: unknown };
  logger.warn({ name, code }, 'Redis does not answer. Until it does, each process applies the rate limits on its own.');
}
