import { expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../../../test-support/import-in-test.js';
import { writeStatement } from '../../../../test-support/statement-files.js';

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

it('without --pair-transfers, an import of a Centavo export skips the legs of transfers, and reports them', async () => {
  const path = await exported(row('2026-01-12', 'expense'), ...halves);
  const run = await bench.importing(path, ...flags);
  expect(run.code).toBe(0);
  expect(summaryOf(run)).toMatchObject({ rows: 3, created: 1, skipped: 2, failed: 0 });
  expect(run.stderr).toContain(
    '2 skipped: it is one side of a transfer; if the file has both sides, --pair-transfers records them',
  );
  expect(bench.api.movements).toMatchObject([{ type: 'expense', occurredOn: '2026-01-12' }]);
});

it('an import with --pair-transfers records the two legs of a transfer group as one transfer, even if other rows equal these legs', async () => {
  const sameAmounts = halves.map((half) => half.replace('g1', 'g2'));
  const singleLeg = row('2026-01-13', 'income', { account: 'Savings', group: 'g3' });
  const path = await exported(...halves, ...sameAmounts, singleLeg, row('2026-01-13', 'expense'));
  const run = await bench.importing(path, ...flags, '--pair-transfers');
  expect(summaryOf(run)).toMatchObject({ rows: 6, created: 5, skipped: 1, failed: 0 });
  expect(run.stderr).toContain('12.50 EUR');
  expect(bench.api.records.transfers).toHaveLength(2);
});

it('a second import of a Centavo export replays the equal legs of several transfer groups', async () => {
  const sameAmounts = halves.map((half) => half.replace('g1', 'g2'));
  const path = await exported(...halves, ...sameAmounts);
  await bench.importing(path, ...flags, '--pair-transfers');
  const again = await bench.importing(path, ...flags, '--pair-transfers');
  expect(again.stderr).toContain('4 rows are in transfers that are recorded already.');
  expect(summaryOf(again)).toMatchObject({ rows: 4, created: 0, replayed: 4, failed: 0 });
  const third = halves.map((half) => half.replace('g1', 'g3'));
  expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 0, replayed: 4 });
  const more = await bench.importing(await exported(...halves, ...sameAmounts, ...third), ...flags, '--pair-transfers');
  expect(summaryOf(more)).toMatchObject({ created: 2, replayed: 4 });
  expect(bench.api.records.transfers).toHaveLength(3);
});

it('an import recognizes both legs of a manually entered transfer by their common transfer group', async () => {
  for (const name of ['Checking', 'Savings']) bench.api.addAccount({ name, currencyCode: 'EUR' });
  const transfer = 'transfers add --amount 12.50 --from-account Checking --to-account Savings --occurred-on 2026-01-13';
  await bench.machine.run(transfer);
  const group = String(bench.api.records.transfers[0]?.groupId);
  const path = await exported(...halves.map((half) => half.replace('g1', group)));
  const run = await bench.importing(path, ...flags, '--pair-transfers');
  expect(summaryOf(run)).toMatchObject({ rows: 2, created: 0, replayed: 2 });
  expect(bench.api.movements).toHaveLength(2);
});

it('an import replaces the old mark `[import …]` in the description of an exported transfer', async () => {
  const marked = halves.map((half) => half.replace(',Text,', ',Text [import 0123456789ab ba9876543210],'));
  await bench.importing(await exported(...marked), ...flags, '--pair-transfers');
  const { description } = bench.api.records.transfers[0] ?? {};
  expect(description).toMatch(/^Text \[import [0-9a-f]{12} [0-9a-f]{12}\]$/);
  expect(description).not.toContain('0123456789ab');
});

it('a second import recognizes a transfer by the mark `[import …]` at the end of its description, even if another mark precedes it', async () => {
  const textWithMark = 'Text [import 0123456789ab ba9876543210] again';
  const path = await exported(...halves.map((half) => half.replace(',Text,', `,${textWithMark},`)));
  await bench.importing(path, ...flags, '--pair-transfers');
  expect(bench.api.records.transfers[0]?.description).toMatch(
    /^Text \[import 0123456789ab ba9876543210\] again \[import /,
  );
  expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 0, replayed: 2 });
});
