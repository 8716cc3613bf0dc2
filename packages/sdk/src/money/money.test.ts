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
  [-1234n, 'JPY', '-1234'],
  [0n, 'JPY', '0'],
  [1n, 'KWD', '0.001'],
  [-12345n, 'KWD', '-12.345'],
  [1n, 'CLF', '0.0001'],
  [-123456n, 'UYW', '-12.3456'],
  [0n, 'EUR', '0.00'],
  [99999999999999999n, 'USD', '999999999999999.99'],
])('%d minor units of %s convert to %s and back exactly', (minorUnits, currencyCode, amountDecimal) => {
  expect(fromMinorUnits(minorUnits, currencyCode)).toBe(amountDecimal);
  expect(toMinorUnits(amountDecimal, currencyCode)).toBe(minorUnits);
});

test.each([
  ['1.005', 'EUR'],
  ['-0.001', 'EUR'],
  ['1.5', 'JPY'],
  ['1.0005', 'KWD'],
  ['1.00005', 'CLF'],
])('toMinorUnits rejects %s %s, which has more decimal places than its currency', (amountDecimal, currencyCode) => {
  expect(() => toMinorUnits(amountDecimal, currencyCode)).toThrow(RangeError);
});

test('toMinorUnits accepts an amount with fewer decimal places than its currency has, or with additional zeros', () => {
  expect(toMinorUnits('12.5', 'EUR')).toBe(1250n);
  expect(toMinorUnits('8.850', 'EUR')).toBe(885n);
  expect(toMinorUnits('-0', 'EUR')).toBe(0n);
});

test('toMinorUnits accepts a total with 16 digits before the decimal point, although a movement may have only 15', () => {
  expect(toMinorUnits('1000000000000000.01', 'EUR')).toBe(100000000000000001n);
});

test.each(['', '1e3', '1,50', ' 1', '01', '.5', '5.', '--1', '١', 'NaN'])(
  'toMinorUnits throws RangeError for the amount %j',
  (text) => {
    expect(() => toMinorUnits(text, 'EUR')).toThrow(RangeError);
  },
);

test.each(['XXX', 'eur', ''])('both conversions throw RangeError for the currency %j', (currencyCode) => {
  expect(() => fromMinorUnits(1n, currencyCode)).toThrow(RangeError);
  expect(() => toMinorUnits('1', currencyCode)).toThrow(RangeError);
});

test.each([1234, 12.5, '1234', null])('fromMinorUnits rejects minor units that are not a bigint: %j', (minorUnits) => {
  expect(() => fromMinorUnits(minorUnits as unknown as bigint, 'EUR')).toThrow(TypeError);
});

test.each([12.5, 12, 1250n, null])('toMinorUnits rejects an amount that is not a string: %s', (amount) => {
  const read = () => toMinorUnits(amount as unknown as string, 'EUR');
  expect(read).toThrow(TypeError);
  expect(read).toThrow('An amount must be a string such as "12.50"');
});

test('amounts of movements, balances and budget lines have the type DecimalString, and currency codes have the type string', () => {
  expectTypeOf<Movement['amountDecimal']>().toEqualTypeOf<DecimalString>();
  expectTypeOf<Balance['balanceDecimal']>().toEqualTypeOf<DecimalString>();
  expectTypeOf<BudgetLine['actualDecimal']>().toEqualTypeOf<DecimalString | null>();
  expectTypeOf<Movement['currencyCode']>().toEqualTypeOf<string>();
  expectTypeOf<Movement['amountDecimal']>().toExtend<string>();
});
