import { expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const rowsOfBnp = [
  '30/05/2026;;;CARTE BOULANGERIE;-13,05',
  '27/05/2026;;;VIR VERS MME PETIT;-120,70',
  '24/05/2026;;;REMBOURSEMENT;25,69',
];
const rowsOfSantander = [
  '30-05-2026,30-05-2026,PIEKARNIA,,,"-12,55","3012,55",3,',
  '27-05-2026,27-05-2026,PRZELEW DO ANNA,ANNA NOWAK,\'11 2222 3333,"-120,20","3025,10",2,',
  '24-05-2026,24-05-2026,ZWROT,,,"25,19","3145,30",1,',
];

it('the CSV reader leaves out the first row of BNP Paribas, which has the name and the balance of the account', async () => {
  const { rows, interpretation } = await readExport([
    'Compte de chèques;Compte de chèques;****1234;31/05/2026;;3 494,93',
    ...rowsOfBnp,
  ]);
  expect(rows).toEqual([
    '2026-05-30 -13.05 CARTE BOULANGERIE',
    '2026-05-27 -120.7 VIR VERS MME PETIT',
    '2026-05-24 +25.69 REMBOURSEMENT',
  ]);
  expect(interpretation.lines).toBe('4: no header, 3 rows, 1 left out');
});

it('the CSV reader leaves out the first row of the Polish Santander, which has the opening and the closing balance', async () => {
  const { rows, interpretation } = await readExport([
    '31-05-2026,01-05-2026,\'12 1090 1234,JAN KOWALSKI,PLN,"3120,11","3012,55",3,',
    ...rowsOfSantander,
  ]);
  expect(rows).toEqual(['2026-05-30 -12.55 PIEKARNIA', '2026-05-27 -120.2 PRZELEW DO ANNA', '2026-05-24 +25.19 ZWROT']);
  expect(interpretation.lines).toBe('4: no header, 3 rows, 1 left out');
});

it('the CSV reader records a first row whose amount explains the balance', async () => {
  const first = '31-05-2026,30-05-2026,HOTEL,LONDON,GBP,"-12,55","3000,00",4,';
  const { rows } = await readExport([first, ...rowsOfSantander]);
  expect(rows[0]).toBe('2026-05-31 -12.55 HOTEL');
  expect(rows).toHaveLength(4);
});

it.each([
  [
    'has one day and the balance of the next row',
    ['31-05-2026,31-05-2026,HOTEL,X,GBP,"-12,55","3012,55",4,', ...rowsOfSantander],
  ],
  [
    'is pending, and has the balance of the next row',
    ['31-05-2026,29-05-2026,HOTEL,X,GBP,"-12,55","3012,55",4,', ...rowsOfSantander],
  ],
  ['contradicts the balance', ['31-05-2026,30-05-2026,HOTEL,X,GBP,"-12,55","2998,50",4,', ...rowsOfSantander]],
  [
    'was shifted by an unquoted delimiter',
    ['Smith, John,30/05/2026,-12.00', 'Tesco,29/05/2026,-7.10', 'Boots,28/05/2026,-3.20', 'Salary,27/05/2026,1500.00'],
  ],
])('the CSV reader refuses a file whose first row %s', async (_, lines) => {
  await expect(readExport(lines)).rejects.toThrow(/^It is not clear which column has the (date|amount)\./);
});

it('the CSV reader refuses a file whose first row has its date in another column and its amount in the column of amounts', async () => {
  await expect(readExport(['Carte;;31/05/2026;HOTEL;-99,05', ...rowsOfBnp])).rejects.toThrow(
    /^It is not clear which column has the date\./,
  );
});

it('the CSV reader reads cells that the Indian bank HDFC separates with ~|~', async () => {
  const { rows } = await readExport([
    'Credit Card Statement~|~',
    'Name~|~A USER',
    '',
    'Transaction type~|~Primary / Addon Customer Name~|~DATE~|~Description~|~AMT~|~Debit / Credit ~|~Base NeuCoins*',
    'Domestic~|~A USER~|~30/05/2026 10:00:00~|~CORNER "GROCERY"~|~10,123.60~|~Dr~|~',
    'Domestic~|~A USER~|~24/05/2026 10:00:00~|~REFUND BOOKSHOP~|~250.00~|~Cr~|~',
  ]);
  expect(rows).toEqual(['2026-05-30 -10123.6 CORNER "GROCERY"', '2026-05-24 +250 REFUND BOOKSHOP']);
});
