import { describe, expect, it } from 'vitest';
import { openCsvInTest } from '../../../test-support/open-csv-in-test.js';

const rowsAgree = async (...rows: readonly string[]) => {
  const lines = ['Date,Description,Amount', ...rows.map((row, index) => `2026-03-1${index},${row}`)];
  return (await openCsvInTest(lines.join('\n'))).openSigns?.rowsAgree;
};

describe('the rows of a file with signs', () => {
  it.each([
    ['ACME Corp Salary,2100.00', 'Rewe,-45.10'],
    ['Gehalt Muster GmbH,2100.00', 'Rewe,-45.10'],
    ['SEPA-Überweisung Anna Muster,20.00', 'Rewe,-45.10'],
    ['VIREMENT DE M MARTIN,50.00', 'Carrefour,-12.30'],
    ['NÓMINA MARZO,1500.00', 'Mercadona,-45.10'],
    ['Bonifico da Rossi,50.00', 'Esselunga,-12.30'],
    ['給与 カ)アクメ,250000', 'セブン,-450'],
    ['Anna,20.00', 'Rent March,-900.00'],
    ['Anna,20.00', 'Kontogebühr,-3.50'],
    ['Anna,20.00', 'ATM Main Street,-50.00'],
    ['Shop,+20.00', 'Cinema,-12.00'],
  ])('show that a minus is an expense: "%s" and "%s"', async (...rows) => {
    expect(await rowsAgree(...rows)).toBe(true);
  });

  it.each([
    ['AMAZON MKTPL,45.10', 'ZARA STORE 22,-20.00'],
    ['NETFLIX,15.49', 'DIRECT DEBIT,-100.00'],
    ['REWE SAGT DANKE,31.20', 'Lastschrift vom Girokonto,-120.00'],
    ['PARENTHESES BOOKS,8.00', 'FEELGOOD YOGA,-30.00'],
  ])('do not show the meaning of a minus: "%s" and "%s"', async (...rows) => {
    expect(await rowsAgree(...rows)).toBe(false);
  });
});

describe('a balance column that agrees with the signs', () => {
  const card = [
    '13,AMAZON,45.10,145.10',
    '14,SHELL,38.00,183.10',
    '15,DIRECT DEBIT,-100.00,83.10',
    '16,LIDL,7.00,90.10',
  ];
  const balanceAgrees = async (rows: readonly string[]) => {
    const lines = ['Date,Description,Amount,Balance', ...rows.map((row) => `2026-03-${row}`)];
    return (await openCsvInTest(lines.join('\n'))).openSigns?.balanceAgrees;
  };

  it.each([
    ['oldest first', card],
    ['newest first', card.toReversed()],
  ])('may show a debt if an amount with a minus pays the balance before the oldest row: %s', async (_order, rows) => {
    expect(await balanceAgrees(rows)).toBe(false);
  });

  it('shows that a minus is an expense if no amount pays this balance, or if a text names an income', async () => {
    const other = ['13,AMAZON,45.10,145.10', '14,SHELL,38.00,183.10', '15,DIRECT DEBIT,-90.00,93.10'];
    expect(await balanceAgrees(other)).toBe(true);
    expect(await balanceAgrees(card.map((row) => row.replace('SHELL', 'Salary')))).toBe(true);
  });
});
