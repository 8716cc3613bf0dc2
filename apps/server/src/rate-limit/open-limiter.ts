import { FallbackBuckets } from './fallback-store.js';
import { createLimiter, type Limiter, type RatesPerMinute } from './limiter.js';
import { LocalBuckets } from './memory-store.js';
import { connectSharedBuckets } from './redis-store.js';

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
  const local = new LocalBuckets({ nowMicros: () => Math.floor(elapsedMs() * 1_000), bucketsMax });
  if (redisUrl === null) return { ...createLimiter({ rates, buckets: local }), close: () => {} };
  const shared = await connectSharedBuckets(redisUrl);
  const buckets = new FallbackBuckets({ shared, local, elapsedMs, onChange: options.onRedisChange });
  return { ...createLimiter({ rates, buckets }), close: () => shared.close() };
}
