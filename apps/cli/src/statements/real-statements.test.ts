import { readFile } from 'node:fs/promises';
import { fromMinorUnits, toMinorUnits } from '@centavo/sdk';
import { describe, expect, it } from 'vitest';
import { findRealStatement } from '../../test-support/statement-files.js';
import { openStatement } from './statement-format.js';
import type { StatementTransaction } from './statement-row.js';

/** Signed totals by account, and how many rows of each outcome, read as an import without column flags reads them. */
async function readTotals(path: string, currencyCode: string, hasOneAccount: boolean) {
  const statement = await openStatement({
    path,
    format: undefined,
    csv: { columns: {}, expenseWords: [], incomeWords: [], hasOneAccount },
    mappings: { find: async () => undefined, save: async () => {} },
  });
  const counts = { transaction: 0, failure: 0, skipped: 0 };
  const totals = new Map<string, bigint>();
  const transactions: StatementTransaction[] = [];
  for await (const row of statement.rows()) {
    counts[row.outcome] += 1;
    if (row.outcome !== 'transaction') continue;
    const { accountName, amountDecimal, direction } = row.transaction;
    const amount = toMinorUnits(amountDecimal, currencyCode);
    const total = (totals.get(accountName ?? '') ?? 0n) + (direction === 'expense' ? -amount : amount);
    totals.set(accountName ?? '', total);
    transactions.push(row.transaction);
  }
  const balances = Object.fromEntries([...totals].map(([name, total]) => [name, fromMinorUnits(total, currencyCode)]));
  return { counts, balances, transactions, rowCount: statement.rowCount };
}

describe('the statement of a household, personal-transactions.csv', () => {
  const path = findRealStatement('personal-transactions.csv');

  it.skipIf(path === undefined)(
    `gives 808 movements and the balances of its three accounts${skipNote(path)}`,
    async () => {
      const { counts, balances, rowCount } = await readTotals(path ?? '', 'USD', false);
      expect(rowCount).toBe(808);
      expect(counts).toEqual({ transaction: 808, failure: 0, skipped: 0 });
      expect(balances).toEqual({ Checking: '11251.86', 'Platinum Card': '12143.62', 'Silver Card': '4794.00' });
    },
  );
});

describe('statements of five banks', () => {
  for (const [name, currencyCode, expected, firstDate] of [
    ['bunq-nl.csv', 'EUR', { failure: 0, skipped: 0 }, '2018-12-06'],
    ['sparkasse-de.csv', 'EUR', { transaction: 1, failure: 0, skipped: 0 }, '2018-02-22'],
    ['bank-of-ireland-ie.csv', 'EUR', { transaction: 27, failure: 0, skipped: 0 }, '2017-09-01'],
    ['hungary-hu.csv', 'HUF', { transaction: 2, failure: 0, skipped: 0 }, '2019-04-19'],
    ['john-lewis-gb.csv', 'GBP', { transaction: 10, failure: 0, skipped: 3 }, '2019-12-12'],
  ] as const) {
    const path = findRealStatement(name);
    it.skipIf(path === undefined)(`${name} is read without flags, every row of it${skipNote(path)}`, async () => {
      const { counts, transactions } = await readTotals(path ?? '', currencyCode, true);
      expect(counts).toMatchObject(expected);
      expect(transactions[0]?.occurredOn).toBe(firstDate);
    });
  }
});

describe('the statement of a card without a minus, john-lewis-gb.csv', () => {
  const path = findRealStatement('john-lewis-gb.csv');

  it.skipIf(path === undefined)(`is purchases, and income only where it has a plus${skipNote(path)}`, async () => {
    const { transactions } = await readTotals(path ?? '', 'GBP', true);
    const count = (wanted: string) => transactions.filter(({ direction }) => direction === wanted).length;
    const plusCount = (await readFile(path ?? '', 'utf8')).match(/\+ ?£/g)?.length ?? 0;
    expect([count('income'), count('expense')]).toEqual([plusCount, 10 - plusCount]);
  });
});

function skipNote(path: string | undefined): string {
  return path === undefined ? ' (skipped: the file is not beside the repository)' : '';
}
