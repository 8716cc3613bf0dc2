import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amountPattern,
  canonicalAmount,
  decimalsOf,
  fitsCurrency,
  formatAmount,
  fromMinorUnits,
  isZeroAmount,
  signedAmountPattern,
  toMinorUnits,
} from './amount-decimal.js';
import { currencyCodes, currencyExponent } from './currency.js';

const anyCurrency = fc.constantFrom(...currencyCodes);

/** Generates amounts in all currencies, with any number of decimal places that the currency allows. */
const anyAmount = anyCurrency.chain((currencyCode) => {
  const exponent = currencyExponent(currencyCode);
  return fc
    .record({
      negative: fc.boolean(),
      whole: fc.bigInt({ min: 0n, max: 999_999_999_999_999n }),
      fraction: fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 0, maxLength: exponent }),
    })
    .map(({ negative, whole, fraction }) => ({
      currencyCode,
      amountDecimal: `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`,
    }));
});

describe('minor units', () => {
  test.each([...currencyCodes])('of %s are unchanged after conversion to an amount and back', (currencyCode) => {
    const limit = 10n ** BigInt(15 + currencyExponent(currencyCode)) - 1n;
    fc.assert(
      fc.property(fc.bigInt({ min: -limit, max: limit }), (minorUnits) => {
        const amountDecimal = fromMinorUnits(minorUnits, currencyCode);
        expect(amountDecimal).toMatch(signedAmountPattern);
        expect(decimalsOf(amountDecimal)).toBe(currencyExponent(currencyCode));
        expect(toMinorUnits(amountDecimal, currencyCode)).toBe(minorUnits);
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ['12.5', 'EUR', 1250n],
    ['0.01', 'EUR', 1n],
    ['-0.01', 'EUR', -1n],
    ['-0', 'EUR', 0n],
    ['7', 'JPY', 7n],
    ['1.234', 'KWD', 1234n],
    ['0.0001', 'CLF', 1n],
    ['999999999999999.99', 'EUR', 99999999999999999n],
    ['-19999999999999999.80', 'EUR', -1999999999999999980n],
  ] as const)('of %s %s are %s', (amountDecimal, currencyCode, minorUnits) => {
    expect(toMinorUnits(amountDecimal, currencyCode)).toBe(minorUnits);
  });

  test.each([
    ['12.345', 'EUR'],
    ['1.5', 'JPY'],
    ['1e3', 'EUR'],
    ['', 'EUR'],
    ['1,5', 'EUR'],
    ['1', 'XXX'],
  ])(
    'of %j %s do not exist: toMinorUnits throws RangeError for the invalid amount or currency',
    (amountDecimal, currencyCode) => {
      expect(() => toMinorUnits(amountDecimal, currencyCode)).toThrow(RangeError);
    },
  );
});

describe('formatAmount', () => {
  test.each([
    ['12.5', 'EUR', '12.50'],
    ['12', 'EUR', '12.00'],
    ['12.5000', 'EUR', '12.50'],
    ['12.0000', 'JPY', '12'],
    ['1.5', 'KWD', '1.500'],
    ['-0', 'EUR', '0.00'],
    ['-0.00', 'EUR', '0.00'],
    ['-0.01', 'EUR', '-0.01'],
    ['-5', 'JPY', '-5'],
    // @proves spec, Versioning: rule 4
  ])('formats %s %s as %s', (amountDecimal, currencyCode, formatted) => {
    expect(formatAmount(amountDecimal, currencyCode)).toBe(formatted);
  });

  test('returns as many decimal places as the currency has, and does not change the value', () => {
    fc.assert(
      fc.property(anyAmount, ({ amountDecimal, currencyCode }) => {
        const formatted = formatAmount(amountDecimal, currencyCode);
        expect(decimalsOf(formatted)).toBe(currencyExponent(currencyCode));
        expect(toMinorUnits(formatted, currencyCode)).toBe(toMinorUnits(amountDecimal, currencyCode));
        expect(formatAmount(formatted, currencyCode)).toBe(formatted);
      }),
    );
  });

  test('throws RangeError if a digit other than zero would be lost', () => {
    expect(() => formatAmount('0.001', 'EUR')).toThrow(RangeError);
    expect(() => formatAmount('1.5', 'JPY')).toThrow(RangeError);
  });
});

describe('canonicalAmount', () => {
  test.each([
    ['10', '10'],
    ['10.00', '10'],
    ['10.50', '10.5'],
    ['100', '100'],
    ['0.10', '0.1'],
    ['0.00', '0'],
    ['-0', '0'],
    ['-0.00', '0'],
    ['-1.0', '-1'],
  ])('maps %s to %s', (amountDecimal, canonical) => {
    expect(canonicalAmount(amountDecimal)).toBe(canonical);
  });

  test('returns equal strings for equal amounts, and different strings for different amounts', () => {
    fc.assert(
      fc.property(anyAmount, fc.nat({ max: 4 }), ({ amountDecimal, currencyCode }, zeros) => {
        const point = amountDecimal.includes('.') ? '' : '.';
        const longer = zeros === 0 ? amountDecimal : amountDecimal + point + '0'.repeat(zeros);
        expect(canonicalAmount(longer)).toBe(canonicalAmount(amountDecimal));
        const other = fromMinorUnits(toMinorUnits(amountDecimal, currencyCode) + 1n, currencyCode);
        expect(canonicalAmount(other)).not.toBe(canonicalAmount(amountDecimal));
      }),
    );
  });

  test('returns an amount, and is idempotent', () => {
    fc.assert(
      fc.property(anyAmount, ({ amountDecimal }) => {
        const canonical = canonicalAmount(amountDecimal);
        expect(canonical).toMatch(signedAmountPattern);
        expect(canonicalAmount(canonical)).toBe(canonical);
      }),
    );
  });
});

describe('the pattern of an amount', () => {
  test.each(['0', '1', '12.5', '0.01', '999999999999999', '0.0'])('accepts %s', (text) => {
    expect(text).toMatch(amountPattern);
  });

  test.each([
    '',
    '.5',
    '5.',
    '01',
    '00',
    '+1',
    '-1',
    '1e3',
    '1_000',
    '1,000',
    ' 1',
    '1 ',
    '1\n',
    '0x10',
    'NaN',
    'Infinity',
    '١',
    '1000000000000000',
    // @proves contract 1: amount format
  ])('rejects %j', (text) => {
    expect(text).not.toMatch(amountPattern);
  });

  test('with an optional minus sign accepts "-1.50", and rejects "--1" and "-"', () => {
    expect('-1.50').toMatch(signedAmountPattern);
    expect('--1').not.toMatch(signedAmountPattern);
    expect('-').not.toMatch(signedAmountPattern);
  });
});

test('fitsCurrency counts trailing zeros as decimal places', () => {
  expect(fitsCurrency('1.23', 'EUR')).toBe(true);
  expect(fitsCurrency('1.230', 'EUR')).toBe(false);
  expect(fitsCurrency('1.230', 'KWD')).toBe(true);
  expect(fitsCurrency('1.0', 'JPY')).toBe(false);
});

test('isZeroAmount returns true for zero, with or without a sign and decimal places, and false for other amounts', () => {
  expect(['0', '-0', '0.00', '-0.0000'].every(isZeroAmount)).toBe(true);
  expect(['0.01', '10', '-0.0001'].some(isZeroAmount)).toBe(false);
});
