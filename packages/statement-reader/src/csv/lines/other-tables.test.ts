import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const headers = '"Buchungstag";"Buchungstext";"Umsatz in EUR"';
const first = ['"Umsätze Girokonto";"30 Tage"', '', headers, '"15.11.2024";"Strom";"-50,00"'];
const row = '"16.11.2024";"Zinsen";"1,00"';

describe('a second table in a file', () => {
  it.each([
    ['the same headers', headers],
    ['other headers', '"Buchungstag";"Umsatztag";"Buchungstext";"Umsatz in EUR"'],
  ])('is refused if it is below the name of another account and has %s', async (_headers, second) => {
    const title = [
      '"Alter Kontostand";"0,00 EUR"',
      '',
      '"Umsätze Tagesgeldkonto";"30 Tage"',
      '"Neuer Saldo";"1,00 EUR"',
    ];
    await expect(readExport([...first, ...title, second, row])).rejects.toMatchObject({
      message: 'Another table begins below line 7, "Umsätze Tagesgeldkonto": its rows may be of another account.',
      remedy: expect.stringContaining('Split the file'),
    });
  });

  it('is refused with a message of one line, even if the title of the table has a line break', async () => {
    const title = ['"Umsätze\n Tagesgeldkonto";"30 Tage"'];
    await expect(readExport([...first, ...title, headers, row])).rejects.toMatchObject({
      message: 'Another table begins below line 5, "Umsätze Tagesgeldkonto": its rows may be of another account.',
    });
  });

  it.each([
    ['without a title', []],
    ['below the title of the first table', ['"Umsätze Girokonto";"Seite 2"']],
    ['below a title that names no account', ['"Letzte Umsätze";""']],
  ])('is read %s', async (_title, title) => {
    const { rows } = await readExport([...first, ...title, headers, row]);
    expect(rows).toEqual(['2024-11-15 -50 EUR Strom', '2024-11-16 +1 EUR Zinsen']);
  });

  it('is refused if the order of its debit and credit columns differs from that of the first table', async () => {
    const file = [
      'Date,Text,Debit,Credit',
      '2024-11-15,Power,50.00,',
      'Date,Text,Credit,Debit',
      '2024-11-16,Pay,9.00,',
    ];
    await expect(readExport(file)).rejects.toMatchObject({
      message: 'Another table begins at line 3, and its columns are not those of the first table.',
    });
    const same = await readExport(file.map((line) => line.replace('Text,Credit,Debit', 'TEXT,DEBIT,CREDIT')));
    expect(same.rows).toEqual(['2024-11-15 -50 Power', '2024-11-16 -9 Pay']);
  });

  it.each(['Date,Description,Balance', 'Date,Security,Quantity'])(
    'is refused if it has no amounts, because its headers are %s',
    async (second) => {
      const file = ['Date,Description,Amount', '2024-11-15,Power,-50.00', '', second, '2024-11-30,Savings,5000.00'];
      await expect(readExport(file)).rejects.toMatchObject({
        message: 'Another table begins at line 4, and its columns are not those of the first table.',
      });
    },
  );

  it('is left out if it has only balances, as in an export of Bradesco', async () => {
    const { rows, interpretation } = await readExport([
      'Data;Histórico;Docto.;Crédito (R$);Débito (R$);Saldo (R$);',
      '15/10/2024;PIX;1;;-50,00;950,00;',
      'Total;;;0,00;-50,00;950,00;',
      'Últimos Lançamentos;;;;;',
      'Data;Histórico;Docto.;Crédito (R$);Débito (R$);Saldo (R$);',
      'Não há lançamentos para este tipo de extrato;;;;;',
      'Saldos Invest Fácil / Plus;;;;;',
      'Data;Histórico;Valor (R$);;;',
      '16/10/2024;SALDO INVEST FACIL;150,33;;;',
    ]);
    expect(rows).toEqual(['2024-10-15 -50 PIX']);
    expect(interpretation.lines).toBe('9: 1 header, 1 row, 7 left out');
  });

  it('is not assumed if a note about the account is between the rows', async () => {
    const { rows } = await readExport([...first, '"Kontoinhaber";"Max"', row]);
    expect(rows).toHaveLength(2);
  });
});
