import { expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();

const row = (day: string, type: string, rest: { account?: string; group?: string } = {}) =>
  `i1,${day},${type},${rest.group === undefined ? 'regular' : 'transfer'},12.50,EUR,a1,${rest.account ?? 'Checking'},c1,,,,Text,${rest.group ?? ''},api,s1,1,2026-06-03T10:00:00.000Z,2026-06-04T10:00:00.000Z`;
const exported = (...rows: string[]) =>
  writeStatement(
    [
      'id,occurredOn,type,kind,amountDecimal,currencyCode,accountId,accountName,cashboxId,categoryId,categoryName,merchantName,description,transferGroupId,sourceType,sourceId,version,createdAt,updatedAt',
      ...rows,
    ].join('\n'),
  );
const flags = ['--yes', '--create-accounts'];
const halves = [
  row('2026-01-13', 'expense', { group: 'g1' }),
  row('2026-01-13', 'income', { account: 'Savings', group: 'g1' }),
];

it('halves of transfers are never an expense and an income: without --pair-transfers they are skipped, and told', async () => {
  const path = await exported(row('2026-01-12', 'expense'), ...halves);
  const run = await bench.importing(path, ...flags);
  expect(run.code).toBe(0);
  expect(summaryOf(run)).toMatchObject({ rows: 3, created: 1, skipped: 2, failed: 0 });
  expect(run.stderr).toContain('2 skipped: it is half of a transfer; --pair-transfers records both halves');
  expect(bench.api.movements).toMatchObject([{ type: 'expense', occurredOn: '2026-01-12' }]);
});

it('with --pair-transfers the halves of one group are one transfer, also where other rows look the same', async () => {
  const twins = halves.map((half) => half.replace('g1', 'g2'));
  const lone = row('2026-01-13', 'income', { account: 'Savings', group: 'g3' });
  const path = await exported(...halves, ...twins, lone, row('2026-01-13', 'expense'));
  const run = await bench.importing(path, ...flags, '--pair-transfers');
  expect(summaryOf(run)).toMatchObject({ rows: 6, created: 5, skipped: 1, failed: 0 });
  expect(run.stderr).toContain('12.50 EUR');
  expect(bench.api.records.transfers).toHaveLength(2);
});
