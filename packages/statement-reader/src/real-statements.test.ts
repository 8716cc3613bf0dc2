import { readFile } from 'node:fs/promises';
import { fromMinorUnits, toMinorUnits } from '@centavo/contracts/calls';
import { describe, expect, it } from 'vitest';
import { openInTest } from '../test-support/read-statement.js';
import { findRealStatement } from '../test-support/statement-files.js';
import type { StatementTransaction } from './statement.js';

/** Reads a statement without column options. Returns the signed total of each account and the number of rows by outcome. */
async function readTotals(path: string, currencyCode: string, hasOneAccount: boolean) {
  const statement = await openInTest(path, { options: { hasOneAccount } });
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
  return { counts, balances, transactions, rowCount: statement.rowCount, accounts: statement.accounts };
}

describe('the statement of a household, personal-transactions.csv', () => {
  const path = findRealStatement('personal-transactions.csv');

  it.skipIf(path === undefined)(
    `is read as 808 transactions with the right total of each of its three accounts${skipNote(path)}`,
    async () => {
      const { counts, balances, rowCount } = await readTotals(path ?? '', 'USD', false);
      expect(rowCount).toBe(808);
      expect(counts).toEqual({ transaction: 808, failure: 0, skipped: 0 });
      expect(balances).toEqual({ Checking: '11251.86', 'Platinum Card': '12143.62', 'Silver Card': '4794.00' });
    },
  );
});

describe('the reader without column options, for statements of five banks', () => {
  // The totals of the amount columns, calculated without this program.
  for (const [name, currencyCode, expected, firstDate, total] of [
    ['bunq-nl.csv', 'EUR', { failure: 0, skipped: 0 }, '2018-12-06', '-23.82'],
    ['sparkasse-de.csv', 'EUR', { transaction: 1, failure: 0, skipped: 0 }, '2018-02-22', '-36.99'],
    ['bank-of-ireland-ie.csv', 'EUR', { transaction: 27, failure: 0, skipped: 0 }, '2017-09-01', '-419.61'],
    ['hungary-hu.csv', 'HUF', { transaction: 2, failure: 0, skipped: 0 }, '2019-04-19', '940.00'],
    ['john-lewis-gb.csv', 'GBP', { transaction: 10, failure: 0, skipped: 3 }, '2019-12-12', '-285.80'],
  ] as const) {
    const path = findRealStatement(name);
    it.skipIf(path === undefined)(`reads ${name} with the right total and no failed row${skipNote(path)}`, async () => {
      const { counts, transactions, balances } = await readTotals(path ?? '', currencyCode, true);
      expect(counts).toMatchObject(expected);
      expect(balances).toEqual({ '': total });
      expect(transactions[0]?.occurredOn).toBe(firstDate);
    });
  }
});

describe('the reader with a card statement without a minus (john-lewis-gb.csv)', () => {
  const path = findRealStatement('john-lewis-gb.csv');

  it.skipIf(path === undefined)(
    `reads rows with a plus as income, and all other rows as expenses${skipNote(path)}`,
    async () => {
      const { transactions } = await readTotals(path ?? '', 'GBP', true);
      const count = (wanted: string) => transactions.filter(({ direction }) => direction === wanted).length;
      const plusCount = (await readFile(path ?? '', 'utf8')).match(/\+ ?£/g)?.length ?? 0;
      expect([count('income'), count('expense')]).toEqual([plusCount, 10 - plusCount]);
    },
  );
});

describe('the reader with statements that name their accounts', () => {
  // Each total is the sum of all TRNAMT values, or for camt053-v2-multi.xml the sum of the differences between its opening and
  // closing balances.
  for (const [name, expected] of [
    ['checking-us.ofx', { account: '1452687~7', currencyCode: 'USD', rows: 3, total: '-59.50', first: '2011-03-31' }],
    [
      'bank-medium-ca.ofx',
      { account: '12300 000012345678', currencyCode: 'CAD', rows: 3, total: '-345.27', first: '2009-04-01' },
    ],
    [
      'camt053-v2-multi.xml',
      { account: 'NL26VAYB8060476890', currencyCode: 'EUR', rows: 2, total: '1.85', first: '2014-12-31' },
    ],
  ] as const) {
    const path = findRealStatement(name);
    it.skipIf(path === undefined)(
      `reads rows of ${name} that add up to the total of the file${skipNote(path)}`,
      async () => {
        const { account, currencyCode, rows, total, first } = expected;
        const read = await readTotals(path ?? '', currencyCode, true);
        expect(read.counts).toEqual({ transaction: rows, failure: 0, skipped: 0 });
        expect(read.accounts).toMatchObject([{ name: account, currencyCode, rowCount: rows }]);
        expect(read.balances).toEqual({ [account]: total });
        expect(read.transactions[0]?.occurredOn).toBe(first);
      },
    );
  }

  const path = findRealStatement('checking-us.ofx');
  it.skipIf(path === undefined)(
    `reads an id and a name from each row of checking-us.ofx${skipNote(path)}`,
    async () => {
      const { transactions } = await readTotals(path ?? '', 'USD', true);
      expect(transactions.map(({ statementId, merchantName }) => [statementId, merchantName])).toEqual([
        ['0000486', 'DIVIDEND EARNED FOR PERIOD OF 03'],
        ['0000487', 'AUTOMATIC WITHDRAWAL, ELECTRIC BILL'],
        ['0000488', 'RETURNED CHECK FEE, CHECK # 319'],
      ]);
    },
  );
});

function skipNote(path: string | undefined): string {
  return path === undefined ? ' (skipped: the file is not beside the repository)' : '';
}
