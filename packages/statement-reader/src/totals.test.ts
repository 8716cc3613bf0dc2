import { expect, it } from 'vitest';
import { addDecimals } from './totals.js';

it.each([
  [['-1.25', '10'], '8.75'],
  [['0.1', '0.2'], '0.3'],
  [['-0.05', '0.01'], '-0.04'],
  [['5', '-5.00'], '0'],
  [['99999999999999.99', '0.01'], '100000000000000'],
  [[], '0'],
])('addDecimals computes the exact sum of %j: %s', (amounts, sum) => {
  expect(addDecimals(amounts)).toBe(sum);
});
