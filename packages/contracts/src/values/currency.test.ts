import { describe, expect, test } from 'vitest';
import { currencyCodes, currencyExponent, currencyExponentMax } from './currency.js';

// For these currencies, Intl uses the decimal places of CLDR, which follow daily use and differ from ISO 4217.
const rarelyUsedDecimals: Readonly<Record<string, number>> = {
  AFN: 2,
  ALL: 2,
  COP: 2,
  HUF: 2,
  IDR: 2,
  IQD: 3,
  IRR: 2,
  KPW: 2,
  LAK: 2,
  LBP: 2,
  MGA: 2,
  MMK: 2,
  PKR: 2,
  SOS: 2,
  SYP: 2,
  YER: 2,
  // For these currencies, only some versions of CLDR differ from ISO 4217: they have fewer decimal places.
  CRC: 2,
  GYD: 2,
  MNT: 2,
  MUR: 2,
  RSD: 2,
  SLE: 2,
  STN: 2,
  TZS: 2,
  UZS: 2,
};

// Currencies of Intl that the contract excludes: withdrawn currencies, and the units of the IMF and of SUCRE.
const leftOut = ['CUC', 'HRK', 'SLL', 'XDR', 'XSU', 'ZWL'];

const knownToIntl = Intl.supportedValuesOf('currency');
const decimalsInIntl = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;

describe('the table of currencies', () => {
  test('has every currency of Intl except those that the contract excludes', () => {
    expect(knownToIntl.filter((code) => !currencyCodes.has(code) && !leftOut.includes(code))).toEqual([]);
  });

  test.each(knownToIntl.filter((code) => currencyCodes.has(code)))(
    'has the decimal places of Intl for %s, or those of ISO 4217 if Intl differs from ISO 4217',
    (code) => {
      const known = rarelyUsedDecimals[code];
      if (known === undefined) expect(currencyExponent(code)).toBe(decimalsInIntl(code));
      else expect(currencyExponent(code)).toBe(known);
    },
  );

  test.each([
    ['EUR', 2],
    ['USD', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['CLP', 0],
    ['KWD', 3],
    ['BHD', 3],
    ['TND', 3],
    ['CLF', 4],
    ['UYW', 4],
    // @proves contract 1: amount format
  ])('has %s with %i decimal places', (code, decimals) => {
    expect(currencyExponent(code)).toBe(decimals);
  });

  test.each(['XAU', 'XTS', 'XXX', 'XDR', 'DEM', 'eur', 'EU', '', 'toString'])('does not contain %j', (code) => {
    expect(currencyCodes.has(code)).toBe(false);
    expect(() => currencyExponent(code)).toThrow(RangeError);
  });

  test('has only codes of three capital letters, and currencyExponentMax is its highest number of decimal places', () => {
    for (const code of currencyCodes) expect(code).toMatch(/^[A-Z]{3}$/);
    expect(Math.max(...[...currencyCodes].map(currencyExponent))).toBe(currencyExponentMax);
  });
});
