import { ConnectionError, MalformedAnswerError, OutcomeUnknownError, ServerError, TimeoutError } from '@centavo/sdk';
import { expect, it } from 'vitest';
import { askedDelayMs, decideReconnect, isAway } from './reconnect.js';

it('a server that is away is tried again at growing intervals, a last time after 30 s, and then no more', () => {
  const triedAtMs: number[] = [];
  const next = () => decideReconnect({ awayMs: triedAtMs.at(-1) ?? 0, retryAfterMs: null });
  for (let delayMs = next(); delayMs !== undefined; delayMs = next()) {
    triedAtMs.push((triedAtMs.at(-1) ?? 0) + delayMs);
  }
  expect(triedAtMs.slice(0, 6)).toEqual([250, 500, 1000, 2000, 4000, 8000]);
  expect(triedAtMs.at(-1)).toBe(30_000);
});

it('a lost connection is a server that is away, a time-out or a foreign answer is not', () => {
  const fields = { message: 'Gone.', idempotencyKey: 'key' };
  const lost = new ConnectionError(fields);
  expect(isAway(lost)).toBe(true);
  expect(isAway(new OutcomeUnknownError({ ...fields, cause: lost }))).toBe(true);
  expect(isAway(new OutcomeUnknownError({ ...fields, cause: new TimeoutError(fields) }))).toBe(false);
  expect(isAway(new MalformedAnswerError(fields))).toBe(false);
});

it('a server that says when to come back is not tried earlier, and not at all if that is beyond the 30 s', () => {
  expect(decideReconnect({ awayMs: 0, retryAfterMs: 7_000 })).toBe(7_000);
  expect(decideReconnect({ awayMs: 16_000, retryAfterMs: 1_000 })).toBe(4_000);
  expect(decideReconnect({ awayMs: 20_000, retryAfterMs: 10_000 })).toBe(10_000);
  expect(decideReconnect({ awayMs: 20_000, retryAfterMs: 11_000 })).toBeUndefined();
});

it.each([
  [502, true],
  [503, true],
  [500, false],
  [504, false],
])('an answer of status %i is a server that is away: %s', (status, expected) => {
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
  expect(isAway(error)).toBe(expected);
  expect(askedDelayMs(error)).toBe(2_000);
});
