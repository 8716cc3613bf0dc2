import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { creating, ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();

describe('an import of amounts with a currency symbol', () => {
  const signs = [
    ['-£7.00', '£'],
    ['-$8.00', '$'],
    ['-¥10', '¥'],
    ['-11 kr', 'kr'],
    ['US$12.00', 'US$'],
    ['-13.00 zł', 'zł'],
  ] as const;

  const importing = async (currency: string, amounts: readonly string[]) => {
    const rows = amounts.map((amount, index) => `2026-01-${index + 11},Tea,${amount}`);
    const path = await writeStatement(['Date,Description,Amount', ...rows].join('\n'));
    const flags = ['--account', 'Checking', '--create-accounts', '--currency', currency, '--yes'];
    return summaryOf(await bench.importing(path, ...flags));
  };

  it('reports rows as failed if their currency symbol does not fit the currency of the account', async () => {
    const summary = await importing('EUR', [...signs.map(([amount]) => amount), '-€14.00', '-15.00']);
    expect(summary).toMatchObject({
      created: 2,
      failed: 6,
      failures: signs.map(([, sign], index) => ({
        line: index + 2,
        reason: `it is in ${sign}, but the account Checking is in EUR`,
      })),
    });
    expect(bench.api.movements.map(({ amountDecimal }) => amountDecimal).sort()).toEqual(['14', '15']);
  });

  it('records rows if several currencies share the symbol and one is the currency of the account', async () => {
    expect(await importing('CAD', ['-$8.00', '-9.00'])).toMatchObject({ created: 2, failed: 0 });
  });
});

describe('an import of amounts with a currency in their header', () => {
  const importing = async (header: string, currency: string) => {
    const path = await writeStatement(`Date,Description,${header}\n2026-01-13,Tea,-5.00`);
    const flags = ['--account', 'Checking', '--create-accounts', '--currency', currency, '--yes'];
    return summaryOf(await bench.importing(path, ...flags));
  };

  it.each([
    ['Amount (USD)', 'USD'],
    ['Amount (£)', '£'],
  ])('reports a row below the header "%s" as failed if the account is in EUR', async (header, currency) => {
    expect(await importing(header, 'EUR')).toMatchObject({
      created: 0,
      failed: 1,
      failures: [{ line: 2, reason: `it is in ${currency}, but the account Checking is in EUR` }],
    });
    expect(bench.api.movements).toEqual([]);
  });

  it.each([
    ['Amount (USD)', 'USD'],
    ['Amount (£)', 'GBP'],
    ['Amount', 'USD'],
  ])(
    'uses the currency of the account in the idempotency key of a row below the header "%s"',
    async (header, currency) => {
      expect(await importing(header, currency)).toMatchObject({ created: 1, failed: 0 });
      const keys = bench.api.requests
        .filter(({ method, path }) => method === 'POST' && path === '/movements')
        .map(({ headers }) => headers.get('idempotency-key'));
      const accountId = String(bench.api.accounts[0]?.id);
      const content = ['2026-01-13', '-5', currency, 'Tea', null, null];
      const recipe = JSON.stringify(['centavo-import-1', 'csv', accountId, 'content', ...content, 1]);
      expect(keys).toContain(createHash('sha256').update(recipe).digest('hex'));
    },
  );
});

describe('an import of a fee in another currency than the account', () => {
  it.each([
    ['GBP', '3.00', 'GBP'],
    ['', '£3.00', '£'],
  ])('records the row, and reports the fee as failed: currency "%s", fee "%s"', async (column, fee, currency) => {
    const path = await writeStatement(
      `Date,Description,Amount,Fee,Fee currency\n2026-01-13,Tea,-5.00,${fee},${column}\n2026-01-14,Cake,-6.00,,`,
    );
    const flags = ['--account', 'Checking', '--create-accounts', '--currency', 'EUR', '--fee-column', 'Fee', '--yes'];
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({
      created: 2,
      failed: 1,
      failures: [
        {
          line: 2,
          reason: `its fee is in ${currency}, but the account Checking is in EUR: record the fee manually in an account in ${currency}`,
        },
      ],
    });
    expect(bench.api.movements.map(({ amountDecimal }) => amountDecimal).sort()).toEqual(['5', '6']);
  });
});

describe('texts with format or control characters', () => {
  const softHyphen = '\u00ad';
  const zeroWidthSpace = '\u200b';
  const text = `Super${softHyphen}markt\u202e 👩‍💻 می‌خواهم\u200d`;

  const statement = [
    'Date,Description,Amount,Transaction Type,Category,Account Name',
    `01/13/2026,${text},2.50,debit,Gro${softHyphen}ceries,Check${zeroWidthSpace}ing`,
    `01/14/2026,Bakery,3.50,debit,Groceries,Checking`,
    `01/15/2026,Kiosk\u000bBerlin,4.50,debit,${zeroWidthSpace},Checking`,
  ].join('\n');

  it('are sent without the characters that the API refuses', async () => {
    const run = await bench.importing(await writeStatement(statement), ...creating);
    expect(summaryOf(run)).toMatchObject({ created: 3, failed: 0 });
    expect(bench.api.accounts).toMatchObject([{ name: 'Checking' }]);
    expect(bench.api.categories.slice(1)).toMatchObject([{ name: 'Groceries' }]);
    expect(bench.api.movements.map(({ description }) => description)).toEqual([
      'Supermarkt 👩‍💻 می‌خواهم',
      'Bakery',
      'Kiosk Berlin',
    ]);
  });

  it('are hashed unchanged into idempotency keys, so that rows imported earlier are recognized', async () => {
    await bench.importing(await writeStatement(statement), ...creating);
    const keys = bench.api.requests
      .filter(({ method, path }) => method === 'POST' && path === '/movements')
      .map(({ headers }) => headers.get('idempotency-key'));
    const accountId = String(bench.api.accounts[0]?.id);
    const content = ['2026-01-13', 'debit 2.5', 'USD', text, null, `Gro${softHyphen}ceries`];
    const recipe = JSON.stringify(['centavo-import-1', 'csv', accountId, 'content', ...content, 1]);
    expect(keys[0]).toBe(createHash('sha256').update(recipe).digest('hex'));
  });
});
