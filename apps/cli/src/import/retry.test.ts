import { ConnectionError, MalformedAnswerError, OutcomeUnknownError, ServerError, TimeoutError } from '@centavo/sdk';
import { expect, it } from 'vitest';
import { decideReconnectWait, isUnavailable, requestedDelayMs } from './retry.js';

it('decideReconnectWait returns growing waits while the server is unavailable, for 30 s in total', () => {
  const triedAtMs: number[] = [];
  const next = () => decideReconnectWait({ unavailableMs: triedAtMs.at(-1) ?? 0, retryAfterMs: null });
  for (let delayMs = next(); delayMs !== undefined; delayMs = next()) {
    triedAtMs.push((triedAtMs.at(-1) ?? 0) + delayMs);
  }
  expect(triedAtMs.slice(0, 6)).toEqual([250, 500, 1000, 2000, 4000, 8000]);
  expect(triedAtMs.at(-1)).toBe(30_000);
});

it('isUnavailable returns true for a lost connection, and false for a timeout or a malformed response', () => {
  const fields = { message: 'Gone.', idempotencyKey: 'key' };
  const lost = new ConnectionError(fields);
  expect(isUnavailable(lost)).toBe(true);
  expect(isUnavailable(new OutcomeUnknownError({ ...fields, cause: lost }))).toBe(true);
  expect(isUnavailable(new OutcomeUnknownError({ ...fields, cause: new TimeoutError(fields) }))).toBe(false);
  expect(isUnavailable(new MalformedAnswerError(fields))).toBe(false);
});

it('decideReconnectWait returns at least the Retry-After time, and undefined if 30 s would be exceeded', () => {
  expect(decideReconnectWait({ unavailableMs: 0, retryAfterMs: 7_000 })).toBe(7_000);
  expect(decideReconnectWait({ unavailableMs: 16_000, retryAfterMs: 1_000 })).toBe(4_000);
  expect(decideReconnectWait({ unavailableMs: 20_000, retryAfterMs: 10_000 })).toBe(10_000);
  expect(decideReconnectWait({ unavailableMs: 20_000, retryAfterMs: 11_000 })).toBeUndefined();
});

it.each([
  [502, true],
  [503, true],
  [500, false],
  [504, false],
])('for a response with status %i, isUnavailable returns %s', (status, expected) => {
  const error = new ServerError({
    message: 'Refused.',
    status,
    code: 'SERVICE_UNAVAILABLE',
    details: {},
    requestId: null,
    headers: new Headers(),
    idempotencyKey: 'key',
    retryAfterMs: 2_000,
  });
  expect(isUnavailable(error)).toBe(expected);
  expect(requestedDelayMs(error)).toBe(2_000);
});
