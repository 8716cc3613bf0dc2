import { expect, it } from 'vitest';
import { toPercent } from './chart.js';

it.each([
  [1n, 3n, '33%'],
  [2n, 3n, '67%'],
  [0n, 1000n, '0%'],
  [1n, 1000n, '<1%'],
  [5n, 1000n, '1%'],
  [999n, 1000n, '99%'],
  [1000n, 1000n, '100%'],
  [1001n, 1000n, '101%'],
  [2500n, 1000n, '250%'],
  [5n, 0n, ''],
])('%d of %d is %s', (part, whole, percent) => {
  expect(toPercent(part, whole)).toBe(percent);
});
