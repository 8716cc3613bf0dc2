import { beforeEach, describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../test-support/import-in-test.js';
import { writeStatement } from '../../test-support/statement-files.js';

const bench = ImportBench.setUp();
beforeEach(() => bench.api.addAccount({ name: 'Checking' }));

const importing = async (path: string, ...flags: string[]) => {
  const run = await bench.importing(path, '--account', 'Checking', '--yes', ...flags);
  return { ...run, summary: summaryOf(run) };
};

describe('a row with the same values in the identifying columns as a recorded row', () => {
  const bank = (...rows: string[]) => writeStatement(['Booked,Kind,Payee,Amount', ...rows].join('\n'));
  const columns = ['--date-column', 'Booked', '--amount-column', 'Amount', '--merchant-column', ''];
  const byKind = [...columns, '--description-column', 'Kind'];
  const byPayee = [...columns, '--description-column', 'Payee'];
  const first = '2026-01-13,Card,Baker,-5.00';

  it('is replayed; even with --quiet, the import prints its line number and the names of the identifying columns', async () => {
    await importing(await bank(first), ...byKind);
    const next = await bank('2026-01-14,Card,Cinema,-9.00', '2026-01-13,Card,Grocer,-5.00');
    const run = await importing(next, ...byPayee, '--quiet');
    expect(run.summary).toMatchObject({ created: 1, replayed: 1 });
    expect(run.stderr).toContain('1 of the replayed rows was recorded before with another description');
    expect(run.stderr).toContain('It is in line 3.');
    expect(run.stderr).toContain('The import identifies rows by "Booked", "Amount", "Kind".');
    expect(run.stderr).toContain('--new-keys');
  });

  it('has its line number printed; after ten such rows, the import prints only the number of further rows', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => `2026-01-13,Card,Shop,-${index + 1}.00`);
    await importing(await bank(...rows), ...byKind);
    const run = await importing(await bank(...rows), ...byPayee);
    expect(run.stderr).toContain('They are in lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more.');
  });

  it('is recorded with --new-keys; later imports identify rows by the columns of the import with --new-keys', async () => {
    await importing(await bank(first), ...byKind);
    const next = await bank('2026-01-13,Card,Grocer,-5.00');
    const dry = await importing(next, ...byPayee, '--new-keys', '--dry-run');
    expect(dry.summary).toMatchObject({ wouldRecord: 1 });
    expect((await importing(next, ...byPayee)).summary).toMatchObject({ replayed: 1 });
    // Without --record-again, the import would exit 6, because its only row has the day and amount of a recorded row.
    const again = await importing(next, ...byPayee, '--new-keys', '--record-again');
    expect(again.summary).toMatchObject({ created: 1, replayed: 0 });
    expect((await importing(next, ...byPayee)).summary).toMatchObject({ created: 0, replayed: 1 });
    const third = await importing(await bank('2026-01-13,Card,Florist,-5.00'), ...byPayee, '--record-again');
    expect(third.summary).toMatchObject({ created: 1, replayed: 0 });
  });
});
