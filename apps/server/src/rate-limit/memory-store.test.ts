import { describe, expect, test } from 'vitest';
import { LocalBuckets } from './memory-store.js';
import type { Bucket, PolicyName } from './token-bucket.js';

function openBuckets(bucketsMax: number) {
  let nowMicros = 0;
  const buckets = new LocalBuckets({ nowMicros: () => nowMicros, bucketsMax });
  return {
    buckets,
    spend: async (owner: string, policy: PolicyName = 'reads', ownerKind: Bucket['ownerKind'] = 'principal') =>
      (await buckets.spend({ rateLimit: { policy, limit: 2, windowSeconds: 60 }, ownerKind, owner })).isAllowed,
    look: (owner: string) =>
      buckets.look({ rateLimit: { policy: 'reads', limit: 2, windowSeconds: 60 }, ownerKind: 'principal', owner }),
    advanceSeconds: (seconds: number) => {
      nowMicros += seconds * 1_000_000;
    },
  };
}

describe('buckets in memory', () => {
  test('are one for each owner and policy', async () => {
    const { spend } = openBuckets(10);
    expect([await spend('ana'), await spend('ana'), await spend('ana')]).toEqual([true, true, false]);
    expect(await spend('ben')).toBe(true);
    expect(await spend('ana', 'writes')).toBe(true);
  });

  test('are forgotten when they are full, without a timer', async () => {
    const { buckets, spend, advanceSeconds } = openBuckets(1_000);
    for (let index = 0; index < 100; index += 1) await spend(`user ${index}`);
    expect(buckets.countBuckets('reads')).toBe(100);
    advanceSeconds(30);
    for (let index = 0; index < 100; index += 1) await spend('ana');
    expect(buckets.countBuckets('reads')).toBe(1);
  });

  test('are never more than the most they may be; whoever was seen last is kept', async () => {
    const { buckets, spend } = openBuckets(5);
    await spend('ana');
    for (let index = 0; index < 100; index += 1) {
      await spend(`user ${index}`);
      await spend('ana');
    }
    expect(buckets.countBuckets('reads')).toBeLessThanOrEqual(5);
    expect(await spend('ana')).toBe(false);
  });

  test('of one policy push out none of another', async () => {
    const { spend } = openBuckets(3);
    await spend('ana');
    await spend('ana');
    for (let index = 0; index < 100; index += 1) await spend(`address ${index}`, 'auth_failures');
    expect(await spend('ana')).toBe(false);
  });

  test('of addresses push out none of a caller under the same policy, and are others than those of callers', async () => {
    const { spend } = openBuckets(3);
    await spend('ana');
    await spend('ana');
    for (let index = 0; index < 100; index += 1) await spend(`address ${index}`, 'reads', 'address');
    expect(await spend('ana')).toBe(false);
    expect(await spend('ana', 'reads', 'address')).toBe(true);
  });

  test('are looked at without a token being taken', async () => {
    const { look, spend, advanceSeconds } = openBuckets(3);
    expect(await look('ana')).toEqual({ isAllowed: true, debtMicros: 0 });
    await spend('ana');
    expect([await look('ana'), await look('ana')]).toEqual(Array(2).fill({ isAllowed: true, debtMicros: 30_000_000 }));
    await spend('ana');
    expect(await look('ana')).toEqual({ isAllowed: false, debtMicros: 60_000_000 });
    advanceSeconds(30);
    expect((await look('ana')).isAllowed).toBe(true);
  });

  test('go on from where they stood elsewhere', async () => {
    const { buckets, spend } = openBuckets(3);
    const rateLimit = { policy: 'reads', limit: 2, windowSeconds: 60 } as const;
    buckets.adopt({ rateLimit, ownerKind: 'principal', owner: 'ana' }, 60_000_000);
    expect(await spend('ana')).toBe(false);
  });
});
