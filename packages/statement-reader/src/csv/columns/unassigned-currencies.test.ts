import { describe, expect, it } from 'vitest';
import { mappingsInMemory, openCsvInTest } from '../../../test-support/open-csv-in-test.js';
import { readExport } from '../../../test-support/read-export.js';

/** A transfer history of Wise. */
const transfers = [
  'ID,Status,Direction,"Created on","Finished on","Source fee amount","Source fee currency","Target fee amount","Target fee currency","Source name","Source amount (after fees)","Source currency","Target name","Target amount (after fees)","Target currency","Exchange rate",Reference,Batch',
  'TRANSFER-1001,COMPLETED,OUT,"2026-03-15 10:00:00","2026-03-15 10:05:00",0.00,EUR,,,"Jane Doe",149.38,EUR,"Max",149.38,EUR,1.0,rent,',
  'TRANSFER-1002,COMPLETED,OUT,"2026-03-14 10:00:00","2026-03-14 10:05:00",0.00,GBP,,,"Jane Doe",80.00,GBP,"Al",93.00,EUR,1.16,gift,',
  'TRANSFER-1003,COMPLETED,IN,"2026-03-13 10:00:00","2026-03-13 10:05:00",0.00,EUR,,,"ACME",600.00,EUR,"Jane Doe",600.00,EUR,1.0,salary,',
];

describe('an amount column that an option names', () => {
  it('has the currency column that is named like it, apart from the remark in parentheses', async () => {
    const source = await readExport(transfers, { columns: { amount: 'Source amount (after fees)' } });
    expect(source.rows).toEqual([
      '2026-03-15 -149.38 EUR rent',
      '2026-03-14 -80 GBP gift',
      '2026-03-13 +600 EUR salary',
    ]);
    expect(source.interpretation.currency).toBe('Source currency');
    const target = await readExport(transfers, { columns: { amount: 'Target amount (after fees)' } });
    expect(target.rows[1]).toBe('2026-03-14 -93 EUR gift');
    expect(target.interpretation.currency).toBe('Target currency');
  });

  it.each([
    ['Date,Text,Amount,Currency,Orig amt,Orig ccy', 'Orig amt', 'USD'],
    ['Date,Text,Pay sum,Pay ccy,Get sum,Get ccy', 'Get sum', 'USD'],
    ['Date,Text,Pay sum,Pay ccy,Get sum,Get ccy', 'Pay sum', 'EUR'],
    ['Date,Text,Value,Whg,Other,Whg 2', 'Other', 'USD'],
  ])('has the currency column to its right: %s, amount "%s"', async (header, amount, currency) => {
    const lines = [header, '2026-03-15,Rent,-5.00,EUR,-6.00,USD', '2026-03-16,Gift,-6.00,EUR,-7.00,USD'];
    expect((await readExport(lines, { columns: { amount } })).rows[0]).toContain(` ${currency} Rent`);
  });

  it.each(['Pay sum', 'Get sum'])(
    'has the currency column to its left if the two share a word: "%s"',
    async (amount) => {
      const lines = ['Date,Text,Pay ccy,Pay sum,Get ccy,Get sum', '2026-03-15,Rent,EUR,-5.00,USD,-6.00'];
      const { interpretation } = await readExport(lines, { columns: { amount } });
      expect(interpretation.currency).toBe(amount.replace('sum', 'ccy'));
    },
  );

  it('has no currency column if the only one beside it has the original currency', async () => {
    const lines = ['Date,Text,Amount,Original Currency', '2026-03-15,Hotel,-90.00,USD'];
    expect((await readExport(lines, { columns: { amount: 'Amount' } })).rows).toEqual(['2026-03-15 -90 Hotel']);
  });
});

describe('a file with several currency columns, none of which belongs to the amounts', () => {
  const file = [
    'Date,Text,Sum,Source currency,Target currency',
    '2026-03-15,Rent,-5.00,EUR,EUR',
    '2026-03-16,Gift,-6.00,GBP,EUR',
  ];

  it('is refused until an option names the currency column, if the columns differ in some row', async () => {
    const columns = { amount: 'Sum' };
    await expect(readExport(file, { columns })).rejects.toMatchObject({
      message:
        'It is not clear which column has the currency of the amounts: line 3 has "GBP" in "Source currency" and "EUR" in "Target currency".',
      remedy:
        'Name it with --currency-column, or use --currency-column "" if all amounts are in the currency of the account.',
    });
    const named = await readExport(file, { columns: { ...columns, currency: 'Source currency' } });
    expect(named.rows).toEqual(['2026-03-15 -5 EUR Rent', '2026-03-16 -6 GBP Gift']);
    const none = await readExport(file, { columns: { ...columns, currency: '' } });
    expect(none.rows).toEqual(['2026-03-15 -5 Rent', '2026-03-16 -6 Gift']);
  });

  it('is refused even if the first row in which the columns differ is far down in the file', async () => {
    const many = Array.from({ length: 200 }, () => '2026-03-15,Rent,-5.00,EUR,EUR');
    const lines = [...file.slice(0, 1), ...many, ...file.slice(2)];
    await expect(readExport(lines, { columns: { amount: 'Sum' } })).rejects.toThrow('line 202 has "GBP"');
  });

  it('is read if the columns are equal in all rows, or if the header of the amount names a currency', async () => {
    expect((await readExport(file.slice(0, 2), { columns: { amount: 'Sum' } })).rows).toEqual(['2026-03-15 -5 Rent']);
    const named = file.map((line) => line.replace('Sum', 'Sum (EUR)'));
    expect((await readExport(named, { columns: { amount: 'Sum (EUR)' } })).rows[1]).toBe('2026-03-16 -6 EUR Gift');
  });

  it('is read without options if an earlier import saved its columns and --currency-column ""', async () => {
    const mappings = mappingsInMemory();
    const text = `${file.join('\n')}\n`;
    await (await openCsvInTest(text, { columns: { amount: 'Sum', currency: '' } }, mappings)).interpretation?.save?.();
    expect((await openCsvInTest(text, {}, mappings)).rowCount).toBe(2);
  });
});
