import { describe, expect, test } from 'vitest';
import type { CallKind } from './attempt-outcome.js';
import { decideRetry, type RetryQuestion } from './retry-decision.js';

const decide = (question: Partial<RetryQuestion> & Pick<RetryQuestion, 'callKind' | 'failure'>) =>
  decideRetry({
    retriesMade: 0,
    maxRetries: 3,
    msLeft: 30_000,
    retryAfterMsMax: 60_000,
    random: () => 0.5,
    ...question,
  });
const answered = (status: number, code = 'X', retryAfterMs: number | null = null) =>
  ({ cause: 'answer', status, code, retryAfterMs }) as const;
const lost = { cause: 'connection', status: null, code: null, retryAfterMs: null } as const;
const malformed = { cause: 'malformed', status: 200, code: null, retryAfterMs: null } as const;
const kinds: readonly CallKind[] = ['read', 'keyed-write', 'unkeyed-write'];

describe('decideRetry', () => {
  test.each([408, 500, 502, 503, 504])(
    'retries reads and writes with an idempotency key, and no other write, after status %i',
    (status) => {
      expect(kinds.map((callKind) => decide({ callKind, failure: answered(status) }).retry)).toEqual([
        true,
        true,
        false,
      ]);
    },
  );

  test('retries reads and writes with an idempotency key, and no other write, after a lost connection or a malformed response', () => {
    for (const failure of [lost, malformed]) {
      expect(kinds.map((callKind) => decide({ callKind, failure }).retry)).toEqual([true, true, false]);
    }
  });

  test('retries all calls after 429, because the server refused them before they ran', () => {
    expect(kinds.map((callKind) => decide({ callKind, failure: answered(429) }).retry)).toEqual([true, true, true]);
  });

  test('retries a write after a conflict only if a request with its key is in progress', () => {
    const codes = ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED', 'VERSION_CONFLICT', 'STATE_CONFLICT'];
    const retried = codes.filter((code) => decide({ callKind: 'keyed-write', failure: answered(409, code) }).retry);
    expect(retried).toEqual(['IDEMPOTENCY_IN_PROGRESS']);
  });

  // @proves spec, Errors: 400
  // @proves spec, Errors: 403
  test.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 431, 501])('retries no call after status %i', (status) => {
    for (const callKind of kinds) expect(decide({ callKind, failure: answered(status) }).retry).toBe(false);
  });

  test('retries no call after a redirect or an abort by the caller', () => {
    for (const cause of ['redirect', 'stopped'] as const) {
      const failure = { cause, status: null, code: null, retryAfterMs: null };
      for (const callKind of kinds) expect(decide({ callKind, failure }).retry).toBe(false);
    }
  });

  // @proves spec, Errors: 500
  test('retries no call beyond maxRetries', () => {
    expect(decide({ callKind: 'read', failure: lost, retriesMade: 3 }).retry).toBe(false);
    expect(decide({ callKind: 'read', failure: lost, maxRetries: 0 }).retry).toBe(false);
  });
});

describe('the wait before a retry', () => {
  // @proves spec, Errors: 429
  test('is at least Retry-After, and at most a quarter longer', () => {
    const failure = answered(429, 'RATE_LIMITED', 8_000);
    const delays = [0, 0.5, 0.999].map((chance) => decide({ callKind: 'read', failure, random: () => chance }));
    expect(delays).toMatchObject([{ delayMs: 8_000 }, { delayMs: 9_000 }, { delayMs: 9_998 }]);
  });

  test('does not start if Retry-After is longer than retryAfterMsMax, but starts if the two are equal', () => {
    expect(decide({ callKind: 'read', failure: answered(503, 'X', 60_000), msLeft: 1e9 }).retry).toBe(true);
    expect(decide({ callKind: 'read', failure: answered(503, 'X', 60_001), msLeft: 1e9 }).retry).toBe(false);
  });

  test('does not start if it would end at or after the deadline', () => {
    expect(decide({ callKind: 'read', failure: answered(429, 'X', 5_000), msLeft: 5_000 }).retry).toBe(false);
    expect(decide({ callKind: 'read', failure: lost, msLeft: 125 }).retry).toBe(false);
  });

  test('has less jitter near the deadline, so that the jitter never prevents the retry', () => {
    const failure = answered(429, 'RATE_LIMITED', 28_000);
    const delays = [0, 0.5, 0.999].map((chance) => decide({ callKind: 'read', failure, random: () => chance }));
    expect(delays).toMatchObject([{ delayMs: 28_000 }, { delayMs: 29_000 }, { delayMs: 29_000 }]);
  });

  test('does not start for an infinite Retry-After, even if the deadline and retryAfterMsMax are infinite', () => {
    const endless = Number.POSITIVE_INFINITY;
    const failure = answered(429, 'RATE_LIMITED', endless);
    expect(decide({ callKind: 'read', failure, msLeft: endless, retryAfterMsMax: endless }).retry).toBe(false);
  });

  // @proves spec, Errors: 429
  test('has full jitter without Retry-After, and is one second longer after 429', () => {
    expect(decide({ callKind: 'read', failure: lost, retriesMade: 1 })).toMatchObject({ delayMs: 250 });
    expect(decide({ callKind: 'read', failure: answered(429) })).toMatchObject({ delayMs: 1_125 });
  });
});

test('decideRetry counts a retry against the budget, except after a 429 or IDEMPOTENCY_IN_PROGRESS that has Retry-After', () => {
  const draws = (failure: RetryQuestion['failure']) => decide({ callKind: 'keyed-write', failure });
  expect(draws(answered(429, 'RATE_LIMITED', 1_000))).toMatchObject({ drawsOnBudget: false });
  expect(draws(answered(409, 'IDEMPOTENCY_IN_PROGRESS', 1_000))).toMatchObject({ drawsOnBudget: false });
  expect(draws(answered(503, 'SERVICE_UNAVAILABLE', 1_000))).toMatchObject({ drawsOnBudget: true });
  expect(draws(answered(429))).toMatchObject({ drawsOnBudget: true });
  expect(draws(lost)).toMatchObject({ drawsOnBudget: true });
});
