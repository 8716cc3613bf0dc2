import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'iovalkey';
import { type Bucket, type TokenResult, type TokenStore, tokenMicros } from './token-bucket.js';

/** TokenStore that several processes share. */
export interface RedisStore extends TokenStore {
  close(): void;
}

// Redis answers within a millisecond; one that takes this long is as good as away, and the caller is waiting.
const answerMsMax = 200;
const connectMsMax = 1_000;

// The same arithmetic as consumeToken, and as peekToken where no token is to be taken, in one step and by the clock of Redis, so that no two processes can take one token and
// their clocks need not agree. A full bucket needs no key, so the key expires when the bucket is full.
const consumeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local token = tonumber(ARGV[1])
local capacity = token * tonumber(ARGV[2])
local full_at = tonumber(redis.call('GET', KEYS[1]) or '0')
local debt = math.min(math.max(full_at - now, 0), capacity)
if debt + token > capacity then return {0, debt} end
if ARGV[3] == '0' then return {1, debt} end
debt = debt + token
redis.call('SET', KEYS[1], string.format('%.0f', now + debt), 'PX', math.ceil(debt / 1000))
return {1, debt}
`;

/**
 * Opens the buckets in Redis (or Valkey). It returns when the connection stands, or after a second without one; from then
 * on the connection is looked after in the background.
 * @param url `redis://` or `rediss://`
 * @returns buckets whose methods reject, within 200 ms, while Redis does not answer
 */
export async function connectRedisStore(url: string): Promise<RedisStore> {
  // Imported here, so that a server without REDIS_URL loads nothing of it.
  const { Redis } = await import('iovalkey');
  const redis = new Redis(url, {
    lazyConnect: true,
    commandTimeout: answerMsMax,
    connectTimeout: connectMsMax,
    // What cannot be asked now is decided locally now; asked later, it would take a token for nothing.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 50, 1_000),
  });
  // Without a listener each failed attempt to connect would be printed; the requests notice, and say so once.
  redis.on('error', () => {});
  const connected = redis.connect().catch(() => {});
  await Promise.race([connected, sleep(connectMsMax, undefined, { ref: false })]);
  return {
    consume: (bucket) => runScript(redis, bucket, 1),
    peek: (bucket) => runScript(redis, bucket, 0),
    close: () => redis.disconnect(),
  };
}

/** @param taken how many tokens are taken if there is one */
async function runScript(redis: Redis, { rateLimit, ownerKind, owner }: Bucket, taken: 0 | 1): Promise<TokenResult> {
  const key = `centavo:limit:${rateLimit.policy}:${ownerKind === 'address' ? 'address:' : ''}${owner}`;
  const answer = await redis.eval(consumeScript, 1, key, tokenMicros(rateLimit), rateLimit.limit, taken);
  const [isAllowed, debtMicros] = answer as [number, number];
  return { isAllowed: isAllowed === 1, debtMicros };
}
