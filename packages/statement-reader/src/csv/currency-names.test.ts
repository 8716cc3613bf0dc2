import { describe, expect, it } from 'vitest';
import { readExport } from '../../test-support/read-export.js';
import { readInTest } from '../../test-support/read-statement.js';
import { canSymbolMean } from '../values/currency-symbols.js';

describe('the text of a currency column', () => {
  it.each([
    ['Pesos', 'MXN', 'USD'],
    ['PESOS', 'CLP', 'EUR'],
    ['Dólares', 'USD', 'MXN'],
    ['dolares', 'CAD', 'CRC'],
    ['Soles', 'PEN', 'USD'],
    ['Colones', 'CRC', 'USD'],
    ['Euro', 'EUR', 'USD'],
    ['US Dollar', 'USD', 'CAD'],
    ['U.S. Dollars', 'USD', 'EUR'],
    ['US-Dollar', 'USD', 'EUR'],
    ['Dollar US', 'USD', 'EUR'],
    ['Pounds', 'GBP', 'EUR'],
    ['Pound Sterling', 'GBP', 'EGP'],
    ['人民币', 'CNY', 'USD'],
    ['美元', 'USD', 'CNY'],
    ['円', 'JPY', 'USD'],
    ['米ドル', 'USD', 'JPY'],
    ['руб.', 'RUB', 'USD'],
    ['долл. США', 'USD', 'RUB'],
    ['złoty', 'PLN', 'EUR'],
    ['Türk Lirası', 'TRY', 'EUR'],
    ['RMB', 'CNY', 'USD'],
    ['NIS', 'ILS', 'USD'],
    ['978', 'EUR', 'USD'],
    ['840', 'USD', 'EUR'],
    ['036', 'AUD', 'USD'],
    ['36', 'AUD', 'USD'],
    ['810', 'RUB', 'USD'],
  ])('"%s" can mean %s, but never %s', (text, can, cannot) => {
    expect(canSymbolMean(text, can)).toBe(true);
    expect(canSymbolMean(text, cannot)).toBe(false);
  });
});

describe('a currency column', () => {
  const read = async (header: string, cells: readonly string[]) => {
    const rows = cells.map((cell, index) => `2026-01-1${index},Shop,-20.00,${cell}`);
    const { transactions } = await readInTest([`Date,Description,Amount,${header}`, ...rows].join('\n'));
    return transactions.map(({ currencyCode, currencySymbol }) => currencyCode ?? currencySymbol);
  };

  it.each([
    ['Currency', 'Euro', 'US Dollar', 'EUR', 'USD'],
    ['Moneda', 'Pesos', 'Dólares', 'Pesos', 'Dólares'],
    ['币种', '人民币', '美元', 'CNY', 'USD'],
    ['通貨', '円', '米ドル', '円', 'USD'],
    ['Валюта', 'руб.', 'долл. США', 'руб.', 'USD'],
    ['Devise', 'Euro', 'Dollar US', 'EUR', 'USD'],
    ['Curr.', '978', '840', 'EUR', 'USD'],
    ['Account Currency', 'Pounds', 'US Dollar', 'Pounds', 'USD'],
    ['Account Currency', '978', '840', 'EUR', 'USD'],
    ['Currency', 'RMB', 'NIS', 'RMB', 'NIS'],
    ['Whatever', 'Soles', 'Dólares', 'PEN', 'Dólares'],
  ])('with the header "%s" and the cells "%s" and "%s" is recognized', async (header, one, other, ofOne, ofOther) => {
    expect(await read(header, [one, other])).toEqual([ofOne, ofOther]);
  });

  it.each(['Currency', 'Account Currency'])('with header "%s" makes rows with unknown words fail', async (header) => {
    const { rows, interpretation } = await readExport([
      `Date,Text,Amount,${header}`,
      '2026-01-13,Shop,-20.00,Sea shells',
    ]);
    expect(interpretation.currency).toBe(header);
    expect(rows).toEqual([
      `line 2 failure: "Sea shells" in the column "${header}" is not a known currency (use --currency-column "" if all amounts are in the currency of the account)`,
    ]);
  });

  it('for debits is named in the reason if an unknown word in it makes a row fail', async () => {
    const { rows } = await readExport([
      'DATE,TEXT,DEBIT AMOUNT,DEBIT CURRENCY,CREDIT AMOUNT',
      '2026-01-13,Shop,20.00,Sea shells,',
    ]);
    expect(rows[0]).toContain('"Sea shells" in the column "DEBIT CURRENCY" is not a known currency');
  });

  it.each(['1.50', '0.36', '', '13 Jan 2026', '12.00 USD'])(
    'is not used if it contains only amounts, dates or empty cells: "%s"',
    async (cell) => {
      const { rows, interpretation } = await readExport([
        'Date,Text,Amount,Currency',
        `2026-01-13,Shop,-20.00,${cell}`,
      ]);
      expect(interpretation.currency).toBeUndefined();
      expect(rows).toEqual(['2026-01-13 -20 Shop']);
    },
  );

  it('replaces the "$" of an amount with the more specific "Pesos", but does not replace "US$" with "Dollars"', async () => {
    const file = ['Date,Text,Amount,Currency', '2026-01-13,Shop,-$20.00,Pesos', '2026-01-14,Shop,-US$20.00,Dollars'];
    const { transactions } = await readInTest(file.join('\n'));
    expect(transactions.map(({ currencySymbol }) => currencySymbol)).toEqual(['Pesos', 'US$']);
  });

  it('makes a row fail if its word contradicts the symbol of the amount', async () => {
    const { rows } = await readExport(['Date,Text,Amount,Currency', '2026-01-13,Shop,-$20.00,Pounds']);
    expect(rows).toEqual(['line 2 failure: its amount is in $, but its currency is Pounds']);
  });
});

it('a word such as "real" in the header of an amount is not read as a currency', async () => {
  const { transactions } = await readInTest('Fecha,Concepto,Importe real\n2026-01-13,Shop,-20.00');
  expect(transactions[0]).not.toHaveProperty('currencySymbol');
});
