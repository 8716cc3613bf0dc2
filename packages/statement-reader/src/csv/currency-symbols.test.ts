import { describe, expect, it } from 'vitest';
import { readExport } from '../../test-support/read-export.js';
import { readInTest } from '../../test-support/read-statement.js';
import { parseAmount } from '../values/amounts.js';
import { canSymbolMean, currenciesOfSymbol } from '../values/currency-symbols.js';

describe('a currency symbol', () => {
  it.each([
    ['$', 'USD', 'EUR'],
    ['$', 'MXN', 'GBP'],
    ['US$', 'USD', 'CAD'],
    ['us$', 'USD', 'AUD'],
    ['R$', 'BRL', 'USD'],
    ['EC$', 'XCD', 'EUR'],
    ['£', 'GBP', 'EUR'],
    ['€', 'EUR', 'USD'],
    ['¥', 'JPY', 'EUR'],
    ['¥', 'CNY', 'KRW'],
    ['￥', 'JPY', 'EUR'],
    ['kr', 'SEK', 'EUR'],
    ['Kr.', 'DKK', 'PLN'],
    ['kr', 'NOK', 'CZK'],
    ['kr', 'ISK', 'HUF'],
    ['zł', 'PLN', 'EUR'],
    ['₹', 'INR', 'EUR'],
    ['₩', 'KRW', 'JPY'],
    ['₽', 'RUB', 'EUR'],
    ['₺', 'TRY', 'EUR'],
    ['₴', 'UAH', 'RUB'],
    ['Kč', 'CZK', 'DKK'],
    ['Ft', 'HUF', 'CHF'],
    ['lei', 'RON', 'EUR'],
    ['Fr.', 'CHF', 'EUR'],
    ['₫', 'VND', 'EUR'],
    ['฿', 'THB', 'EUR'],
    ['₪', 'ILS', 'EUR'],
    ['₱', 'PHP', 'EUR'],
    ['дин', 'RSD', 'EUR'],
    ['KM', 'BAM', 'EUR'],
    ['Dhs', 'AED', 'EUR'],
    ['DH', 'MAD', 'EUR'],
    ['บาท', 'THB', 'EUR'],
    ['F', 'XOF', 'EUR'],
    ['元', 'TWD', 'JPY'],
    ['CAD$', 'CAD', 'USD'],
    ['U$S', 'USD', 'UYU'],
    ['Bs.S', 'VES', 'USD'],
    ['د.ا.', 'JOD', 'IQD'],
    ['ש"ח', 'ILS', 'EUR'],
    ['L.E.', 'EGP', 'EUR'],
  ])('(%s) can mean %s, but never %s', (sign, can, cannot) => {
    expect(canSymbolMean(sign, can)).toBe(true);
    expect(canSymbolMean(sign, cannot)).toBe(false);
  });

  it('such as "$" or "kr" maps to codes of three capital letters, and no ISO code is itself a symbol', () => {
    const codes = Intl.supportedValuesOf('currency');
    expect(codes.filter((code) => currenciesOfSymbol(code) !== undefined)).toEqual([]);
    for (const sign of ['$', '£', '¥', 'kr', 'Fr', 'mx$', 'rs']) {
      for (const code of currenciesOfSymbol(sign) ?? []) expect(code).toMatch(/^[A-Z]{3}$/);
    }
  });

  it.each([
    ['-£7.00', '£'],
    ['US$12.00', 'US$'],
    ['-11 kr', 'kr'],
    ['-13.00 zł', 'zł'],
    ['5 EUR', undefined],
    ['5', undefined],
    ['-5 дин.', 'дин.'],
    ['-5 KM', 'KM'],
    ['-5 Dhs', 'Dhs'],
    ['-5 F', 'F'],
    ['-5 บาท', 'บาท'],
    ['U$S 5', 'U$S'],
    ['Bs.S 5', 'Bs.S'],
    ['5 ש"ח', 'ש"ח'],
    ['-5 FCFA', 'FCFA'],
    ['K5', 'K'],
    ['-5 EUR.', undefined],
  ])('is found in the amount "%s": %s', (text, currencySymbol) => {
    expect(parseAmount(text, '.')).toMatchObject({ currencySymbol });
  });
});

describe('a row whose amount has a symbol or letters beside it', () => {
  it('fails if the symbol cannot mean the currency of the row', async () => {
    const { rows } = await readExport([
      'Date,Amount,Currency',
      '2026-01-13,-£7.00,EUR',
      '2026-01-14,-£8.00,GBP',
      '2026-01-15,-$9.00,CAD',
    ]);
    expect(rows).toEqual([
      'line 2 failure: its amount is in £, but its currency is EUR',
      '2026-01-14 -8 GBP',
      '2026-01-15 -9 CAD',
    ]);
  });

  it('fails if the letters are not a known currency', async () => {
    const { rows } = await readExport([
      'Date,Description,Amount',
      '2026-01-13,Shop,-1.2K',
      '2026-01-14,Pay,900.00',
      '2026-01-15,Exchange,-5.00 BTC',
      '2026-01-16,Shop,-3.00',
    ]);
    expect(rows).toEqual([
      'line 2 failure: "-1.2K" is not an amount',
      '2026-01-14 +900 Pay',
      'line 4 failure: "-5.00 BTC" is not an amount',
      '2026-01-16 -3 Shop',
    ]);
  });

  it('is returned with the symbol of its amount, unless the row also has a currency code', async () => {
    const plain = await readInTest('Date,Amount\n2026-01-13,-£7.00\n2026-01-14,-8.00\n2026-01-15,USD -9.00');
    expect(plain.transactions.map(({ currencySymbol }) => currencySymbol)).toEqual(['£', undefined, undefined]);
    const coded = await readInTest('Date,Amount,Currency\n2026-01-13,-£7.00,GBP');
    expect(coded.transactions[0]).not.toHaveProperty('currencySymbol');
  });
});
