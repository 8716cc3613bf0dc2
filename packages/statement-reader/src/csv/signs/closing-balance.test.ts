import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const mbank = (closing: string) => [
  '#Data księgowania;#Opis operacji;#Kwota;#Saldo po operacji',
  '2026-01-12;ZAKUP PRZY UŻYCIU KARTY;-12,62;29775,01',
  '2026-01-13;KAPITALIZACJA ODSETEK;4,25;29779,26',
  `;#Saldo końcowe;${closing};`,
];
const intesa = (...footer: string[]) => [
  'Data contabile;Descrizione operazione;Dare;Avere;Saldo',
  '28/02/2026;Stipendio ACME SRL;;1.850,00;4.210,55',
  '27/02/2026;Pagamento POS Esselunga;-64,45;;2.360,55',
  '13/02/2026;Canone mensile;-2,00;;2.425,00',
  ...footer,
];

describe('a closing balance below the rows of a file with a balance column', () => {
  it('requires --ignore-balance if it differs from the balance after the newest row', async () => {
    const { doubt, reading, rows } = await readExport(mbank('29879,26'));
    expect(doubt).toEqual({
      message:
        'The closing balance in line 4 is 29879.26, but the balance column ends with 29779.26. Rows may be missing or wrong.',
      remedy: 'Export the statement again. If its rows are right, use --ignore-balance.',
      requiresOption: true,
    });
    expect(reading['closing balance']).toBe('29879.26 in line 4, but 29779.26 in the balance column');
    expect(rows).toHaveLength(2);
    const ignored = await readExport(mbank('29879,26'), { ignoresBalance: true });
    expect(ignored.doubt?.requiresOption).not.toBe(true);
  });

  it.each<[closing: string, lines: readonly string[]]>([
    ['is in the balance column', intesa('28/02/2026;Saldo finale;;;4.310,55')],
    ['is in the first cell, with its amount', intesa('Saldo finale al 28/02/2026: 4.310,55 EUR')],
    ['is the balance before the newest row', intesa(';Saldo finale;;;2.360,55')],
    [
      'has a date and an amount, like a row',
      [
        'Date,Description,Amount,Balance',
        '2026-01-02,City Water Utility,-61.20,938.80',
        '2026-01-13,Payroll ACME Corp,2100.00,3038.80',
        '2026-01-31,Closing balance,3138.80,',
      ],
    ],
    [
      'is below a single row',
      ['Date,Description,Amount,Balance', '2026-01-13,Coffee,-3.20,96.80', ',Ending balance,,90.00'],
    ],
  ])('is compared if it %s', async (_closing, lines) => {
    const { reading, doubt } = await readExport(lines);
    expect(reading['closing balance']).toMatch(/^[\d.]+( EUR)? in line \d, but [\d.]+( EUR)? in the balance column$/);
    expect(doubt?.message).toMatch(/^The closing balance in line \d/);
    expect(doubt?.requiresOption).toBe(true);
  });

  it.each<[closing: string, lines: readonly string[]]>([
    ['equals the balance after the newest row, which is the last row', mbank('29779,26')],
    ['equals the balance after the newest row, which is the first row', intesa(';Saldo finale;;;4.210,55')],
    ['is an available balance', intesa(';Saldo disponibile;;;5.210,55')],
    ['is the balance of another day', intesa(';Saldo al 15/03/2026;;;5.210,55')],
    ['is the opening balance', intesa(';Saldo iniziale;;;2.427,00')],
    ['has no amount', intesa(';Saldo finale;;;')],
    ['has several amounts, none of them in the balance column', intesa(';Saldo finale;66,45;1.850,00;')],
    [
      'is below rows whose column has the balance before each row',
      [
        'Date,Description,Amount,Balance',
        '2026-01-14,Rent,-700.00,1480.00',
        '2026-01-13,Refund,5.00,1475.00',
        '2026-01-05,Cafe,-5.00,1480.00',
        ',Closing balance,,780.00',
      ],
    ],
    [
      'equals the balance of another row of the newest day, because the rows of a day have no order',
      [
        'Date,Description,Amount,Balance',
        '2026-01-13,Coffee,-3.20,96.80',
        '2026-01-14,Books,-10.00,81.80',
        '2026-01-14,Lunch,-5.00,91.80',
        ',Closing balance,,81.80',
      ],
    ],
    [
      'is below a column that is not compared, because it does not follow the amounts',
      [
        'Date,Description,Amount,Balance',
        '2026-01-13,Coffee,-3.20,500.00',
        '2026-01-14,Books,-10.00,20.00',
        '2026-01-15,Lunch,-5.00,7.00',
        '2026-01-16,Tram,-2.00,41.00',
        ',Closing balance,,81.80',
      ],
    ],
    [
      'is below rows of two currencies',
      [
        'Date,Description,Amount,Currency,Balance',
        '2026-01-13,Coffee,-3.20,EUR,96.80',
        '2026-01-14,Books,-10.00,USD,40.00',
        ',Closing balance,,EUR,96.80',
      ],
    ],
  ])('raises no question if it %s', async (_closing, lines) => {
    const { reading, doubt } = await readExport(lines);
    expect(reading['closing balance']).toBeUndefined();
    expect(doubt?.message ?? '').not.toContain('closing balance');
  });
});
