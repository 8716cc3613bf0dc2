import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';
import { findHeaderUnit, findLineUnit } from './header-units.js';

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

describe('a file with amounts in a unit such as cents or thousands', () => {
  it.each([
    ['Amount (cents)', 'cents', '-1250'],
    ['Amount in pence', 'pence', '-1250'],
    ['Betrag in Cent', 'Cent', '-1250'],
    ['amount_minor', 'minor', '-1250'],
    ['Betrag (Tsd. EUR)', 'Tsd', '-1.25'],
    ['Betrag (k€)', 'k€', '-1.25'],
  ])('is refused if the amount header is "%s", even if an option names it', async (header, unit, amount) => {
    const file = [`Date,Description,${header}`, `2026-05-01,Coffee,${amount}`, `2026-05-02,Bread,${amount}`];
    for (const columns of [{}, { amount: header }, { debit: header }, { credit: header }]) {
      await expect(readExport(file, { columns })).rejects.toMatchObject({
        message: `The column "${header}" has amounts in another unit ("${unit}"), and not in the main unit of the currency, such as euros or dollars.`,
        remedy: expect.stringContaining('Convert the amounts in a spreadsheet'),
      });
    }
  });

  it('is refused if the unit is in the header of a credit column or a fee column', async () => {
    const sides = ['Date,Text,Debit,Credit (cents)', '2026-05-01,Coffee,2.50,', '2026-05-02,Pay,,1250'];
    await expect(readExport(sides)).rejects.toThrow('The column "Credit (cents)"');
    const fee = ['Date,Text,Amount,Fee (cents)', '2026-05-01,Coffee,-2.50,12'];
    await expect(readExport(fee, { columns: { fee: 'Fee (cents)' } })).rejects.toThrow('The column "Fee (cents)"');
  });

  it.each(['Rate', 'Balance'])('is refused even if a column "%s" has other numbers', async (other) => {
    const file = [`Date,Text,Amount (cents),${other}`, '2026-05-01,Coffee,-250,7.50', '2026-05-02,Bread,-150,6.00'];
    await expect(readExport(file)).rejects.toThrow('The column "Amount (cents)"');
  });

  it('is read if another column has the amounts in the main unit of the currency', async () => {
    const file = ['Date,Text,Amount,Amount (cents)', '2026-05-01,Coffee,-2.50,-250', '2026-05-02,Bread,-1.50,-150'];
    expect((await readExport(file)).rows).toEqual(['2026-05-01 -2.5 Coffee', '2026-05-02 -1.5 Bread']);
  });
});

describe('findLineUnit', () => {
  it.each([
    ['Amounts in cents', 'cents'],
    ['Beträge in TEUR', 'TEUR'],
    ['Alle Beträge in Tsd. EUR', 'Tsd'],
    ['Montants en centimes', 'centimes'],
    ['Importes en miles de euros', 'miles'],
    ['Importi in centesimi', 'centesimi'],
    ['Kwoty w groszach', 'groszach'],
    ['in thousands', 'thousands'],
    ['(in thousands of euros)', 'thousands'],
    ['USD in thousands', 'thousands'],
    ["All amounts in '000 USD", "'000"],
    ['Amounts (cents)', 'cents'],
    ['Unit: cents', 'cents'],
    ['Einheit;Cent', 'Cent'],
    ['Currency: USD cents', 'cents'],
    ['単位:千円', '千円'],
  ])('returns the unit of the line "%s"', (line, unit) => {
    expect(findLineUnit(line)).toBe(unit);
  });

  it.each([
    'Amounts are in EUR',
    'All amounts in euros and cents',
    'Montants exprimés en euros et centimes',
    'Konto in CHF',
    'Filiale in 1000 Lausanne',
    'Wohnhaft in Mill Valley',
    '14 000 Bern',
    'Anna Sen',
    'Cent Bank',
    'Payments are listed below, and the bank charges a fee in cents for each of them.',
  ])('returns no unit for the line "%s"', (line) => {
    expect(findLineUnit(line)).toBeUndefined();
  });
});

describe('a file in which a line names a unit such as cents for the amounts', () => {
  const headers = 'Date,Description,Amount';
  const rows = ['2026-01-13,Lidl,-500', '2026-01-14,Aldi,-750'];

  it.each([
    ['above the headers', ['Amounts in cents', headers, ...rows], 1],
    ['below the headers', [headers, ',,Amounts in cents', ...rows], 2],
    ['below the rows', [headers, ...rows, 'Amounts in cents'], 4],
  ])('is refused if the line is %s', async (_, lines, line) => {
    await expect(readExport(lines)).rejects.toMatchObject({
      message: `Line ${line}, "Amounts in cents", may say that the amounts are in another unit ("cents"), and not in the main unit of the currency, such as euros or dollars.`,
      remedy:
        'If they are, convert them in a spreadsheet to the main unit of the currency. Then remove this line from the file.',
    });
  });
});
