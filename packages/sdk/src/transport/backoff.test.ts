import { expect, test } from 'vitest';
import { backoffMs } from './backoff.js';

test('backoffMs returns a random wait between 0 and a bound that doubles with each retry', () => {
  expect(backoffMs(0, () => 0)).toBe(0);
  expect([0, 1, 2, 3].map((retries) => backoffMs(retries, () => 0.5))).toEqual([125, 250, 500, 1000]);
});

test('backoffMs never returns more than eight seconds', () => {
  expect(backoffMs(30, () => 1)).toBe(8_000);
});
