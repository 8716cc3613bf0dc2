import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../../test-support/fake-api.js';
import { creating, ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { arrived, paid, writeRows } from '../../../test-support/pairs-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();

describe('a pair of rows', () => {
  beforeEach(() => {
    bench.api.addAccount({ name: 'Checking' });
    bench.api.addAccount({ name: 'Platinum Card', type: 'credit_card' });
  });
  const pairing = async () => bench.importing(await writeRows(paid, arrived), ...creating, '--pair-transfers');

  it.each([
    ['outgoing', paid],
    ['incoming', arrived],
  ])(
    'is recorded as two movements, not as a transfer, if the %s row was recorded as a movement before',
    async (_, row) => {
      await bench.importing(await writeRows(row), ...creating);
      const run = await pairing();
      expect(run.stderr).toContain('An earlier import recorded a row of 1 pair as a movement');
      expect(summaryOf(run)).toMatchObject({ created: 1, replayed: 1, failed: 0 });
      expect(bench.api.records.transfers).toEqual([]);
      expect(bench.api.movements).toHaveLength(2);
    },
  );

  it.each([
    [403, 'INSUFFICIENT_SCOPE', 4],
    [400, 'VALIDATION_FAILED', 1],
  ])(
    'is not recorded if the server refuses the look-up of its idempotency keys with status %i',
    async (status, refusalCode, code) => {
      const isProbe = (accountId: unknown) => /^[0-]+$/.test(String(accountId));
      bench.api.fault = ({ body }) => (isProbe(body.accountId) ? refusal(status, refusalCode) : undefined);
      expect(await pairing()).toMatchObject({ code });
      expect(bench.api.records.transfers).toEqual([]);
      expect(bench.api.movements).toEqual([]);
    },
  );
});

describe('a CSV export of Centavo movements', () => {
  const flags = ['--yes'];

  /** Path of an export that contains two movements of the tracker. */
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

  it('is replayed without new records if it is imported into the same tracker', async () => {
    const run = await bench.importing(path, ...flags);
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toMatchObject({ rows: 2, created: 0, replayed: 2, failed: 0 });
    expect(bench.api.movements).toHaveLength(2);
  });

  it('creates no transfer with --pair-transfers if the movements of both rows exist', async () => {
    const run = await bench.importing(path, ...flags, '--pair-transfers');
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 2 });
    expect(run.stderr).toContain('An earlier import recorded a row of 1 pair as a movement');
    expect(bench.api.records.transfers).toEqual([]);
  });

  it('is recorded once if it is imported twice into another account', async () => {
    bench.api.addAccount({ name: 'Copy' });
    const copy = bench.api.accounts.at(-1)?.id;
    const into = [...flags, '--account', 'Copy'];
    expect(summaryOf(await bench.importing(path, ...into))).toMatchObject({ rows: 2, created: 2, replayed: 0 });
    expect(bench.api.movements.map(({ accountId }) => accountId === copy)).toEqual([false, false, true, true]);
    expect(summaryOf(await bench.importing(path, ...into))).toMatchObject({ created: 0, replayed: 2 });
    expect(bench.api.movements).toHaveLength(4);
  });

  it('creates no transfer with --pair-transfers if the movement of one row exists', async () => {
    bench.api.movements.shift();
    const run = await bench.importing(path, ...flags, '--pair-transfers');
    expect(summaryOf(run)).toMatchObject({ created: 1, replayed: 1 });
    expect(bench.api.records.transfers).toEqual([]);
  });

  it('is recorded once if it is imported twice into another tracker', async () => {
    bench.api.movements.length = 0;
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 2, replayed: 0 });
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 0, replayed: 2 });
    expect(bench.api.movements).toHaveLength(2);
  });

  it('is refused with exit code 4 if the API key may not read movements', async () => {
    const isRead = /\/movements(\/|$)/;
    bench.api.fault = ({ url, body }) =>
      isRead.test(url.pathname) && body.type === undefined ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined;
    const run = await bench.importing(path, ...flags);
    expect(run.code).toBe(4);
    expect(bench.api.movements).toHaveLength(2);
  });
});
