import { expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

it('the CSV reader reads a dash or a currency symbol alone as an empty debit or credit', async () => {
  const { rows } = await readExport([
    'Date,Description,Paid out,Paid in',
    '2024-03-13,Grocer,£20.00,-',
    '2024-03-14,Salary,£,£500.00',
    '2024-03-15,Bakery,£4.20,–',
  ]);
  expect(rows).toEqual(['2024-03-13 -20 Grocer', '2024-03-14 +500 Salary', '2024-03-15 -4.2 Bakery']);
});

it('the CSV reader reports a row whose only amount is a dash as failed', async () => {
  const { rows } = await readExport(['Date,Description,Amount', '2024-03-13,Grocer,-', '2024-03-14,Salary,500.00']);
  expect(rows).toEqual(['line 2 failure: it has no amount', '2024-03-14 -500 Salary']);
});

it('the CSV reader reads amounts with the symbol of the Jordanian dinar', async () => {
  const { rows } = await readExport([
    'Date,Payee,Outflow,Inflow',
    '2022/11/07,Shop,د.ا.\u200f4.750,د.ا.\u200f0.000',
    '2022/12/21,Salary,د.ا.\u200f0.000,د.ا.\u200f93.210',
  ]);
  expect(rows).toEqual(['2022-11-07 -4.75', '2022-12-21 +93.21']);
});
