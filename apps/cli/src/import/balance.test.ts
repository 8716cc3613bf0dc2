import { beforeEach, describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../test-support/import-in-test.js';
import { writeStatement } from '../../test-support/statement-files.js';

const bench = ImportBench.setUp();
beforeEach(() => bench.api.addAccount({ name: 'Checking' }));
const importing = (path: string, ...flags: string[]) =>
  bench.importing(path, '--account', 'Checking', '--yes', ...flags);

describe('an import of a file whose balance column contradicts a row', () => {
  const write = () =>
    writeStatement(
      [
        'Date,Description,Amount,Balance',
        '2026-01-01,Pay,100.00,100.00',
        '2026-01-02,Shop,-30.50,69.50',
        '2026-01-03,Cafe,-5.00,50.00',
        '2026-01-04,Pay,10.00,60.00',
      ].join('\n'),
    );

  it('records nothing, although --yes is given, and names the line', async () => {
    const refused = await importing(await write());
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('the balance column agrees on 3 of 4 rows');
    expect(refused.stderr).toContain('line 4 needs a balance of 55 before it, and line 3 ends with 69.5');
    expect(refused.stderr).toContain('--ignore-balance');
    expect(bench.api.movements).toEqual([]);
  });

  it('records all rows with --ignore-balance', async () => {
    const run = await importing(await write(), '--ignore-balance');
    expect(summaryOf(run)).toMatchObject({ created: 4, failed: 0 });
  });
});

describe('an import with --fee-column', () => {
  const write = () =>
    writeStatement(
      [
        'Date,Description,Amount,Fee,Balance',
        '2026-03-13,Transfer abroad,-100.00,1.50,898.50',
        '2026-03-14,Salary,500.00,0.00,1398.50',
        '2026-03-15,Transfer abroad,-50.00,0.75,1347.75',
      ].join('\n'),
    );
  const fees = ['--fee-column', 'Fee'];
  const recorded = () =>
    bench.api.movements.map(({ type, amountDecimal, description }) => [type, amountDecimal, description]);

  it('records each fee as an expense of its own, once', async () => {
    const path = await write();
    const run = await importing(path, ...fees);
    expect(summaryOf(run)).toMatchObject({ rows: 5, created: 5, failed: 0 });
    expect(run.stderr).toContain('ROWS counts each fee as a row of its own.');
    expect(recorded()).toEqual(
      expect.arrayContaining([
        ['expense', '100', 'Transfer abroad'],
        ['expense', '1.5', 'Fee: Transfer abroad'],
        ['expense', '0.75', 'Fee: Transfer abroad'],
      ]),
    );
    expect(summaryOf(await importing(path, ...fees))).toMatchObject({ rows: 5, created: 0, replayed: 5 });
  });

  it('replays the rows that were recorded without their fees', async () => {
    const path = await write();
    expect(summaryOf(await importing(path, '--ignore-balance', '--fee-column', ''))).toMatchObject({
      rows: 3,
      created: 3,
    });
    expect(summaryOf(await importing(path, ...fees))).toMatchObject({ rows: 5, created: 2, replayed: 3 });
  });

  it('plans the fees in a dry run', async () => {
    expect(summaryOf(await importing(await write(), ...fees, '--dry-run'))).toMatchObject({ rows: 5, wouldRecord: 5 });
    expect(bench.api.movements).toEqual([]);
  });

  it('is asked for if the balance counts fees that are not recorded', async () => {
    const refused = await importing(await write());
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--fee-column "Fee"');
    expect(bench.api.movements).toEqual([]);
  });

  it('is saved with the reading', async () => {
    const path = await write();
    await importing(path, ...fees, '--save-mapping');
    expect(summaryOf(await importing(path))).toMatchObject({ rows: 5, created: 0, replayed: 5 });
  });
});
