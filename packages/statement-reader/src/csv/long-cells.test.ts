import { describe, expect, it } from 'vitest';
import { readInTest } from '../../test-support/read-statement.js';

const huge = 'x'.repeat(400_000);
const read = (headers: string, row: string, options = {}) => readInTest(`${headers}\n${row}`, { options });

describe('a cell that is longer than the API accepts', () => {
  it('is cut to 500 characters in a description, and to 200 in a merchant name', async () => {
    const { transactions } = await read('Date,Amount,Description,Merchant', `2026-01-13,-5.00,${huge},${huge}`);
    expect(transactions).toMatchObject([{ description: 'x'.repeat(500), merchantName: 'x'.repeat(200) }]);
  });

  it('is appended to the description of the line above if its row has no date and no amount; the result has 500 characters', async () => {
    const { transactions } = await read('Date,Amount,Description', `2026-01-13,-5.00,Tea\n,,${huge}`);
    expect(transactions).toMatchObject([{ description: `Tea ${'x'.repeat(496)}` }]);
  });

  it('identifies its row by the whole text, so that rows with the same cut text have different identities', async () => {
    const file = `2026-01-13,-5.00,${huge}1\n2026-01-13,-5.00,${huge}2`;
    const { transactions } = await read('Date,Amount,Description', file);
    expect(new Set(transactions.map(({ identity }) => identity?.description)).size).toBe(2);
    expect(new Set(transactions.map(({ description }) => description)).size).toBe(1);
  });

  it.each([
    ['Category', `2026-01-13,-5.00,${huge}`],
    ['Account', `2026-01-13,-5.00,${huge}`],
    ['Currency', `2026-01-13,-5.00,${huge}\n2026-01-13,-5.00,EUR`],
  ])('makes its row fail in the column %s, because a cut name would be a different name', async (header, row) => {
    const { rows } = await read(`Date,Amount,${header}`, row, { hasOneAccount: false });
    const reason = `its cell in the column "${header}" has 400000 characters, and at most 1000 are allowed`;
    expect(rows[0]).toEqual({ line: 2, outcome: 'failure', reason });
  });

  it('makes its row fail if it is an amount; the reason does not contain its text', async () => {
    const { rows } = await read('Date,Amount', `2026-01-13,${huge}\n2026-01-14,-5.00`);
    expect(rows.map((row) => (row.outcome === 'failure' ? row.reason : row.outcome))).toEqual([
      'its cell in the column "Amount" has 400000 characters, and at most 1000 are allowed',
      'transaction',
    ]);
  });

  it('makes its row fail if it is a category of 1001 characters; a category of 1000 characters is accepted', async () => {
    const names = ['x'.repeat(1000), 'x'.repeat(1001)];
    const { rows } = await read('Date,Amount,Category', names.map((name) => `2026-01-13,-5.00,${name}`).join('\n'));
    expect(rows.map(({ outcome }) => outcome)).toEqual(['transaction', 'failure']);
  });
});
