import { describe, expect, test } from 'vitest';
import { FallbackStore } from './fallback-store.js';
import { MemoryStore } from './memory-store.js';
import type { Bucket, TokenResult } from './token-bucket.js';

const bucket: Bucket = {
  rateLimit: { policy: 'writes', limit: 3, windowSeconds: 60 },
  tokens: 1,
  ownerKind: 'principal',
  owner: 'ana',
};

function openFallback() {
  let elapsedMs = 0;
  let answer: () => Promise<TokenResult> = async () => ({ isAllowed: true, microsUntilFull: 20_000_000 });
  let attempts = 0;
  const changes: boolean[] = [];
  const local = new MemoryStore({ nowMicros: () => elapsedMs * 1000, bucketsMax: 10 });
  const shared = {
    consume: () => {
      attempts += 1;
      return answer();
    },
    peek: () => {
      attempts += 1;
      return answer();
    },
  };
  const store = new FallbackStore({
    shared,
    local,
    elapsedMs: () => elapsedMs,
    onChange: ({ isUnavailable }) => changes.push(isUnavailable),
  });
  return {
    changes,
    attempts: () => attempts,
    consume: async () => (await store.consume(bucket)).isAllowed,
    peek: async () => (await store.peek(bucket)).isAllowed,
    advance: (ms: number) => {
      elapsedMs += ms;
    },
    sharedAnswers: (next: () => Promise<TokenResult>) => {
      answer = next;
    },
  };
}

const unavailable = () => Promise.reject(new Error('unavailable'));

describe('FallbackStore while the shared store is unavailable', () => {
  test('continues each bucket from its last state in the shared store, so that no caller gets a full bucket', async () => {
    const { consume, sharedAnswers } = openFallback();
    sharedAnswers(async () => ({ isAllowed: true, microsUntilFull: 40_000_000 }));
    expect(await consume()).toBe(true);
    sharedAnswers(unavailable);
    expect([await consume(), await consume()]).toEqual([true, false]);
  });

  test('tries the shared store once a second, with only one request waiting for it', async () => {
    const { consume, advance, attempts, sharedAnswers } = openFallback();
    sharedAnswers(unavailable);
    await consume();
    await consume();
    advance(999);
    await consume();
    expect(attempts()).toBe(1);
    advance(1);
    sharedAnswers(() => new Promise(() => {}));
    void consume();
    expect(await consume()).toBe(false);
    expect(attempts()).toBe(2);
  });

  test('reports once that the shared store is unavailable, and once that it answers again', async () => {
    const { consume, advance, changes, sharedAnswers } = openFallback();
    await consume();
    expect(changes).toEqual([]);
    sharedAnswers(unavailable);
    await Promise.all([consume(), consume()]);
    advance(1_000);
    await consume();
    expect(changes).toEqual([true]);
    advance(1_000);
    sharedAnswers(async () => ({ isAllowed: true, microsUntilFull: 20_000_000 }));
    await Promise.all([consume(), consume()]);
    await consume();
    expect(changes).toEqual([true, false]);
  });
});

test('FallbackStore reads the limit status from the local store while the shared store is unavailable', async () => {
  const { peek, consume, sharedAnswers } = openFallback();
  sharedAnswers(async () => ({ isAllowed: true, microsUntilFull: 40_000_000 }));
  expect(await peek()).toBe(true);
  sharedAnswers(unavailable);
  expect([await peek(), await peek(), await consume(), await peek()]).toEqual([true, true, true, false]);
});

test('FallbackStore uses only the shared store while it answers', async () => {
  const { consume, sharedAnswers } = openFallback();
  for (let index = 0; index < 5; index += 1) expect(await consume()).toBe(true);
  sharedAnswers(async () => ({ isAllowed: false, microsUntilFull: 60_000_000 }));
  expect(await consume()).toBe(false);
});
