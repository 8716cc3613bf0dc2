import { describe, expect, test } from 'vitest';
import { FallbackBuckets } from './fallback-store.js';
import { LocalBuckets } from './memory-store.js';
import type { Bucket, Spent } from './token-bucket.js';

const bucket: Bucket = {
  rateLimit: { policy: 'writes', limit: 3, windowSeconds: 60 },
  ownerKind: 'principal',
  owner: 'ana',
};

function openFallback() {
  let elapsedMs = 0;
  let answer: () => Promise<Spent> = async () => ({ isAllowed: true, debtMicros: 20_000_000 });
  let asked = 0;
  const changes: boolean[] = [];
  const local = new LocalBuckets({ nowMicros: () => elapsedMs * 1000, bucketsMax: 10 });
  const shared = {
    spend: () => {
      asked += 1;
      return answer();
    },
    look: () => {
      asked += 1;
      return answer();
    },
  };
  const buckets = new FallbackBuckets({
    shared,
    local,
    elapsedMs: () => elapsedMs,
    onChange: ({ isAway }) => changes.push(isAway),
  });
  return {
    changes,
    asked: () => asked,
    spend: async () => (await buckets.spend(bucket)).isAllowed,
    look: async () => (await buckets.look(bucket)).isAllowed,
    advance: (ms: number) => {
      elapsedMs += ms;
    },
    sharedAnswers: (next: () => Promise<Spent>) => {
      answer = next;
    },
  };
}

const away = () => Promise.reject(new Error('away'));

describe('while the shared buckets are away', () => {
  test('the local ones go on from where the shared ones were last seen: nobody is given a fresh allowance', async () => {
    const { spend, sharedAnswers } = openFallback();
    sharedAnswers(async () => ({ isAllowed: true, debtMicros: 40_000_000 }));
    expect(await spend()).toBe(true);
    sharedAnswers(away);
    expect([await spend(), await spend()]).toEqual([true, false]);
  });

  test('they are tried once a second and no oftener, and one request waits for that', async () => {
    const { spend, advance, asked, sharedAnswers } = openFallback();
    sharedAnswers(away);
    await spend();
    await spend();
    advance(999);
    await spend();
    expect(asked()).toBe(1);
    advance(1);
    sharedAnswers(() => new Promise(() => {}));
    void spend();
    expect(await spend()).toBe(false);
    expect(asked()).toBe(2);
  });

  test('it is told once that they went, and once that they are back', async () => {
    const { spend, advance, changes, sharedAnswers } = openFallback();
    await spend();
    expect(changes).toEqual([]);
    sharedAnswers(away);
    await Promise.all([spend(), spend()]);
    advance(1_000);
    await spend();
    expect(changes).toEqual([true]);
    advance(1_000);
    sharedAnswers(async () => ({ isAllowed: true, debtMicros: 20_000_000 }));
    await Promise.all([spend(), spend()]);
    await spend();
    expect(changes).toEqual([true, false]);
  });
});

test('a look asks the shared buckets, and the local ones while those are away', async () => {
  const { look, spend, sharedAnswers } = openFallback();
  sharedAnswers(async () => ({ isAllowed: true, debtMicros: 40_000_000 }));
  expect(await look()).toBe(true);
  sharedAnswers(away);
  expect([await look(), await look(), await spend(), await look()]).toEqual([true, true, true, false]);
});

test('shared buckets that answer decide alone', async () => {
  const { spend, sharedAnswers } = openFallback();
  for (let index = 0; index < 5; index += 1) expect(await spend()).toBe(true);
  sharedAnswers(async () => ({ isAllowed: false, debtMicros: 60_000_000 }));
  expect(await spend()).toBe(false);
});
