import { beforeEach, describe, expect, it } from 'vitest';
import { ImportBench, manyRows, summaryOf } from '../../test-support/import-in-test.js';
import { writeStatement } from '../../test-support/statement-files.js';

const bench = ImportBench.setUp();
const flags = ['--account', 'Checking', '--yes'];
const undoing = (path: string, ...more: string[]) => bench.importing(path, ...flags, '--undo', ...more);
const voided = () => bench.api.movements.filter(({ voidedAt }) => typeof voidedAt === 'string');

const columns = ['--date-column', 'Date', '--amount-column', 'Amount', '--description-column', 'Description'];

beforeEach(() => {
  bench.api.addAccount({ name: 'Checking' });
  bench.api.hasBulk = true;
});

describe('import --undo', () => {
  it('voids the records of an import of the file, and no other records', async () => {
    const path = await manyRows(230);
    await bench.importing(await writeStatement('Date,Description,Amount\n2026-01-13,Other,-9.00\n'), ...flags);
    await bench.importing(path, ...flags);
    const run = await undoing(path);
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toEqual({ rows: 230, voided: 230, alreadyVoided: 0, corrected: 0, notRecorded: 0 });
    expect(run.stderr).toContain('The import of this file recorded 230 records (26565.00 USD of expenses).');
    expect(bench.api.movements.filter(({ voidedAt }) => voidedAt === undefined)).toMatchObject([
      { description: 'Other' },
    ]);
  });

  it('voids nothing twice, and reports rows that were never recorded', async () => {
    const path = await manyRows(3);
    await bench.importing(path, ...flags);
    await undoing(path);
    const writes = bench.api.writes.length;
    expect(summaryOf(await undoing(path))).toMatchObject({ voided: 0, alreadyVoided: 3 });
    expect(summaryOf(await undoing(await manyRows(5)))).toMatchObject({ voided: 0, alreadyVoided: 3, notRecorded: 2 });
    expect(bench.api.writes.slice(writes).filter((write) => write.endsWith('/void'))).toEqual([]);
    expect(bench.api.movements).toHaveLength(3);
  });

  it('does not void movements that were corrected after the import, unless --even-corrected is set', async () => {
    const path = await manyRows(3);
    await bench.importing(path, ...flags);
    Object.assign(bench.api.movements[1] as object, { version: 2, amountDecimal: '7.00' });
    expect(summaryOf(await undoing(path))).toMatchObject({ voided: 2, corrected: 1 });
    expect(voided()).toHaveLength(2);
    expect(summaryOf(await undoing(path, '--even-corrected'))).toMatchObject({ voided: 1, alreadyVoided: 2 });
    expect(voided()).toHaveLength(3);
  });

  it('shows count and totals and asks before it voids', async () => {
    const path = await manyRows(2);
    await bench.importing(path, ...flags);
    const run = await bench.importing(path, ...['--account', 'Checking', '--undo'], ...columns);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('Void 2 records (3.00 USD of expenses)? This cannot be undone.');
    const dry = await undoing(path, '--dry-run');
    expect([dry.code, summaryOf(dry)]).toMatchObject([0, { voided: 0 }]);
    expect(voided()).toEqual([]);
  });

  it('continues when it is run again after Ctrl-C', async () => {
    const path = await manyRows(60);
    await bench.importing(path, ...flags);
    bench.api.fault = () => {
      if (voided().length === 20) bench.machine.interruption.abort();
      return undefined;
    };
    const run = await undoing(path);
    expect(run.code).toBe(130);
    expect(run.stderr).toContain('Run the undo again to void the rest.');
    const { voided: first } = summaryOf(run) as { voided: number };
    expect(first).toBe(voided().length);
    await bench.replaceMachine();
    bench.api.fault = () => undefined;
    expect(summaryOf(await undoing(path))).toMatchObject({ voided: 60 - first, alreadyVoided: first });
  });

  it.each(['--record-again', '--skip-recorded', '--create-accounts'])('exits 2 together with %s', async (flag) => {
    expect((await undoing(await manyRows(1), flag)).code).toBe(2);
  });

  it('exits 2 if the server is too old to undo an import', async () => {
    const path = await manyRows(1);
    await bench.importing(path, ...flags);
    bench.api.hasBulk = false;
    const run = await undoing(path);
    expect([run.code, run.stderr.includes('This server is too old to undo an import.')]).toEqual([2, true]);
  });

  it('is required by --even-corrected, which otherwise exits 2', async () => {
    expect((await bench.importing(await manyRows(1), ...flags, '--even-corrected')).code).toBe(2);
  });
});
