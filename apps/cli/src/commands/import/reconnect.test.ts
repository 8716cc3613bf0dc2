import { ConnectionError, MalformedAnswerError, OutcomeUnknownError, TimeoutError } from '@centavo/sdk';
import { expect, it } from 'vitest';
import { decideReconnect, isUnreachable } from './reconnect.js';

it('a server that is away is tried again at growing intervals, a last time after 30 s, and then no more', () => {
  const triedAtMs: number[] = [];
  let awayMs = 0;
  for (let delayMs = decideReconnect(awayMs); delayMs !== undefined; delayMs = decideReconnect(awayMs)) {
    awayMs += delayMs;
    triedAtMs.push(awayMs);
  }
  expect(triedAtMs.slice(0, 6)).toEqual([250, 500, 1000, 2000, 4000, 8000]);
  expect(triedAtMs.at(-1)).toBe(30_000);
});

it('a lost connection is a server that is away, a time-out or a foreign answer is not', () => {
  const fields = { message: 'Gone.', idempotencyKey: 'key' };
  const lost = new ConnectionError(fields);
  expect(isUnreachable(lost)).toBe(true);
  expect(isUnreachable(new OutcomeUnknownError({ ...fields, cause: lost }))).toBe(true);
  expect(isUnreachable(new OutcomeUnknownError({ ...fields, cause: new TimeoutError(fields) }))).toBe(false);
  expect(isUnreachable(new MalformedAnswerError(fields))).toBe(false);
});
