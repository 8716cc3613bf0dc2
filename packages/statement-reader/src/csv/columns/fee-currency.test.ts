import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('a fee in another currency than its row', () => {
  it('fails in an export of ZEN, and its row is read', async () => {
    const lines = [
      'Date,Transaction type,Description,Settlement amount,Settlement currency,Original amount,Original currency,Currency rate,Fee description,Fee amount,Fee currency,Balance',
      '13-Jun-26,Card payment,PAYPAL,-193.57,USD,-193.57,USD,1,,,,',
      '15-Jun-26,Card payment,LIDL,-10.00,USD,-9.00,EUR,1.11,Card fee,-0.50,EUR,',
      '16-Jun-26,Card payment,ALDI,-12.00,USD,-12.00,USD,1,Card fee,-0.70,USD,',
    ];
    const { rows } = await readExport(lines, { columns: { fee: 'Fee amount' } });
    expect(rows).toEqual([
      '2026-06-13 -193.57 USD PAYPAL',
      '2026-06-15 -10 USD LIDL',
      'line 3 failure: its fee is in EUR, but its amount is in USD: record the fee manually in an account in EUR',
      '2026-06-16 -12 USD ALDI',
      '2026-06-16 -0.7 USD Fee: ALDI',
    ]);
  });

  it('fails in an export of Revolut Business', async () => {
    const lines = [
      'Date started (UTC),Date completed (UTC),ID,Type,State,Description,Payer,Orig currency,Orig amount,Payment currency,Amount,Fee,Fee currency,Balance',
      '2026-03-15,2026-03-15,a1,TRANSFER,COMPLETED,Rent,Jane,EUR,-100.00,EUR,-100.00,3.00,GBP,900.00',
      '2026-03-14,2026-03-14,a2,TRANSFER,COMPLETED,Tax,Jane,EUR,-50.00,EUR,-50.00,1.00,EUR,1000.00',
      '2026-03-13,2026-03-13,a3,TOPUP,COMPLETED,Pay,Jane,EUR,1051.00,EUR,1051.00,,,1051.00',
    ];
    const { rows, question } = await readExport(lines, { columns: { fee: 'Fee' } });
    expect(rows).toEqual([
      '2026-03-15 -100 EUR Rent',
      'line 2 failure: its fee is in GBP, but its amount is in EUR: record the fee manually in an account in GBP',
      '2026-03-14 -50 EUR Tax',
      '2026-03-14 -1 EUR Fee: Tax',
      '2026-03-13 +1051 EUR Pay',
    ]);
    expect(question?.requiresOption).toBeUndefined();
  });

  it.each([
    ['Fee', 'Fee ccy'],
    ['Fee', 'Fee Currency'],
    ['Fee', 'Fee Curr.'],
    ['Commission', 'Commission Currency'],
    ['Gebühr', 'Gebührenwährung'],
    ['Gebühr', 'Währung der Gebühr'],
    ['Frais', 'Devise frais'],
    ['Comisión', 'Moneda comisión'],
    ['Fee', 'Ccy'],
    ['Fee', 'Currency code'],
  ])('fails if the column "%s" is followed by "%s"', async (fee, header) => {
    const lines = [`Date,Text,Amount,Currency,${fee},${header}`, '2026-03-15,Shop,-10.00,EUR,3.00,GBP'];
    const { rows } = await readExport([...lines, '2026-03-16,Shop,-11.00,EUR,1.00,EUR'], { columns: { fee } });
    expect(rows).toEqual([
      '2026-03-15 -10 EUR Shop',
      'line 2 failure: its fee is in GBP, but its amount is in EUR: record the fee manually in an account in GBP',
      '2026-03-16 -11 EUR Shop',
      '2026-03-16 -1 EUR Fee: Shop',
    ]);
  });

  it.each([
    ['Fee', '3.00 GBP', 'GBP'],
    ['Fee', '£3.00', '£'],
    ['Fee (GBP)', '3.00', 'GBP'],
  ])('fails if the header "%s" or the cell "%s" names the currency', async (fee, cell, currency) => {
    const lines = [`Date,Text,Amount,Currency,${fee}`, `2026-03-15,Shop,-10.00,EUR,${cell}`];
    const { rows } = await readExport(lines, { columns: { fee } });
    expect(rows[1]).toBe(
      `line 2 failure: its fee is in ${currency}, but its amount is in EUR: record the fee manually in an account in ${currency}`,
    );
  });

  it('fails if two columns are named "Currency", and the second follows the fee', async () => {
    const lines = ['Date,Text,Amount,Currency,Fee,Currency', '2026-03-15,Shop,-10.00,EUR,3.00,GBP'];
    const { rows } = await readExport(lines, { columns: { fee: 'Fee', currency: 'column 4' } });
    expect(rows[1]).toContain('its fee is in GBP, but its amount is in EUR');
  });
});

describe('a fee with a currency column', () => {
  const header = 'Date,Text,Amount,Fee,Fee currency';

  it('has the currency of its own column if the row names none, so that the caller can compare it with the account', async () => {
    const { rows } = await readExport([header, '2026-03-15,Shop,-10.00,3.00,GBP'], { columns: { fee: 'Fee' } });
    expect(rows).toEqual(['2026-03-15 -10 Shop', '2026-03-15 -3 GBP Fee: Shop']);
  });

  it('has the currency of the amount of its row if the cell of its own currency is empty', async () => {
    const lines = [`${header},Currency`, '2026-03-15,Shop,-10.00,3.00,,EUR', '2026-03-16,Shop,-11.00,,,EUR'];
    const { rows } = await readExport(lines, { columns: { fee: 'Fee' } });
    expect(rows).toEqual(['2026-03-15 -10 EUR Shop', '2026-03-15 -3 EUR Fee: Shop', '2026-03-16 -11 EUR Shop']);
  });

  it('fails if its currency is unknown', async () => {
    const { rows } = await readExport([header, '2026-03-15,Shop,-10.00,3.00,Points'], { columns: { fee: 'Fee' } });
    expect(rows[1]).toBe('line 2 failure: the currency "Points" of its fee is not known: record the fee manually');
  });

  it('does not give its currency to the rows', async () => {
    const lines = [header, '2026-03-15,Shop,-10.00,3.00,GBP', '2026-03-16,Shop,-11.00,,GBP'];
    expect((await readExport(lines, { columns: { fee: '' } })).rows).toEqual([
      '2026-03-15 -10 Shop',
      '2026-03-16 -11 Shop',
    ]);
  });
});
