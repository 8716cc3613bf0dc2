import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';
import { findHeaderUnit } from './header-units.js';

describe('findHeaderUnit', () => {
  it.each([
    ['Amount (cents)', 'cents'],
    ['AmountCents', 'Cents'],
    ['Amount in pence', 'pence'],
    ['Amount (p)', 'p'],
    ['Betrag in Cent', 'Cent'],
    ['Betrag in ct.', 'ct'],
    ['amount_minor', 'minor'],
    ['amount_in_minor_units', 'minor'],
    ['Amount (GBp)', 'GBp'],
    ['Amount (¢)', '¢'],
    ['Montant (centimes)', 'centimes'],
    ['Belopp i öre', 'öre'],
    ['Kwota w groszach', 'groszach'],
    ['Сумма в копейках', 'копейках'],
    ['金额（分）', '分'],
    ['Betrag (Tsd. EUR)', 'Tsd'],
    ['Betrag in TEUR', 'TEUR'],
    ['Betrag (k€)', 'k€'],
    ['Importe (miles de euros)', 'miles'],
    ['Amount (£000s)', '000s'],
    ["Amount ('000)", "'000"],
    ['Betrag in 1.000 EUR', '1.000'],
    ['Amount (x100)', 'x100'],
    ['金額(千円)', '千円'],
  ])('returns the unit of the header "%s"', (header, unit) => {
    expect(findHeaderUnit(header)).toBe(unit);
  });

  it.each([
    'Amount',
    'Amount (GBP)',
    'Betrag (EUR)',
    'Montant en euros',
    'Amount ($)',
    'Valor R$',
    'Cost center',
    'Percent',
    'Belopp SEK',
    'Konto 1000',
    'Amount 2000',
    'Max 100',
    'Miles',
    'CT Amount',
    '金額(円)',
    '금액(원)',
    '',
  ])('returns no unit for the header "%s"', (header) => {
    expect(findHeaderUnit(header)).toBeUndefined();
  });
});

describe('a file with amounts in another unit', () => {
  it.each([
    ['Amount (cents)', 'cents', '-1250'],
    ['Amount in pence', 'pence', '-1250'],
    ['Betrag in Cent', 'Cent', '-1250'],
    ['amount_minor', 'minor', '-1250'],
    ['Betrag (Tsd. EUR)', 'Tsd', '-1.25'],
    ['Betrag (k€)', 'k€', '-1.25'],
  ])('is refused if their header is "%s", with and without --amount-column', async (header, unit, amount) => {
    const file = [`Date,Description,${header}`, `2026-05-01,Coffee,${amount}`, `2026-05-02,Bread,${amount}`];
    for (const columns of [{}, { amount: header }, { debit: header }, { credit: header }]) {
      await expect(readExport(file, { columns })).rejects.toMatchObject({
        message: `The column "${header}" has amounts in another unit ("${unit}"), and not in the main unit of the currency, such as euros or dollars.`,
        remedy: expect.stringContaining('Convert the amounts in a spreadsheet'),
      });
    }
  });

  it('is refused if the unit is in the header of a debit, a credit or a fee', async () => {
    const sides = ['Date,Text,Debit,Credit (cents)', '2026-05-01,Coffee,2.50,', '2026-05-02,Pay,,1250'];
    await expect(readExport(sides)).rejects.toThrow('The column "Credit (cents)"');
    const fee = ['Date,Text,Amount,Fee (cents)', '2026-05-01,Coffee,-2.50,12'];
    await expect(readExport(fee, { columns: { fee: 'Fee (cents)' } })).rejects.toThrow('The column "Fee (cents)"');
  });

  it.each(['Rate', 'Balance'])('is refused even if a column "%s" has other numbers', async (other) => {
    const file = [`Date,Text,Amount (cents),${other}`, '2026-05-01,Coffee,-250,7.50', '2026-05-02,Bread,-150,6.00'];
    await expect(readExport(file)).rejects.toThrow('The column "Amount (cents)"');
  });

  it('is read if another column has the amounts in the main unit', async () => {
    const file = ['Date,Text,Amount,Amount (cents)', '2026-05-01,Coffee,-2.50,-250', '2026-05-02,Bread,-1.50,-150'];
    expect((await readExport(file)).rows).toEqual(['2026-05-01 -2.5 Coffee', '2026-05-02 -1.5 Bread']);
  });
});
