import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('columns that share a header', () => {
  const file = ['Date,Amount,Amount,Description', '2026-01-13,-1.00,-99.00,Tea', '2026-01-14,-2.00,98.00,Pay'];

  it('are refused if their cells differ, and the message contains their positions', async () => {
    await expect(readExport(file)).rejects.toMatchObject({
      message:
        'It is not clear which column has the amount: columns 2 and 3 are both "Amount". In the row of 2026-01-13: column 2 has "-1.00", column 3 has "-99.00".',
      remedy: 'Name each column by its position: --amount-column "column 2" or "column 3".',
    });
  });

  it('are refused if they are two amounts, each with a currency, and the message shows each amount with its currency', async () => {
    const lines = ['Datum;Text;Betrag;Währung;Betrag;Währung', '13.03.2024;Shop;-20,00;EUR;-21,80;USD'];
    await expect(readExport(lines)).rejects.toMatchObject({
      message: expect.stringContaining('column 3 has "-20,00" next to "EUR", column 5 has "-21,80" next to "USD".'),
      remedy: expect.stringContaining('--currency-column "column 4" or "column 6"'),
    });
    await expect(readExport(lines)).rejects.toMatchObject({
      message: expect.stringContaining('columns 4 and 6 are both "Währung"'),
      remedy: expect.stringContaining('--amount-column "column 3" or "column 5"'),
    });
  });

  it('are accepted as currencies if each follows its own amount column, but not if they surround one amount column', async () => {
    const { rows, interpretation } = await readExport([
      'Data transakcji;Tytuł;Kwota transakcji;Waluta;Kwota płatności w walucie;Waluta',
      '2024-11-17;Hotel;-43,10;PLN;-10,00;EUR',
      '2024-11-18;Sklep;-5,00;PLN;;',
    ]);
    expect(rows).toEqual(['2024-11-17 -43.1 PLN Hotel', '2024-11-18 -5 PLN Sklep']);
    expect(interpretation.currency).toBe('column 4');
    const between = readExport(['Data;Waluta;Kwota;Waluta', '2024-11-17;PLN;-43,10;EUR']);
    await expect(between).rejects.toThrow('columns 2 and 4 are both "Waluta"');
  });

  it('are refused even if an option such as --amount-column names their header', async () => {
    await expect(readExport(file, { columns: { amount: 'amount' } })).rejects.toThrow('columns 2 and 3 are both');
  });

  it.each([
    ['column 2', ['2026-01-13 -1 Tea', '2026-01-14 -2 Pay']],
    ['Column 3', ['2026-01-13 -99 Tea', '2026-01-14 +98 Pay']],
  ])(
    'are distinguished by the position "%s", and the column that is not chosen is listed as not used',
    async (amount, expected) => {
      const { rows, interpretation } = await readExport(file, { columns: { amount } });
      expect(rows).toEqual(expected);
      expect(interpretation['not used']).toBe('"Amount"');
    },
  );

  it.each(['column 0', 'column 5', 'column'])(
    'are refused if an option names "%s", which does not exist',
    async (amount) => {
      await expect(readExport(file, { columns: { amount } })).rejects.toThrow(`The file has no column "${amount}"`);
    },
  );

  it.each([
    ['date', 'Date,Date,Amount', '2026-01-13,2026-02-14,-5.00'],
    ['description', 'Date,Description,Amount,Description', '2026-01-13,Tea,-5.00,Milk'],
    ['debit', 'Date,Debit,Debit,Credit', '2026-01-13,5.00,6.00,'],
  ])('are refused as ambiguous if each of them may be the %s column', async (name, headers, row) => {
    await expect(readExport([headers, row])).rejects.toThrow(`It is not clear which column has the ${name}: columns `);
  });

  it('are accepted if their cells are equal', async () => {
    const { rows } = await readExport([
      'Buchung;Verwendungszweck;Saldo;Währung;Betrag;Währung',
      '13.01.2026;Tee;95,00;EUR;-5,00;EUR',
      ';;95,00;EUR;;',
    ]);
    expect(rows[0]).toBe('2026-01-13 -5 EUR Tee');
  });

  it('are accepted if the first 300 rows have equal cells in them; row 301 fails if its cells differ', async () => {
    const same = Array.from({ length: 300 }, (_, index) => `2026-01-13,-${index + 1}.00,-${index + 1}.00`);
    const { rows } = await readExport(['Date,Amount,Amount', ...same, '2026-01-14,-1.00,-2.00']);
    expect(rows).toHaveLength(301);
    expect(rows.at(-1)).toBe('line 302 failure: its columns 2 and 3 are both "Amount", but have different values');
  });

  it('are accepted if only the first of them is filled in the first rows; a later row fails if its cells differ', async () => {
    const filled = Array.from({ length: 300 }, (_, index) => `2026-01-13,Shop,,-${index + 1}.00`);
    const { rows } = await readExport(['Date,Description,Description,Amount', ...filled, '2026-01-14,,Rent,-1.00']);
    expect(rows[0]).toBe('2026-01-13 -1 Shop');
    expect(rows.at(-1)).toBe('line 302 failure: its columns 2 and 3 are both "Description", but have different values');
    await expect(readExport(['Date,Amount,Amount', '2026-01-13,,-1.00'])).rejects.toThrow('are both "Amount"');
  });

  it('are accepted as codes if the second follows the balance, as in exports of Kotak', async () => {
    const lines = (columns: string, cells: string) => [columns, `2026-01-13,Tea,${cells}`];
    const { rows } = await readExport(lines('Date,Text,Amount,Dr / Cr,Balance,Dr / Cr', '5.00,DR,95.00,CR'));
    expect(rows).toEqual(['2026-01-13 -5 Tea']);
    await expect(readExport(lines('Date,Text,Amount,Dr / Cr,Limit,Dr / Cr', '5.00,DR,95.00,CR'))).rejects.toThrow(
      'are both "Dr / Cr"',
    );
  });

  it('are all listed in the error message if there are three', async () => {
    await expect(readExport(['Date,Amount,Amount,Amount', '2026-01-13,-1.00,-2.00,-3.00'])).rejects.toThrow(
      'columns 2, 3 and 4 are all "Amount"',
    );
  });
});
