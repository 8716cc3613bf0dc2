import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const doubtful = (line: number, number: string) =>
  `line ${line} failure: it has only a date, an amount and the number "${number}", unlike all other rows, and may be a balance: record it manually if it is a payment`;
const leftOut = (line: number, number: string) => `line ${line} skipped: it is a balance ("${number}")`;

const opening = '31/05/2026;1489,65;;00451 098285A';
const movements = [
  '15/06/2026;-10;Carte;;CB  Revolut**7050*   29/05/26;;0;Divers',
  "15/06/2026;-7,2;Carte;;CB  SQ *FRAN'S VERDU 29/05/26;;0;Divers",
  '15/06/2026;350;Virement;;;VIR.PERMANENT Mlle S;;',
  '16/06/2026;-16,97;Virement;;PRLV SEPA ASSURANCE LCL;;;',
];
const closing = '30/06/2026;1805,48;;00451 098285A';
const recorded = [
  expect.stringMatching(/^2026-06-15 -10/),
  expect.stringMatching(/^2026-06-15 -7.2/),
  expect.stringMatching(/^2026-06-15 \+350/),
  expect.stringMatching(/^2026-06-16 -16.97/),
];

describe('a row with only a date, an amount and an account number, as in files of LCL', () => {
  it('fails if it is the last row, and the other rows do not prove that it is a balance', async () => {
    const { rows, interpretation } = await readExport([
      '29/10/2024;80;Virement;;;VIREMENT M JEAN MARTIN OU;;',
      '29/10/2024;-21,32;Carte;;CB  MERCH          28/10/24;;0;Divers',
      '29/11/2024;100,06;;01234 123456A',
    ]);
    expect(rows).toEqual([
      expect.stringMatching(/^2024-10-29 \+80/),
      expect.stringMatching(/^2024-10-29 -21.32/),
      doubtful(3, '01234 123456A'),
    ]);
    expect(interpretation.signs).toBe('- is an expense (1 row), amounts without a minus are incomes (1 row)');
    expect(interpretation.totals).toBe('2 rows, 2024-10-29 to 2024-10-29, expenses 21.32, incomes 80');
    expect(interpretation['other rows']).toBe('1 fails');
  });

  it('is left out at both ends of the file if the rows between add up to the difference of the balances', async () => {
    const { rows } = await readExport([opening, ...movements, closing]);
    expect(rows).toEqual([leftOut(1, '00451 098285A'), ...recorded, leftOut(6, '00451 098285A')]);
    const newestFirst = await readExport([closing, ...movements.toReversed(), opening]);
    expect(newestFirst.rows).toEqual([
      leftOut(1, '00451 098285A'),
      ...recorded.toReversed(),
      leftOut(6, '00451 098285A'),
    ]);
  });

  it('fails at both ends of the file if the rows between do not add up to the difference', async () => {
    const { rows } = await readExport([opening, ...movements, '14/07/2026;43,15;;00451 098285A']);
    expect(rows).toEqual([doubtful(1, '00451 098285A'), ...recorded, doubtful(6, '00451 098285A')]);
  });

  it.each([
    ['is the first row', [opening, ...movements], 1],
    ['is the last row below a single row', [...movements.slice(0, 1), opening], 2],
    ['has empty cells after its number', [...movements, `${opening};;;;`], 5],
    ['has its number in the column of the texts', [...movements.slice(0, 2), '30/06/2026;7,00;;;00451 098285A'], 3],
    ['is the only row', [opening], 1],
  ])('fails if it %s', async (_case, lines, line) => {
    expect((await readExport(lines)).rows[line - 1]).toBe(doubtful(line, '00451 098285A'));
  });

  it('fails in a file with headers if it has fewer cells than all other rows', async () => {
    const file = [
      'Date;Montant;Type;Compte;Libelle',
      '15/06/2026;-10;Carte;;CB Revolut',
      '16/06/2026;350;Virement;;VIR',
    ];
    const { rows } = await readExport([...file, '30/06/2026;1805,48;;00451 098285A']);
    expect(rows).toEqual(['2026-06-15 -10 CB Revolut', '2026-06-16 +350 VIR', doubtful(4, '00451 098285A')]);
  });

  it.each([
    ['another row has an account number in the same column', '16/06/2026;-5;Virement;00451 777777B;VIR;;;'],
    ['another row has as few cells', '16/06/2026;-5;;Virement'],
  ])('is a transaction if %s', async (_case, other) => {
    const { rows } = await readExport([...movements.slice(0, 1), other, closing]);
    expect(rows.at(-1)).toMatch(/^2026-06-30 \+1805.48/);
  });

  it('is a transaction if its number is the short number of a cheque', async () => {
    const { rows } = await readExport([...movements.slice(0, 2), '30/06/2026;-50,00;;1234567']);
    expect(rows.at(-1)).toMatch(/^2026-06-30 -50/);
  });
});
