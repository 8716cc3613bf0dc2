import { beforeEach, expect, it } from 'vitest';
import { refusal } from '../../../test-support/fake-api.js';
import { creating, ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { arrived, paid, writeRows } from '../../../test-support/pairs-in-test.js';

const bench = ImportBench.setUp();
beforeEach(() => {
  bench.api.addAccount({ name: 'Checking' });
  bench.api.addAccount({ name: 'Platinum Card', type: 'credit_card' });
});
const pairing = async () => bench.importing(await writeRows(paid, arrived), ...creating, '--pair-transfers');

it.each([
  ['left', paid],
  ['arrived', arrived],
])('a pair whose money has %s by a movement already is completed by a movement, not by a transfer', async (_, row) => {
  await bench.importing(await writeRows(row), ...creating);
  const run = await pairing();
  expect(run.stderr).toContain('One or both of the rows of 1 pair had been recorded as movements before');
  expect(summaryOf(run)).toMatchObject({ created: 1, replayed: 1, failed: 0 });
  expect(bench.api.records.transfers).toEqual([]);
  expect(bench.api.movements).toHaveLength(2);
});

it.each([
  [403, 'INSUFFICIENT_SCOPE', 4],
  [400, 'VALIDATION_FAILED', 1],
])(
  'a pair is not recorded where status %i keeps back whether its rows are recorded',
  async (status, refusalCode, code) => {
    const isQuestion = (accountId: unknown) => /^[0-]+$/.test(String(accountId));
    bench.api.fault = ({ body }) => (isQuestion(body.accountId) ? refusal(status, refusalCode) : undefined);
    expect(await pairing()).toMatchObject({ code });
    expect(bench.api.records.transfers).toEqual([]);
    expect(bench.api.movements).toEqual([]);
  },
);
