import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'iovalkey';
import { inClientSpan } from '../tracing.js';
import { type Bucket, type TokenResult, type TokenStore, tokenMicros } from './token-bucket.js';

/** A token store in Redis, which several processes share. */
export interface RedisStore extends TokenStore {
  close(): void;
}

// Redis usually answers within a millisecond. A much slower Redis counts as unavailable, because HTTP requests wait for its answer.
const answerMsMax = 200;
const connectMsMax = 1_000;

// The script computes the same as consumeToken if ARGV[4] is 1, and the same as peekToken if ARGV[4] is 0. ARGV[3] is the number of
// requested tokens. Redis runs the script atomically, so two processes cannot consume the same token. The script uses the clock of Redis,
// so the clocks of the processes need not agree. A full bucket needs no key, so the key expires when the bucket is full.
const consumeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local token = tonumber(ARGV[1])
local capacity = token * tonumber(ARGV[2])
local asked = token * tonumber(ARGV[3])
local full_at = tonumber(redis.call('GET', KEYS[1]) or '0')
local until_full = math.min(math.max(full_at - now, 0), capacity)
if until_full + asked > capacity then return {0, until_full} end
if ARGV[4] == '0' then return {1, until_full} end
until_full = until_full + asked
redis.call('SET', KEYS[1], string.format('%.0f', now + until_full), 'PX', math.ceil(until_full / 1000))
return {1, until_full}
`;

/**
 * Connects to Redis (or Valkey). Resolves after the first attempt to connect, at the latest after one second. If the attempt fails, the
 * client retries in the background.
 * @param url `redis://` or `rediss://`
 * @returns a store whose methods reject within 200 ms while Redis does not answer
 */
export async function connectRedisStore(url: string): Promise<RedisStore> {
  // Imported here, so that a server without REDIS_URL does not load the client.
  const { Redis } = await import('iovalkey');
  const redis = new Redis(url, {
    lazyConnect: true,
    commandTimeout: answerMsMax,
    connectTimeout: connectMsMax,
    // If a command cannot be sent, FallbackStore uses its local store instead. By default the client would send the command later, and the
    // request would consume a token in both stores.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 50, 1_000),
  });
  // Without a listener the client prints each failed attempt to connect. FallbackStore reports the first failed command instead.
  redis.on('error', () => {});
  const connected = redis.connect().catch(() => {});
  await Promise.race([connected, sleep(connectMsMax, undefined, { ref: false })]);
  return {
    consume: (bucket) => runScript(redis, bucket, { consumes: true }),
    peek: (bucket) => runScript(redis, bucket, { consumes: false }),
    close: () => redis.disconnect(),
  };
}

async function runScript(
  redis: Redis,
  { rateLimit, tokens, ownerKind, owner }: Bucket,
  { consumes }: { readonly consumes: boolean },
): Promise<TokenResult> {
  const key = `centavo:limit:${rateLimit.policy}:${ownerKind === 'address' ? 'address:' : ''}${owner}`;
  const span = {
    name: 'EVAL',
    attributes: {
      'db.system.name': 'redis',
      'db.namespace': String(redis.options.db),
      'db.operation.name': 'EVAL',
      'server.address': redis.options.host,
      'server.port': redis.options.port,
    },
  };
  const answer = await inClientSpan(span, () =>
    redis.eval(consumeScript, 1, key, tokenMicros(rateLimit), rateLimit.limit, tokens, consumes ? 1 : 0),
  );
  const [isAllowed, microsUntilFull] = answer as [number, number];
  return { isAllowed: isAllowed === 1, microsUntilFull };
}
