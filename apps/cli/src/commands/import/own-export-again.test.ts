import { beforeEach, expect, it } from 'vitest';
import { refusal } from '../../../test-support/fake-api.js';
import { ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();
const flags = ['--yes'];

/** Two movements that are there, and the export of them. */
let path = '';
beforeEach(async () => {
  for (const name of ['Checking', 'Savings']) bench.api.addAccount({ name });
  for (const [type, account] of [
    ['expense', 'Checking'],
    ['income', 'Savings'],
  ]) {
    await bench.machine.run(
      `movements add --type ${type} --amount 12.50 --account ${account} --occurred-on 2026-01-13 --description Text`,
    );
  }
  expect(bench.api.movements).toHaveLength(2);
  path = await writeStatement((await bench.machine.run('movements export')).stdout);
});

it('its own export, back in its own tracker, records nothing', async () => {
  const run = await bench.importing(path, ...flags);
  expect(run.code).toBe(0);
  expect(summaryOf(run)).toMatchObject({ rows: 2, created: 0, replayed: 2, failed: 0 });
  expect(bench.api.movements).toHaveLength(2);
});

it('its own export makes no transfer of two movements that are there', async () => {
  const run = await bench.importing(path, ...flags, '--pair-transfers');
  expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 2 });
  expect(run.stderr).toContain('One or both of the rows of 1 pair had been recorded as movements before');
  expect(bench.api.records.transfers).toEqual([]);
});

it('its own export into another account is another set of movements, recorded once', async () => {
  bench.api.addAccount({ name: 'Copy' });
  const copy = bench.api.accounts.at(-1)?.id;
  const into = [...flags, '--account', 'Copy'];
  expect(summaryOf(await bench.importing(path, ...into))).toMatchObject({ rows: 2, created: 2, replayed: 0 });
  expect(bench.api.movements.map(({ accountId }) => accountId === copy)).toEqual([false, false, true, true]);
  expect(summaryOf(await bench.importing(path, ...into))).toMatchObject({ created: 0, replayed: 2 });
  expect(bench.api.movements).toHaveLength(4);
});

it('a pair of its own export of which only the second half is there stays two movements', async () => {
  bench.api.movements.shift();
  const run = await bench.importing(path, ...flags, '--pair-transfers');
  expect(summaryOf(run)).toMatchObject({ created: 1, replayed: 1 });
  expect(bench.api.records.transfers).toEqual([]);
});

it('the export of another tracker is recorded, once', async () => {
  bench.api.movements.length = 0;
  expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 2, replayed: 0 });
  expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 0, replayed: 2 });
  expect(bench.api.movements).toHaveLength(2);
});

it('without the right to read movements nothing of its own export is recorded', async () => {
  const isRead = /\/movements(\/|$)/;
  bench.api.fault = ({ url, body }) =>
    isRead.test(url.pathname) && body.type === undefined ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined;
  const run = await bench.importing(path, ...flags);
  expect(run.code).toBe(4);
  expect(bench.api.movements).toHaveLength(2);
});
