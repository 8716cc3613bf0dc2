import { expect, test } from 'vitest';
import { isUsed, useStep } from './used-steps.js';

test('of nobody’s steps none was used', () => {
  expect(isUsed([], 0)).toBe(false);
});

test('a step is used once, and those beside it are not by that', () => {
  const used = useStep([], 100);
  expect([99, 100, 101].filter((step) => isUsed(used, step))).toEqual([100]);
  expect([99, 100, 101].filter((step) => isUsed(useStep(used, 99), step))).toEqual([99, 100]);
});

test('what is far behind the last one counts as used, and is not kept', () => {
  const used = [1, 2, 50, 58].reduce<readonly number[]>(useStep, []);
  expect(used).toEqual([50, 58]);
  expect([48, 49, 50, 51].filter((step) => isUsed(used, step))).toEqual([48, 50]);
});
