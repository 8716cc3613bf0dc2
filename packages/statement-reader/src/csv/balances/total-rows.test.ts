import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const headers = 'Date,Description,Category,Amount';
const january = ['2026-01-03,Lidl,,-5.00', '2026-01-13,Aldi,,-7.50', '2026-01-20,Salary,,100.00'];
const february = ['2026-02-03,Lidl,,-6.00', '2026-02-10,Rewe,,-8.50'];
const rowsOf = async (lines: readonly string[]) => (await readExport([headers, ...lines])).rows;
const leftOut = (line: number, text: string) => `line ${line} skipped: it is a total ("${text}")`;
const refused = (line: number, text: string) =>
  `line ${line} failure: "${text}" looks like a total and not like a transaction`;

describe('a row that names the total of a month, or of all expenses or incomes', () => {
  it('is left out if it is the sum of the rows since the previous total', async () => {
    const rows = await rowsOf([
      ...january,
      '2026-01-31,Total January,,87.50',
      ...february,
      '2026-02-28,February subtotal,,-14.50',
    ]);
    expect([rows[3], rows[6]]).toEqual([leftOut(5, 'Total January'), leftOut(8, 'February subtotal')]);
    expect(rows).toHaveLength(7);
  });

  it.each([
    ['Summe Ausgaben', 'Summe Einnahmen'],
    ['Totale uscite', 'Totale entrate'],
    ['Total débits', 'Total crédits'],
    ['Total de gastos', 'Total de ingresos'],
    ['Suma wydatków', 'Suma przychodów'],
    ['Total expenses January 2026', 'Total income January 2026'],
  ])('is left out if its text is "%s" or "%s", even if the file has only one income', async (expenses, incomes) => {
    const rows = await rowsOf([...january, `2026-01-31,${expenses},,-12.50`, `2026-01-31,${incomes},,100.00`]);
    expect(rows.slice(3)).toEqual([leftOut(5, expenses), leftOut(6, incomes)]);
  });

  it.each(['Total January', 'Summe Januar 2026', 'Total Q1', 'Suma enero', 'Total janvier', 'Totale gennaio'])(
    'fails if no rows add up to it: %s',
    async (text) => {
      expect((await rowsOf([...january, `2026-01-31,${text},Food,-99.00`]))[3]).toBe(refused(5, text));
    },
  );
});

describe('a row whose text begins or ends with a word for a total', () => {
  it.each(['Total Food', 'Food Total', 'Suma Lidl'])(
    'fails if at least two rows above add up to it: %s',
    async (text) => {
      const rows = await rowsOf([...january, ...february, `2026-02-28,${text},Food,-27.00`]);
      expect(rows[5]).toBe(refused(7, text));
    },
  );

  it.each([
    'TOTAL Station 123',
    'Total Energies',
    'Summa Health',
    'Total Wine & More',
    'Suma Foods',
    'Sum Restaurant',
    'TOTAL 2021',
  ])('is a transaction if no rows add up to it: %s', async (payee) => {
    expect((await rowsOf([...january, `2026-01-31,${payee},,-50.00`]))[3]).toBe(`2026-01-31 -50 ${payee}`);
  });

  it('is a transaction if its balance differs from the balance above it', async () => {
    const { rows } = await readExport([
      'Date,Description,Amount,Balance',
      '2026-01-03,Lidl,-5.00,95.00',
      '2026-01-13,Aldi,-7.50,87.50',
      '2026-01-14,Total Energies,-12.50,75.00',
      '2026-01-31,Total January,-25.00,75.00',
    ]);
    expect(rows.slice(2)).toEqual(['2026-01-14 -12.5 Total Energies', leftOut(5, 'Total January')]);
  });
});

describe('a row whose only text names an amount to pay', () => {
  const amounts = [
    'Rechnungsbetrag',
    'Zu zahlender Betrag',
    'Abrechnungsbetrag 31.01.2026',
    'Montant prélevé le 05/02',
    'Net à payer',
    'Importo da pagare',
    'Importe a pagar',
    'Te betalen',
    'Att betala',
    'Do zapłaty',
    'Fizetendő összeg',
    'Amount due:',
    'ご請求額',
  ];

  it.each(amounts)('fails if one row or several rows above add up to it: %s', async (text) => {
    const lines = ['2026-01-03,Lidl,,-5.00', '2026-01-13,Aldi,,-7.50'];
    expect((await rowsOf([...lines, `2026-01-31,${text},,-12.50`]))[2]).toBe(refused(4, text));
    expect((await rowsOf([...lines.slice(1), `2026-01-31,${text},,7.50`]))[1]).toBe(refused(3, text));
  });

  it.each(amounts)('is a transaction if no rows add up to it, or if its row has a category: %s', async (text) => {
    expect((await rowsOf([...january, `2026-01-31,${text},,-50.00`]))[3]).toBe(`2026-01-31 -50 ${text}`);
    expect((await rowsOf(['2026-01-03,Lidl,,-5.00', `2026-01-31,${text},Bills,-5.00`]))[1]).toBe(
      `2026-01-31 -5 ${text}`,
    );
  });

  it('is a transaction if its text and amount are those of the payment above it', async () => {
    const rows = await rowsOf(['2026-01-31,Te betalen,,-50.00', '2026-02-28,Te betalen,,-50.00']);
    expect(rows).toEqual(['2026-01-31 -50 Te betalen', '2026-02-28 -50 Te betalen']);
  });
});

it.each(['Terhelések összesen', 'Tapahtumat yhteensä'])(
  'a total with two rows above it is left out if they add up to it: %s',
  async (text) => {
    const rows = await rowsOf(['2026-01-03,Lidl,,-5.00', '2026-01-13,Aldi,,-7.50', `2026-01-31,${text},,-12.50`]);
    expect(rows[2]).toBe(leftOut(4, text));
  },
);

describe('a row whose description is only a period of time', () => {
  it.each(['January', 'Januar 2026', 'März', 'Q1 2026', '1. Quartal', 'KW 12', 'Week 3', '2026', '2026-01', '1月'])(
    'fails if the rows above it add up to it: %s',
    async (text) => {
      expect((await rowsOf([...january, `2026-01-31,${text},,-12.50`, ...february]))[3]).toBe(refused(5, text));
      expect((await rowsOf([...january, `2026-01-31,${text},,-13.50`, ...february]))[3]).toBe(
        `2026-01-31 -13.5 ${text}`,
      );
    },
  );

  it('fails if it is the sum of the rows of a month, even of a single row, or the sum of all months above it', async () => {
    const rows = await rowsOf([
      '2025-12-03,Lidl,,-5.00',
      '2025-12-31,December,,-5.00',
      ...january,
      '2026-01-31,January,,87.50',
      ...february,
      '2026-02-28,February,,-14.50',
      '2026-02-28,Q1 2026,,68.00',
      '2026-03-01,Lidl,,-1.00',
    ]);
    expect(rows.filter((row) => row.includes('failure'))).toEqual([
      refused(3, 'December'),
      refused(7, 'January'),
      refused(10, 'February'),
      refused(11, 'Q1 2026'),
    ]);
  });

  it('is a payment if the row has a category, if its balance differs from the balance above, or if every row names a month', async () => {
    const { rows } = await readExport([
      'Date,Description,Amount,Balance',
      '2026-01-03,Lidl,-5.00,95.00',
      '2026-01-13,Aldi,-7.50,87.50',
      '2026-01-14,May,-12.50,75.00',
    ]);
    expect(rows[2]).toBe('2026-01-14 -12.5 May');
    expect((await rowsOf([...january, '2026-01-31,January,Rent,-12.50']))[3]).toBe('2026-01-31 -12.5 January');
    const rent = ['January', 'February', 'March', 'April'].map((month) => `2026-01-31,${month},,-500.00`);
    expect((await rowsOf(rent)).filter((row) => row.includes('-500'))).toHaveLength(4);
  });
});

it('a subtotal in the category column is left out if its row has no other text, and rows add up to it', async () => {
  const rows = await rowsOf([
    '2026-01-03,Lidl,Food,-5.00',
    '2026-01-13,Aldi,Food,-7.50',
    '2026-01-13,,Food Total,-12.50',
    '2026-01-14,DB,Travel,-20.00',
    '2026-01-14,,Total Travel,-20.00',
    '2026-01-14,,Grand Total,-32.50',
    '2026-01-15,,Total Rent,-1.00',
  ]);
  expect([rows[2], rows[4], rows[5], rows[6]]).toEqual([
    leftOut(4, 'Food Total'),
    leftOut(6, 'Total Travel'),
    leftOut(7, 'Grand Total'),
    refused(8, 'Total Rent'),
  ]);
});
