import { expect, test } from 'vitest';
import { RetryBudget } from './retry-budget.js';

test('the retry budget allows ten retries, and one more retry after ten successful calls', () => {
  const budget = new RetryBudget();
  for (let retry = 0; retry < 10; retry += 1) expect(budget.take()).toBe(true);
  expect(budget.take()).toBe(false);
  for (let success = 0; success < 9; success += 1) budget.addSuccess();
  expect(budget.take()).toBe(false);
  budget.addSuccess();
  expect(budget.take()).toBe(true);
});

test('the retry budget never allows more than ten retries in a row, even after many successful calls', () => {
  const budget = new RetryBudget();
  for (let success = 0; success < 1000; success += 1) budget.addSuccess();
  for (let retry = 0; retry < 10; retry += 1) budget.take();
  expect(budget.take()).toBe(false);
});
