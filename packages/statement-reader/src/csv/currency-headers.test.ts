import { describe, expect, it } from 'vitest';
import { readExport } from '../../test-support/read-export.js';
import { readInTest } from '../../test-support/read-statement.js';
import { findHeaderCurrency } from './table/columns.js';

describe('findHeaderCurrency', () => {
  it.each([
    ['Betrag (EUR)', { code: 'EUR' }],
    ['Montant en EUR', { code: 'EUR' }],
    ['montant en euros', { code: 'EUR' }],
    ['Debit CHF', { code: 'CHF' }],
    ['Amount USD', { code: 'USD' }],
    ['USD Amount', { code: 'USD' }],
    ['amount_usd', { code: 'USD' }],
    ['amountUSD', { code: 'USD' }],
    ['usd', { code: 'USD' }],
    ['CAD$', { code: 'CAD' }],
    ['Tutar (TRY)', { code: 'TRY' }],
    ['Amount (£)', { sign: '£' }],
    ['Valor R$', { sign: 'R$' }],
    ['Kwota (zł)', { sign: 'zł' }],
    ['金額(円)', { sign: '円' }],
  ])('returns the currency of the header "%s"', (header, currency) => {
    expect(findHeaderCurrency(header)).toEqual(currency);
  });

  it.each([
    'Amount',
    'Money in',
    'ALL DEBITS',
    'Debits (all)',
    'TOP',
    'EUR/USD',
    'Betrag',
    'Debit/Credit',
    '',
    'Importe total',
  ])('returns no currency for the header "%s"', (header) => {
    expect(findHeaderCurrency(header)).toBeUndefined();
  });
});

describe('rows below a header with a currency', () => {
  it('have the currency that the header of their amount names', async () => {
    const { rows } = await readExport(['Datum;Text;Betrag (USD)', '13.03.2024;Shop;-20,00', '14.03.2024;Pay;500,00']);
    expect(rows).toEqual(['2024-03-13 -20 USD Shop', '2024-03-14 +500 USD Pay']);
  });

  it('have the currency that the header of their debit or credit names', async () => {
    const { rows } = await readExport([
      'Date;Text;Debit CHF;Credit EUR',
      '13.03.2024;Shop;20.00;',
      '14.03.2024;Pay;;5.00',
    ]);
    expect(rows).toEqual(['2024-03-13 -20 CHF Shop', '2024-03-14 +5 EUR Pay']);
  });

  it('fail if the currency column contradicts the header', async () => {
    const { rows } = await readExport([
      'Date,Text,Amount (EUR),Currency',
      '2024-03-13,Shop,-20.00,EUR',
      '2024-03-14,Shop,-21.00,USD',
    ]);
    expect(rows).toEqual([
      '2024-03-13 -20 EUR Shop',
      'line 3 failure: the header of its amount names EUR, but its currency is USD (use --currency-column "" if USD is the currency of the payment, and not of the amount)',
    ]);
  });

  it('fail if the currency symbol of the header contradicts the currency column or the currency symbol of the amount', async () => {
    const { rows } = await readExport([
      'Date,Text,Amount (£),Currency',
      '2024-03-13,Shop,-20.00,GBP',
      '2024-03-14,Shop,-21.00,EUR',
      '2024-03-15,Shop,-€22.00,',
    ]);
    expect(rows).toEqual([
      '2024-03-13 -20 GBP Shop',
      'line 3 failure: the header of its amount names £, but its currency is EUR',
      'line 4 failure: its amount is in €, but the header of its amount names £',
    ]);
  });

  it('fail if the amount contains a different currency code than the header', async () => {
    const { rows } = await readExport(['Date,Text,Amount USD', '2024-03-13,Shop,-20.00', '2024-03-14,Shop,EUR -21.00']);
    expect(rows[1]).toBe('line 3 failure: the header of its amount names USD, but its currency is EUR');
  });
});

describe('a currency above the table', () => {
  const read = async (preamble: string, header = 'Date,Description,Amount', row = '2026-05-01,Coffee,-10.00') => {
    const { rows } = await readInTest(`${preamble}\n\n${header}\n${row}\n`);
    return rows.map((found) => (found.outcome === 'transaction' ? found.transaction.currencyCode : found.outcome));
  };

  it.each([
    'Currency: USD',
    'Account statement\nCurrency,USD',
    'Währung:,USD',
    'Divisa: USD',
    'Ccy: USD',
    'Currency USD',
    'Currency: usd',
    'Currency: USD - US Dollar',
    'Currency: US Dollar',
    'Moneda de la cuenta: USD',
    'Kontonummer: 12-345-6 Währung: USD',
    'Alle Beträge in USD',
    'All amounts are in USD',
  ])('is the currency of the rows: %j', async (text) => {
    expect(await read(text)).toEqual(['USD']);
  });

  it.each([
    ['Account: 123-456 (USD)', 'USD'],
    ['Account number,123-456 USD', 'USD'],
    ['Konto CHF,CH93 0076 2011 6238 5295 7', 'CHF'],
    ['Privatkonto: CHF', 'CHF'],
    ["Saldo del 31.03.2026: USD 1'554.90", 'USD'],
    ['Available balance,1554.90 USD', 'USD'],
    ['Solde au 31 mars 2026 : 1554 CAD', 'CAD'],
  ])('is the currency of the rows if the line names the account or its balance: %s', async (text, code) => {
    expect(await read(text)).toEqual([code]);
  });

  it.each([
    'Account: 123-456 (USD/EUR)',
    'Account 123 USD\nAccount 456 EUR',
    'Account holder: RON SMITH',
    'Account holder: BOB',
    'Account manager: RON SMITH',
    'Transactions in USD account may be converted to the currency of the card (USD)',
    'Exported 12 USD transactions',
    'Balance ALL',
  ])(
    'is unknown if the lines name several currencies, or if a code is not clearly the currency of an account: %j',
    async (text) => {
      expect(await read(text)).toEqual([null]);
    },
  );

  it('is the one after the label "Currency", even if the line of the account names a different currency', async () => {
    expect(await read('Account: 123-456 (EUR)\nCurrency: USD')).toEqual(['USD']);
  });

  it('is ignored for rows that name a currency, and for all rows if the lines above the table name two currencies', async () => {
    expect(await read('Currency: USD\nCurrency: EUR')).toEqual([null]);
    expect(await read('Currency: USD', 'Date,Description,Amount,Currency', '2026-05-01,Coffee,-10.00,EUR')).toEqual([
      'EUR',
    ]);
  });
});

describe('a currency in the header of the balance', () => {
  const read = async (headers: string, ...rows: readonly string[]) => (await readExport([headers, ...rows])).rows;

  it.each(['Balance (USD)', 'Saldo USD', 'balance_usd'])('is the currency of the rows: %s', async (balance) => {
    const rows = await read(
      `Date,Text,Amount,${balance}`,
      '2024-03-13,Shop,-20.00,80.00',
      '2024-03-14,Pay,500.00,580.00',
    );
    expect(rows).toEqual(['2024-03-13 -20 USD Shop', '2024-03-14 +500 USD Pay']);
  });

  it('is the currency of the rows in a file with debit and credit columns', async () => {
    const rows = await read('Date,Text,Debit,Credit,Balance (USD)', '2024-03-13,Shop,20.00,,80.00');
    expect(rows).toEqual(['2024-03-13 -20 USD Shop']);
  });

  it('is returned as the currency symbol of a row if it is a symbol such as "£"', async () => {
    const { transactions } = await readInTest('Date,Text,Amount,Balance (£)\n2024-03-13,Shop,-20.00,80.00\n');
    expect(transactions).toMatchObject([{ currencyCode: null, currencySymbol: '£' }]);
  });

  it('decides which currency a symbol of the amount means', async () => {
    const rows = await read('Date,Text,Amount,Balance (CAD)', '2024-03-13,Shop,-$20.00,80.00');
    expect(rows).toEqual(['2024-03-13 -20 CAD Shop']);
  });

  it('is ignored if the header of the amount, the currency column, the amount or a line above the table names a currency', async () => {
    expect(await read('Date,Text,Amount (EUR),Balance (USD)', '2024-03-13,Shop,-20.00,80.00')).toEqual([
      '2024-03-13 -20 EUR Shop',
    ]);
    expect(await read('Date,Text,Amount,Currency,Balance (USD)', '2024-03-13,Shop,-20.00,EUR,80.00')).toEqual([
      '2024-03-13 -20 EUR Shop',
    ]);
    expect(await read('Date,Text,Amount,Balance (USD)', '2024-03-13,Shop,-20.00 EUR,80.00')).toEqual([
      '2024-03-13 -20 EUR Shop',
    ]);
    expect(
      await read('Date,Text,Debit,Debit Currency,Credit,Balance (USD)', '2024-03-13,Shop,20.00,EUR,,80.00'),
    ).toEqual(['2024-03-13 -20 EUR Shop']);
    const symbol = await readInTest('Date,Text,Amount,Balance (USD)\n2024-03-13,Shop,-€20.00,80.00\n');
    expect(symbol.transactions).toMatchObject([{ currencyCode: null, currencySymbol: '€' }]);
    const above = await readInTest('Currency: EUR\n\nDate,Text,Amount,Balance (USD)\n2024-03-13,Shop,-20.00,80.00\n');
    expect(above.transactions).toMatchObject([{ currencyCode: 'EUR' }]);
  });
});

describe('a currency column', () => {
  const row = '2024-03-13,Shop,-10.00,USD,-9.20,EUR';
  const billing = ['Date,Text,Transaction Amount,Transaction Currency,Billing Amount,Billing Currency', row];

  it('is chosen to fit the amount column: "Billing Currency" if an option names "Billing Amount"', async () => {
    expect((await readExport(billing)).rows).toEqual(['2024-03-13 -10 USD Shop']);
    const { rows } = await readExport(billing, { columns: { amount: 'Billing Amount' } });
    expect(rows).toEqual(['2024-03-13 -9.2 EUR Shop']);
  });

  it.each(['Monnaie', 'Moneta', 'DIV', 'Whg.', 'Account Currency', 'Devizanem'])(
    'is recognized by its codes below the unknown header "%s"',
    async (header) => {
      const lines = [`Date,Text,Amount,${header}`, '2024-03-13,Shop,-10.00,EUR', '2024-03-14,Hotel,-90.00,USD'];
      const { rows, interpretation } = await readExport(lines);
      expect(rows).toEqual(['2024-03-13 -10 EUR Shop', '2024-03-14 -90 USD Hotel']);
      expect(interpretation.currency).toBe(header);
    },
  );

  it.each(['Original Currency', 'Orig. Curr.', 'Fremdwährung', 'Target'])(
    'is not read as the currency of the amount if its header is "%s"',
    async (header) => {
      const { rows } = await readExport([`Date,Text,Amount,${header}`, '2024-03-13,Hotel,-90.00,USD']);
      expect(rows).toEqual(['2024-03-13 -90 Hotel']);
    },
  );

  it('is not read as the currency of the chosen amount column if it is next to a different amount column', async () => {
    const lines = ['Date,Text,Amount,Rate,Sum,Code', '2024-03-13,Hotel,-90.00,1.1,-99.00,USD'];
    const { rows } = await readExport(lines, { columns: { amount: 'Amount' } });
    expect(rows).toEqual(['2024-03-13 -90 Hotel']);
  });

  it('must be named by an option if several columns have different currency codes, none of them next to the amount', async () => {
    const read = (code: string) => readExport(['Date,Amount,Text,One,Two', `2024-03-13,-90.00,Hotel,EUR,${code}`]);
    await expect(read('USD')).rejects.toThrow(
      'It is not clear which column has the currency of the amounts: "One", "Two".',
    );
    expect((await read('EUR')).rows).toEqual(['2024-03-13 -90 EUR Hotel']);
  });

  it('for debits or credits is recognized by its header, such as "DEBIT CURRENCY" beside "DEBIT AMOUNT"', async () => {
    const { rows, interpretation } = await readExport([
      'DATE,TEXT,DEBIT AMOUNT,DEBIT CURRENCY,CREDIT AMOUNT,CREDIT CURRENCY',
      '2024-03-13,Hotel,-90.00,EUR,,',
      '2024-03-14,Pay,,,500.00,CHF',
    ]);
    expect(rows).toEqual(['2024-03-13 -90 EUR Hotel', '2024-03-14 +500 CHF Pay']);
    expect([interpretation['debit currency'], interpretation['credit currency'], interpretation['not used']]).toEqual([
      'DEBIT CURRENCY',
      'CREDIT CURRENCY',
      undefined,
    ]);
  });

  it('is recognized for debits and for credits, beside "DEBIT" and "CREDIT": each row has the currency of its amount', async () => {
    const { rows } = await readExport([
      'DATE;ACTIVITY NAME;DEBIT;DEBIT CURRENCY;CREDIT;CREDIT CURRENCY',
      '14/09/2025;Employer GmbH;;;5000.00;EUR',
      '16/09/2025;MIGROS;-20.00;CHF;;',
      '18/09/2025;COOP;-45.50;CHF;;',
    ]);
    expect(rows).toEqual([
      '2025-09-14 +5000 EUR Employer GmbH',
      '2025-09-16 -20 CHF MIGROS',
      '2025-09-18 -45.5 CHF COOP',
    ]);
  });

  it('is read if its cells have currency symbols, or currency codes in lower case', async () => {
    const file = ['Date,Text,Amount,Whatever', '2024-03-13,Shop,-10.00,₪', '2024-03-14,Hotel,-90.00,usd'];
    const { transactions } = await readInTest(file.join('\n'));
    expect(transactions.map(({ currencyCode, currencySymbol }) => currencyCode ?? currencySymbol)).toEqual([
      '₪',
      'USD',
    ]);
  });

  it('makes a row fail if the symbol in the column contradicts the symbol of the amount', async () => {
    const { rows } = await readExport(['Date,Text,Amount,Currency', '2024-03-13,Shop,-$10.00,€']);
    expect(rows).toEqual(['line 2 failure: its amount is in $, but its currency is €']);
  });

  it('for debits is not read if the value of --currency-column is empty', async () => {
    const lines = ['DATE,TEXT,DEBIT AMOUNT,DEBIT CURRENCY,CREDIT AMOUNT', '2024-03-13,Hotel,-90.00,EUR,'];
    expect((await readExport(lines, { columns: { currency: '' } })).rows).toEqual(['2024-03-13 -90 Hotel']);
  });

  it.each(['CCY', 'iso_currency_code', ''])('is recognized with the header "%s"', async (header) => {
    const { rows } = await readExport([`Date,Text,Amount,${header}`, '2024-03-13,Shop,-10.00,USD']);
    expect(rows).toEqual(['2024-03-13 -10 USD Shop']);
  });
});

describe('a currency column beside the balance', () => {
  it('is used if it is the only currency column', async () => {
    const { interpretation, rows } = await readExport([
      'Kirjauspäivä;Määrä;Maksaja;Nimi;Otsikko;Saldo;Valuutta',
      '2026/03/05;-42,10;FI12 1111;;K-Market;957,90;EUR',
      '2026/03/02;-500,00;FI12 1111;Vuokra Oy;Vuokra;1 000,00;EUR',
      '2026/03/01;1 500,00;;Työnantaja Oy;PALKKA;1 500,00;SEK',
    ]);
    expect(interpretation.currency).toBe('Valuutta');
    expect(rows).toEqual([
      '2026-03-05 -42.1 EUR K-Market',
      '2026-03-02 -500 EUR Vuokra',
      '2026-03-01 +1500 SEK PALKKA',
    ]);
  });

  it('is not used if it is between the balance and a foreign amount, or if another currency column is beside the amount', async () => {
    const besideOther = await readExport([
      'Date,Text,Amount,Note,Foreign,Money,Balance',
      '2026-03-05,Shop,-42.10,,-50.00,USD,957.90',
      '2026-03-06,Shop,-42.10,,-50.00,USD,915.80',
    ]);
    expect(besideOther.interpretation.currency).toBeUndefined();
    const two = await readExport([
      'Date,Text,Amount,Money,Balance,Kind',
      '2026-03-05,Shop,-42.10,EUR,957.90,USD',
      '2026-03-06,Shop,-42.10,EUR,915.80,USD',
    ]);
    expect(two.interpretation.currency).toBe('Money');
  });
});

describe('a currency column in a file without headers', () => {
  it('is used if it is beside the amount', async () => {
    const { interpretation, rows } = await readExport([
      '17-06-2022,Grocer,EUR,1644.24,EUR,-1000.00,8810',
      '18-06-2022,Salary,EUR,644.24,EUR,300.00,8810',
      '19-06-2022,Rent,EUR,944.24,EUR,-200.00,8810',
    ]);
    expect(interpretation).toMatchObject({ amount: 'column 6', currency: 'column 5' });
    expect(rows).toEqual(['2022-06-17 -1000 EUR Grocer', '2022-06-18 +300 EUR Salary', '2022-06-19 -200 EUR Rent']);
  });

  it('must be named by an option if the columns to the left and right of the amount have different currency codes', async () => {
    const lines = [
      '17-06-2022,Grocer,-20.00,USD,-18.40,EUR,644.24',
      '18-06-2022,Salary,330.00,USD,300.00,EUR,944.24',
      '19-06-2022,Rent,-200.00,USD,-200.00,EUR,744.24',
    ];
    await expect(readExport(lines)).rejects.toMatchObject({
      message: 'It is not clear which column has the currency of the amounts: "column 4", "column 6".',
      remedy: expect.stringContaining('--currency-column'),
    });
  });
});

describe('a file in which the currency column may belong to a second amount column', () => {
  const rowsOf = (headers: string) => [
    headers,
    '18.03.2026;АТБ;-231.5;-231.5;UAH;4768.5',
    '17.03.2026;Netflix;-415.2;-9.99;USD;5000.0',
    '16.03.2026;Olena;1000.0;1000.0;UAH;5415.2',
  ];
  const inUah = ['2026-03-18 -231.5 UAH АТБ', '2026-03-17 -415.2 UAH Netflix', '2026-03-16 +1000 UAH Olena'];

  it.each([
    'Дата;Деталі операції;Сума в валюті картки (UAH);Сума в валюті операції;Валюта;Залишок після операції',
    'Date;Description;Card amount (UAH);Amount;Currency;Balance after operation',
    'Date;Description;Card UAH;Operation;Currency;Balance',
  ])('is read with the amounts and the currency that agree with the balances: %s', async (headers) => {
    expect((await readExport(rowsOf(headers))).rows).toEqual(inUah);
  });

  it('has failed rows if the currency column contradicts the amount header, and the only other column of numbers has whole numbers', async () => {
    const { rows } = await readExport(['Date,Amount (EUR),Text,Number,Currency', '2026-03-18,-10.00,Shop,17,USD']);
    expect(rows[0]).toContain('the header of its amount names EUR, but its currency is USD');
  });

  it('is read with the guessed amount column if the balances agree with it, or if no amount header names a currency', async () => {
    const [first = '', second = '', third = ''] = [
      '2026-03-18,Shop,-10.00,-12.00,EUR,90.00',
      '2026-03-17,Fuel,-5.00,-6.00,EUR,100.00',
      '2026-03-16,Pay,20.00,24.00,EUR,105.00',
    ];
    const explained = await readExport(['Date,Text,Amount,Other (USD),Currency,Balance', first, second, third]);
    expect(explained.rows[0]).toBe('2026-03-18 -10 EUR Shop');
    const { rows } = await readExport(rowsOf('Date;Description;Card amount;Amount;Currency;Balance after operation'));
    expect(rows[1]).toBe('2026-03-17 -9.99 USD Netflix');
  });
});
