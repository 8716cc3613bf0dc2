import { describe, expect, test } from 'vitest';
import type { CallKind } from './attempt-outcome.js';
import { decideRetry, type RetryQuestion } from './retry-decision.js';

const ask = (question: Partial<RetryQuestion> & Pick<RetryQuestion, 'callKind' | 'failure'>) =>
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

describe('what is sent again', () => {
  test.each([408, 500, 502, 503, 504])('after %i: reads and keyed writes, and no other write', (status) => {
    expect(kinds.map((callKind) => ask({ callKind, failure: answered(status) }).retry)).toEqual([true, true, false]);
  });

  test('after a lost connection or an answer that is not understood: the same', () => {
    for (const failure of [lost, malformed]) {
      expect(kinds.map((callKind) => ask({ callKind, failure }).retry)).toEqual([true, true, false]);
    }
  });

  test('after 429: every call, because it was refused before it ran', () => {
    expect(kinds.map((callKind) => ask({ callKind, failure: answered(429) }).retry)).toEqual([true, true, true]);
  });

  test('after a conflict: only a key whose first request is still running', () => {
    const codes = ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED', 'VERSION_CONFLICT', 'STATE_CONFLICT'];
    const retried = codes.filter((code) => ask({ callKind: 'keyed-write', failure: answered(409, code) }).retry);
    expect(retried).toEqual(['IDEMPOTENCY_IN_PROGRESS']);
  });

  test.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 431, 501])('after %i: nothing', (status) => {
    for (const callKind of kinds) expect(ask({ callKind, failure: answered(status) }).retry).toBe(false);
  });

  test('after a redirect, or an end that the caller has set: nothing', () => {
    for (const cause of ['redirect', 'stopped'] as const) {
      const failure = { cause, status: null, code: null, retryAfterMs: null };
      for (const callKind of kinds) expect(ask({ callKind, failure }).retry).toBe(false);
    }
  });

  test('beyond maxRetries: nothing', () => {
    expect(ask({ callKind: 'read', failure: lost, retriesMade: 3 }).retry).toBe(false);
    expect(ask({ callKind: 'read', failure: lost, maxRetries: 0 }).retry).toBe(false);
  });
});

describe('how long is waited', () => {
  test('Retry-After is obeyed in full, with up to a quarter on top', () => {
    const failure = answered(429, 'RATE_LIMITED', 8_000);
    const delays = [0, 0.5, 0.999].map((chance) => ask({ callKind: 'read', failure, random: () => chance }));
    expect(delays).toMatchObject([{ delayMs: 8_000 }, { delayMs: 9_000 }, { delayMs: 9_998 }]);
  });

  test('a Retry-After beyond retryAfterMsMax is not waited for, and one of just that length is', () => {
    expect(ask({ callKind: 'read', failure: answered(503, 'X', 60_000), msLeft: 1e9 }).retry).toBe(true);
    expect(ask({ callKind: 'read', failure: answered(503, 'X', 60_001), msLeft: 1e9 }).retry).toBe(false);
  });

  test('a wait that would end after the deadline is not begun', () => {
    expect(ask({ callKind: 'read', failure: answered(429, 'X', 5_000), msLeft: 5_000 }).retry).toBe(false);
    expect(ask({ callKind: 'read', failure: lost, msLeft: 125 }).retry).toBe(false);
  });

  test('near the deadline less is put on top, so that chance does not decide whether a Retry-After is waited for', () => {
    const failure = answered(429, 'RATE_LIMITED', 28_000);
    const delays = [0, 0.5, 0.999].map((chance) => ask({ callKind: 'read', failure, random: () => chance }));
    expect(delays).toMatchObject([{ delayMs: 28_000 }, { delayMs: 29_000 }, { delayMs: 29_000 }]);
  });

  test('a wait without end is not begun, even where there is no limit at all', () => {
    const endless = Number.POSITIVE_INFINITY;
    const failure = answered(429, 'RATE_LIMITED', endless);
    expect(ask({ callKind: 'read', failure, msLeft: endless, retryAfterMsMax: endless }).retry).toBe(false);
  });

  test('without Retry-After it is full jitter, and after 429 a second more', () => {
    expect(ask({ callKind: 'read', failure: lost, retriesMade: 1 })).toMatchObject({ delayMs: 250 });
    expect(ask({ callKind: 'read', failure: answered(429) })).toMatchObject({ delayMs: 1_125 });
  });
});

test('a retry at the time that the server has named does not draw on the budget, every other one does', () => {
  const draws = (failure: RetryQuestion['failure']) => ask({ callKind: 'keyed-write', failure });
  expect(draws(answered(429, 'RATE_LIMITED', 1_000))).toMatchObject({ drawsOnBudget: false });
  expect(draws(answered(409, 'IDEMPOTENCY_IN_PROGRESS', 1_000))).toMatchObject({ drawsOnBudget: false });
  expect(draws(answered(503, 'SERVICE_UNAVAILABLE', 1_000))).toMatchObject({ drawsOnBudget: true });
  expect(draws(answered(429))).toMatchObject({ drawsOnBudget: true });
  expect(draws(lost)).toMatchObject({ drawsOnBudget: true });
});
