import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalEvidence, isEmptyAmount, parseAmount } from './amounts.js';

describe('parseAmount', () => {
  it.each([
    ['11.11', '.', 'none', '11.11'],
    ['75', '.', 'none', '75'],
    ['-8,78', ',', 'minus', '8.78'],
    ['£1,183.23', '.', 'none', '1183.23'],
    ['+ £1,100.00', '.', 'plus', '1100'],
    ['-$5.00', '.', 'minus', '5'],
    ['$-5.00', '.', 'minus', '5'],
    ['(12.50)', '.', 'minus', '12.5'],
    ['12.50-', '.', 'minus', '12.5'],
    ['5.00 CR', '.', 'plus', '5'],
    ['5.00DR', '.', 'minus', '5'],
    ['5.00 DR', '.', 'minus', '5'],
    ['USD 7', '.', 'none', '7'],
    ['7,50 €', ',', 'none', '7.5'],
    ['1.234.567,8', ',', 'none', '1234567.8'],
    ["1'234.50", '.', 'none', '1234.5'],
    ['1\u202f234,50', ',', 'none', '1234.5'],
    ['1,00,000.00', '.', 'none', '100000'],
    ['\u221236.99', '.', 'minus', '36.99'],
    ['8.850', '.', 'none', '8.85'],
    ['.5', '.', 'none', '0.5'],
    ['007', '.', 'none', '7'],
    ['0.00', '.', 'none', '0'],
    ['1.234,56-', ',', 'minus', '1234.56'],
    ['12,30 D', ',', 'minus', '12.3'],
    ['12,30 C', ',', 'plus', '12.3'],
    ['12,30 S', ',', 'minus', '12.3'],
    ['12,30 EUR H', ',', 'plus', '12.3'],
    ['Dr. 12.30', '.', 'minus', '12.3'],
    ['12.30 Cr.', '.', 'plus', '12.3'],
    ['-5.00 DR', '.', 'minus', '5'],
    ['5,-', ',', 'none', '5'],
    ['-1.250,- kr', ',', 'minus', '1250'],
    ['12.–', '.', 'none', '12'],
    ['د.ا.\u200f4.750', '.', 'none', '4.75'],
    ['-4.750 د.ا', '.', 'minus', '4.75'],
    ['S/ 12.30', '.', 'none', '12.3'],
    ['Rs. 1,12,500.50', '.', 'none', '112500.5'],
    ['R$ 1.234,50', ',', 'none', '1234.5'],
    ['S/.50', '.', 'none', '50'],
    ['$.50', '.', 'none', '0.5'],
    ['U$S 12.30', '.', 'none', '12.3'],
    ['Bs.S 12,30', ',', 'none', '12.3'],
    ['-12,30 EUR.', ',', 'minus', '12.3'],
    ['12.30 Ft-', '.', 'minus', '12.3'],
    ['1.234,50 kr.', ',', 'none', '1234.5'],
    ['5.kr', '.', 'none', '5'],
    ['NT$-1,234', '.', 'minus', '1234'],
    ['KSh1,234.50', '.', 'none', '1234.5'],
    ['-20 грн.', '.', 'minus', '20'],
    ["'-12.30", '.', 'minus', '12.3'],
    ['￥１，２３４', '.', 'none', '1234'],
    ['▲4512', '.', 'minus', '4512'],
    ['△ 4,512', '.', 'minus', '4512'],
    ['▲¥4,512', '.', 'minus', '4512'],
    ['－４５１２', '.', 'minus', '4512'],
    ['١٬٠٠٠٫٥٠', '.', 'none', '1000.5'],
    ['-۵۰۰', '.', 'minus', '500'],
    ['१,००,०००.२५', '.', 'none', '100000.25'],
  ] as const)(
    'reads "%s" with the decimal separator "%s" as the sign "%s" and the amount %s',
    (text, separator, sign, amountDecimal) => {
      expect(parseAmount(text, separator)).toMatchObject({ sign, amountDecimal });
    },
  );

  it.each([
    ['', '.'],
    ['abc', '.'],
    ['1.2.3', '.'],
    ['1,23,4', '.'],
    ['1,2345', '.'],
    ['12.345,60', '.'],
    ['--5', '.'],
    ['-(5)', '.'],
    ['1e5', '.'],
    ['12 apples', '.'],
    ['5 5', '.'],
    ['NaN', '.'],
    ['Infinity', '.'],
    ['0x10', '.'],
    ['-5.00 CR', '.'],
    ['5 EUR USD', '.'],
    ['5 units', '.'],
    ['-5 x', '.'],
    ['5 XQ', '.'],
    ['-1.2K', '.'],
    ['-5.00X', '.'],
    ['-3 Mio', '.'],
    ['-3 Mio. EUR', '.'],
    ['5 k€', '.'],
    ['5 M$', '.'],
    ['-20 tys.', '.'],
    ['-20 mln', '.'],
    ['-20 тыс.', '.'],
    ['-20 тыс. руб.', '.'],
    ['500 T', '.'],
    ['-5.00 BTC', '.'],
    ['50 ¢', '.'],
  ] as const)('returns undefined for "%s" with the decimal separator "%s"', (text, separator) => {
    expect(parseAmount(text, separator)).toBeUndefined();
  });

  it('returns the currency code of an amount, and no code for a currency symbol', () => {
    expect(['-12,30 PLN', 'eur 5', '$5', '5 Ft'].map((text) => parseAmount(text, ',')?.currencyCode)).toEqual([
      'PLN',
      'EUR',
      undefined,
      undefined,
    ]);
  });

  it('returns undefined for a digit and a million letters, dots and slashes, which a backtracking pattern could not read in time', () => {
    expect(parseAmount(`1 ${'a.'.repeat(500_000)}!`, '.')).toBeUndefined();
    expect(parseAmount(`1 ${'a/b.'.repeat(250_000)}`, '.')).toBeUndefined();
  });

  it('preserves the exact value of decimals of up to 17 digits, grouped or not, with a decimal point or comma', () => {
    const digits = fc.bigInt({ min: 1n, max: 999_999_999_999_999n });
    fc.assert(
      fc.property(
        digits,
        fc.integer({ min: 0, max: 99 }),
        fc.boolean(),
        fc.boolean(),
        (whole, cents, grouped, comma) => {
          const fraction = String(cents).padStart(2, '0');
          const groups = grouped ? String(whole).replace(/\B(?=(\d{3})+$)/g, comma ? '.' : ',') : String(whole);
          const text = `${groups}${comma ? ',' : '.'}${fraction}`;
          const expected = fraction === '00' ? String(whole) : `${whole}.${fraction.replace(/0$/, '')}`;
          expect(parseAmount(text, comma ? ',' : '.')?.amountDecimal).toBe(expected);
        },
      ),
    );
  });
});

describe('decimalEvidence', () => {
  it.each([
    ['1,234.56', '.'],
    ['1.234,56', ','],
    ['12,5', ','],
    ['1234.567', '.'],
    ['0.125', '.'],
    ['1,234,567', '.'],
    ['1,234', 'either'],
    ['-8.850', 'either'],
    ['75', 'none'],
    ['12..34', 'none'],
    ['1.2.3', 'none'],
    ['', 'none'],
  ])('maps "%s" to the evidence "%s" about the decimal separator', (text, evidence) => {
    expect(decimalEvidence(text)).toBe(evidence);
  });
});

describe('isEmptyAmount', () => {
  it.each(['', ' ', '-', '–', '—', '--', '£', '€ ', '$ -', '-€', 'EUR', 'kr', 'د.ا.', 'د.ا.\u200f'])(
    'returns true for "%s"',
    (text) => {
      expect(isEmptyAmount(text)).toBe(true);
    },
  );

  it.each(['0', '-5', '£0.00', 'Shop', 'n/a', '٣'])('returns false for "%s"', (text) => {
    expect(isEmptyAmount(text)).toBe(false);
  });
});
