import { expect, it } from 'vitest';
import { readInTest } from '../../../test-support/read-statement.js';
import { importKey } from '../../import-key.js';

const columns = { date: 'Date', amount: 'Amount', description: 'Description', fee: 'Fee' };
const read = (rows: readonly string[], used: object = columns) =>
  readInTest(['Date,Description,Amount,Fee,Balance', ...rows].join('\n'), { options: { columns: used } });
const rows = ['2026-03-13,Abroad,-100.00,1.50,898.50', '2026-03-14,Salary,500.00,0.00,1398.50'];

it('the CSV reader reads a fee as a separate expense, and needs no confirmation if the balances agree with amounts and fees', async () => {
  const { statement, lines } = await read(rows);
  expect(lines).toEqual(['2026-03-13 -100 Abroad', '2026-03-13 -1.5 Fee: Abroad', '2026-03-14 500 Salary']);
  expect(statement.rowCount).toBe(3);
  expect(statement.interpretation?.lines).toContainEqual(['balance', 'the balance column agrees on 2 of 2 rows']);
  expect(statement.interpretation?.question).toBeNull();
});

it('a fee has its own import key, and does not change the import key of its row', async () => {
  const keysOf = (found: Awaited<ReturnType<typeof read>>) =>
    found.transactions.map(({ identity }) => {
      if (identity === undefined) throw new Error('a CSV row must have an identity');
      const content = { ...identity, currencyCode: 'EUR' };
      return importKey({ format: 'csv', accountId: 'a', statementId: null, content }, 1);
    });
  const [row, fee, salary] = keysOf(await read(rows));
  const { fee: _, ...withoutFee } = columns;
  expect(keysOf(await read(rows, withoutFee))).toEqual([row, salary]);
  expect(new Set([row, fee, salary]).size).toBe(3);
});

it('the CSV reader reads the fee of a row whose amount is zero', async () => {
  const { lines, rows: all } = await read(['2026-03-13,Account,0.00,5.00,95.00', '2026-03-14,Tea,-3.00,0.00,92.00']);
  expect(lines).toEqual(['2026-03-13 -5 Fee: Account', '2026-03-14 -3 Tea']);
  expect(all).toHaveLength(2);
});

it('the CSV reader with --all-expenses reads the fee of a row with a zero amount, even if its text is "Payment received"', async () => {
  const { lines } = await readInTest(
    ['Date,Description,Amount,Fee', '2026-03-13,Payment received,0.00,5.00', '2026-03-14,Tea,3.00,0.00'].join('\n'),
    { options: { columns, allExpenses: true } },
  );
  expect(lines).toEqual(['2026-03-13 -5 Fee: Payment received', '2026-03-14 -3 Tea']);
});

it('the CSV reader reads the fee of a row without an amount, and does not report the row as skipped', async () => {
  const {
    statement,
    lines,
    rows: all,
  } = await readInTest(
    [
      'Date,Description,Money In,Money Out,Fee,Balance',
      '2026-07-02,Payment,,-500.00,-7.50,4142.30',
      '2026-07-25,Salary,12000.00,,,16142.30',
      '2026-07-26,Monthly Account Admin Fee,,,-7.50,16134.80',
    ].join('\n'),
    { options: { columns: { fee: 'Fee' } } },
  );
  expect(lines).toEqual([
    '2026-07-02 -500 Payment',
    '2026-07-02 -7.5 Fee: Payment',
    '2026-07-25 12000 Salary',
    '2026-07-26 -7.5 Fee: Monthly Account Admin Fee',
  ]);
  expect(all).toHaveLength(4);
  expect(statement.rowCount).toBe(4);
  expect(statement.interpretation?.lines.map(([label]) => label)).not.toContain('other rows');
});

it('the CSV reader reads a fee with a minus as an expense, and reports a fee without a minus as failed if most fees have one', async () => {
  const { lines, rows: all } = await read([
    '2026-03-13,A,-10.00,-1.00,89.00',
    '2026-03-14,B,-10.00,-1.00,78.00',
    '2026-03-15,C,-10.00,1.00,69.00',
  ]);
  expect(lines).toEqual([
    '2026-03-13 -10 A',
    '2026-03-13 -1 Fee: A',
    '2026-03-14 -10 B',
    '2026-03-14 -1 Fee: B',
    '2026-03-15 -10 C',
  ]);
  expect(all.at(-1)).toMatchObject({ line: 4, outcome: 'failure', reason: expect.stringContaining('may be a refund') });
});

it.each([
  ['may already include the fees', ['2026-03-13,A,-11.00,1.00,89.00', '2026-03-14,B,-12.00,2.00,77.00']],
  ['count as incomes', ['2026-03-13,A,-11.00,1.00,89.00', '2026-03-14,B,-12.00,2.00,79.00']],
])(
  'the CSV reader requires an option and reports "%s" if the balance contradicts the fees',
  async (message, contradicting) => {
    const { statement } = await read(contradicting);
    expect(statement.interpretation?.question).toMatchObject({
      requiresOption: true,
      message: expect.stringContaining(message),
      remedy: expect.stringContaining('--fee-column'),
    });
  },
);

it('the CSV reader requires --fee-column if the balance includes fees that are not recorded', async () => {
  const { fee: _, ...withoutFee } = columns;
  const { statement } = await read([...rows, '2026-03-15,Abroad,-50.00,0.75,1347.75'], withoutFee);
  expect(statement.interpretation?.question).toMatchObject({
    requiresOption: true,
    remedy: expect.stringContaining('--fee-column "Fee"'),
  });
});
