import { describe, expect, it } from 'vitest';
import {
  type AttemptOutcome,
  decideAttempt,
  decideSlots,
  type EndpointState,
  parseRetryAfter,
  pausesMs,
} from './decide-attempt.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.parse('2026-11-24T10:00:00Z');
const healthy: EndpointState = {
  status: 'active',
  disabledReason: null,
  failureCount: 0,
  firstFailureAtMs: null,
  retryAtMs: null,
  isThrottled: false,
  lastSuccessAtMs: null,
  activeSinceMs: start,
};
const refusal: AttemptOutcome = { status: 500, error: 'status', retryAfterMs: null };
const success: AttemptOutcome = { status: 204, error: null, retryAfterMs: null };

/** Decides one attempt with a random number that leaves the pauses unchanged. */
function attempt(before: EndpointState, outcome: AttemptOutcome, facts: object = {}) {
  return decideAttempt(before, {
    outcome,
    countedAttempts: 0,
    wasFailing: before.failureCount >= 5,
    nowMs: start,
    random: 0.5,
    ...facts,
  });
}

describe('the delivery of an event', () => {
  it('is attempted ten times over 75.6 hours if every attempt fails, and then has the status failed', () => {
    let nowMs = start;
    let countedAttempts = 0;
    const gapsMs: number[] = [];
    for (;;) {
      // Other events succeed in between, so that the endpoint is not failing.
      const { delivery } = attempt(healthy, refusal, { countedAttempts, nowMs });
      countedAttempts = delivery.countedAttempts;
      if (delivery.nextAttemptAtMs === null) {
        expect(delivery.status).toBe('failed');
        break;
      }
      gapsMs.push(delivery.nextAttemptAtMs - nowMs);
      nowMs = delivery.nextAttemptAtMs;
    }
    expect(countedAttempts).toBe(10);
    expect(gapsMs.map(Math.round)).toEqual([...pausesMs]);
    expect((nowMs - start) / hourMs).toBeCloseTo(75.6, 1);
  });

  it.each([
    [0, 4_500],
    [1, 5_500],
  ])(
    'waits for the scheduled pause ± one tenth: the random number %d makes the first pause %d ms',
    (random, pauseMs) => {
      const { delivery } = attempt(healthy, refusal, { random });
      expect((delivery.nextAttemptAtMs ?? 0) - start).toBeCloseTo(pauseMs);
    },
  );

  it('waits for the time in Retry-After if that time is longer than the scheduled pause and at most 24 hours', () => {
    const pauseAfter = (retryAfterMs: number) =>
      (attempt(healthy, { status: 503, error: 'status', retryAfterMs }).delivery.nextAttemptAtMs ?? 0) - start;
    expect(pauseAfter(60_000)).toBe(60_000);
    expect(pauseAfter(1_000)).toBeCloseTo(5_000);
    expect(pauseAfter(dayMs)).toBe(dayMs);
    expect(pauseAfter(dayMs + 1)).toBeCloseTo(5_000);
  });
});

describe('an endpoint', () => {
  it('is failing after five failures in a row; the retries after that are at most an hour apart and leave countedAttempts unchanged', () => {
    let state = healthy;
    for (let count = 1; count <= 4; count += 1) state = attempt(state, refusal).endpoint;
    expect(state).toMatchObject({ failureCount: 4, retryAtMs: null });
    state = attempt(state, refusal).endpoint;
    expect((state.retryAtMs ?? 0) - start).toBeCloseTo(5_000);
    const gapsMs: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const nowMs = state.retryAtMs ?? 0;
      const decided = attempt(state, refusal, { countedAttempts: 1, nowMs });
      expect(decided.delivery).toMatchObject({ status: 'pending', countedAttempts: 1 });
      state = decided.endpoint;
      gapsMs.push((state.retryAtMs ?? 0) - nowMs);
    }
    expect(gapsMs[0]).toBeCloseTo(5 * 60_000);
    expect(gapsMs[1]).toBeCloseTo(30 * 60_000);
    for (const gap of gapsMs.slice(2)) expect(gap).toBeLessThanOrEqual(hourMs);
    expect(state.firstFailureAtMs).toBe(start);
  });

  it('is tried again 5 s after its fifth failure in a row, or after a longer Retry-After of a concurrent attempt', () => {
    let state = healthy;
    for (let count = 1; count <= 16; count += 1) state = attempt(state, refusal, { wasFailing: false }).endpoint;
    expect(state.failureCount).toBe(5);
    expect((state.retryAtMs ?? 0) - start).toBeCloseTo(5_000);
    const asksToWait: AttemptOutcome = { status: 503, error: 'status', retryAfterMs: 60_000 };
    const { retryAtMs } = attempt(state, asksToWait, { wasFailing: false }).endpoint;
    expect((retryAtMs ?? 0) - start).toBe(60_000);
  });

  it('is no longer failing after the first success', () => {
    const failing = { ...healthy, failureCount: 9, firstFailureAtMs: start, retryAtMs: start, isThrottled: true };
    expect(attempt(failing, success, { nowMs: start + 1 })).toEqual({
      endpoint: { ...healthy, lastSuccessAtMs: start + 1 },
      delivery: { status: 'succeeded', countedAttempts: 0, nextAttemptAtMs: null },
    });
  });

  it('is disabled after five days without a success if it is failing and its first failure is at least twelve hours old', () => {
    const failing = { ...healthy, failureCount: 7, firstFailureAtMs: start, retryAtMs: start };
    const statusAfter = (before: EndpointState, ms: number) =>
      attempt(before, refusal, { nowMs: start + ms }).endpoint.disabledReason;
    expect(statusAfter(failing, 5 * dayMs - 1)).toBe(null);
    expect(statusAfter(failing, 5 * dayMs)).toBe('failing');
    const idle = { ...failing, firstFailureAtMs: start + 5 * dayMs };
    expect(statusAfter(idle, 5 * dayMs + 12 * hourMs - 1)).toBe(null);
    expect(statusAfter(idle, 5 * dayMs + 12 * hourMs)).toBe('failing');
    const successful = { ...failing, lastSuccessAtMs: start + dayMs };
    expect(statusAfter(successful, 6 * dayMs - 1)).toBe(null);
    expect(statusAfter({ ...failing, failureCount: 2 }, 6 * dayMs)).toBe(null);
  });

  it('is disabled by status 410, unless it was paused during the attempt', () => {
    const gone: AttemptOutcome = { status: 410, error: 'status', retryAfterMs: null };
    expect(attempt(healthy, gone).endpoint).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    expect(attempt({ ...healthy, status: 'paused' }, gone).endpoint).toMatchObject({
      status: 'paused',
      disabledReason: null,
    });
  });

  it.each([429, 502, 504])('gets one request at a time after status %d, until a success', (status) => {
    const { endpoint } = attempt(healthy, { status, error: 'status', retryAfterMs: null });
    expect(decideSlots({ ...endpoint, maxInFlight: 4 })).toBe(1);
    expect(decideSlots({ ...attempt(endpoint, success).endpoint, maxInFlight: 4 })).toBe(4);
    expect(decideSlots({ ...attempt(healthy, refusal).endpoint, maxInFlight: 4 })).toBe(4);
  });
});

it.each([
  ['120', 120_000],
  ['Tue, 24 Nov 2026 10:01:00 GMT', 60_000],
  ['Tue, 24 Nov 2026 09:00:00 GMT', 0],
  ['soon', null],
  ['-5', null],
])(
  'parseRetryAfter returns the pause in milliseconds, or null if the header is invalid: %s gives %s',
  (value, milliseconds) => {
    expect(parseRetryAfter(value, start)).toBe(milliseconds);
  },
);

it('parseRetryAfter returns null without the header', () => {
  expect(parseRetryAfter(undefined, start)).toBeNull();
});
