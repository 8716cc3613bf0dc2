import { expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const payments = ['2024-01-15,Bar,-4.50', '2024-01-16,Pay,2000.00'];

async function rowsOf(lines: readonly string[]): Promise<readonly string[]> {
  return (await readExport(['Date,Description,Amount', ...lines])).rows;
}

it.each([
  'Anfangsbestand',
  'Endbestand',
  'Schlussbestand',
  'Υπόλοιπο έναρξης',
  'ΥΠΟΛΟΙΠΟ ΛΗΞΗΣ',
  'Υπόλοιπο λήξης',
  'BALANCE BROUGHT FWD',
  'Balance carried fwd',
  'Carried Fwd',
])('the CSV reader leaves out the balance "%s" above the first or below the last transaction', async (name) => {
  const balance = `2024-01-15,${name},1000.00`;
  expect((await rowsOf([balance, ...payments]))[0]).toBe(`line 2 skipped: it is a balance ("${name}")`);
  expect((await rowsOf([...payments, balance]))[2]).toBe(`line 4 skipped: it is a balance ("${name}")`);
});

it.each(['Totaal bij', 'Totaal af', 'Suma wpływów', 'Suma wydatków'])(
  'the CSV reader refuses the total "%s" as the first or last row if the rows do not add up to it',
  async (name) => {
    const total = `2024-01-15,${name},1000.00`;
    const failure = `"${name}" looks like a total and not like a transaction`;
    expect((await rowsOf([total, ...payments]))[0]).toBe(`line 2 failure: ${failure}`);
    expect((await rowsOf([...payments, total]))[2]).toBe(`line 4 failure: ${failure}`);
  },
);
