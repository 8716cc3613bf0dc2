import { expect, expectTypeOf, test } from 'vitest';
import {
  type Balance,
  type BudgetLine,
  type DecimalString,
  fromMinorUnits,
  type Movement,
  toMinorUnits,
} from '../index.js';

test.each([
  [1234n, 'EUR', '12.34'],
  [-5n, 'EUR', '-0.05'],
  [1234n, 'JPY', '1234'],
  [1n, 'KWD', '0.001'],
  [99999999999999999n, 'USD', '999999999999999.99'],
])('%d minor units of %s are %s, and back, to the last digit', (minorUnits, currencyCode, amountDecimal) => {
  expect(fromMinorUnits(minorUnits, currencyCode)).toBe(amountDecimal);
  expect(toMinorUnits(amountDecimal, currencyCode)).toBe(minorUnits);
});

test('an amount with more decimals than its currency is refused, never rounded', () => {
  expect(() => toMinorUnits('1.005', 'EUR')).toThrow(RangeError);
});

test('money in records is branded and nothing else is', () => {
  expectTypeOf<Movement['amountDecimal']>().toEqualTypeOf<DecimalString>();
  expectTypeOf<Balance['balanceDecimal']>().toEqualTypeOf<DecimalString>();
  expectTypeOf<BudgetLine['actualDecimal']>().toEqualTypeOf<DecimalString | null>();
  expectTypeOf<Movement['currencyCode']>().toEqualTypeOf<string>();
  expectTypeOf<Movement['amountDecimal']>().toExtend<string>();
});
