import { describe, expect, test } from 'vitest';
import { MemoryStore } from './memory-store.js';
import type { Bucket, PolicyName } from './token-bucket.js';

function openStore(bucketsMax: number) {
  let nowMicros = 0;
  const store = new MemoryStore({ nowMicros: () => nowMicros, bucketsMax });
  return {
    store,
    consume: async (owner: string, policy: PolicyName = 'reads', ownerKind: Bucket['ownerKind'] = 'principal') =>
      (await store.consume({ rateLimit: { policy, limit: 2, windowSeconds: 60 }, tokens: 1, ownerKind, owner }))
        .isAllowed,
    peek: (owner: string) =>
      store.peek({
        rateLimit: { policy: 'reads', limit: 2, windowSeconds: 60 },
        tokens: 1,
        ownerKind: 'principal',
        owner,
      }),
    advanceSeconds: (seconds: number) => {
      nowMicros += seconds * 1_000_000;
    },
  };
}

describe('MemoryStore', () => {
  test('keeps one bucket per owner and policy', async () => {
    const { consume } = openStore(10);
    expect([await consume('ana'), await consume('ana'), await consume('ana')]).toEqual([true, true, false]);
    expect(await consume('ben')).toBe(true);
    expect(await consume('ana', 'writes')).toBe(true);
  });

  test('deletes buckets that are full again when callers consume tokens, and needs no timer', async () => {
    const { store, consume, advanceSeconds } = openStore(1_000);
    for (let index = 0; index < 100; index += 1) await consume(`user ${index}`);
    expect(store.countBuckets('reads')).toBe(100);
    advanceSeconds(30);
    for (let index = 0; index < 100; index += 1) await consume('ana');
    expect(store.countBuckets('reads')).toBe(1);
  });

  test('stores at most bucketsMax buckets, and evicts the least recently used', async () => {
    const { store, consume } = openStore(5);
    await consume('ana');
    for (let index = 0; index < 100; index += 1) {
      await consume(`user ${index}`);
      await consume('ana');
    }
    expect(store.countBuckets('reads')).toBeLessThanOrEqual(5);
    expect(await consume('ana')).toBe(false);
  });

  test('does not let one policy evict buckets of another policy', async () => {
    const { consume } = openStore(3);
    await consume('ana');
    await consume('ana');
    for (let index = 0; index < 100; index += 1) await consume(`address ${index}`, 'auth_failures');
    expect(await consume('ana')).toBe(false);
  });

  test('keeps the buckets of addresses and of callers apart, so that addresses evict no bucket of a caller', async () => {
    const { consume } = openStore(3);
    await consume('ana');
    await consume('ana');
    for (let index = 0; index < 100; index += 1) await consume(`address ${index}`, 'reads', 'address');
    expect(await consume('ana')).toBe(false);
    expect(await consume('ana', 'reads', 'address')).toBe(true);
  });

  test('reports the limit status without consuming a token', async () => {
    const { peek, consume, advanceSeconds } = openStore(3);
    expect(await peek('ana')).toEqual({ isAllowed: true, microsUntilFull: 0 });
    await consume('ana');
    expect([await peek('ana'), await peek('ana')]).toEqual(
      Array(2).fill({ isAllowed: true, microsUntilFull: 30_000_000 }),
    );
    await consume('ana');
    expect(await peek('ana')).toEqual({ isAllowed: false, microsUntilFull: 60_000_000 });
    advanceSeconds(30);
    expect((await peek('ana')).isAllowed).toBe(true);
  });

  test('refuses a token after the state of an empty bucket was copied from the shared store', async () => {
    const { store, consume } = openStore(3);
    const rateLimit = { policy: 'reads', limit: 2, windowSeconds: 60 } as const;
    store.setMicrosUntilFull({ rateLimit, tokens: 1, ownerKind: 'principal', owner: 'ana' }, 60_000_000);
    expect(await consume('ana')).toBe(false);
  });
});
