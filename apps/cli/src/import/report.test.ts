import { describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../test-support/import-in-test.js';
import { writeStatement } from '../../test-support/statement-files.js';

const bench = ImportBench.setUp();

describe('the failures of an import', () => {
  const wrongDates = (count: number) =>
    writeStatement(
      [
        'Date,Amount',
        ...Array.from({ length: count }, (_, index) => `01/${13 + (index % 18)}/2026,-${index + 1}`),
      ].join('\n'),
    );

  it('are reported in one sentence that suggests a fitting format, if no date matches --date-format', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const flags = ['--account', 'Checking', '--yes', '--date-format', 'DD/MM/YYYY'];
    const path = await wrongDates(30);
    const { code, stderr } = await bench.machine.run(['import', path, ...flags]);
    expect(code).toBe(1);
    expect(stderr).toContain('No date of the file is written as DD/MM/YYYY; --date-format MM/DD/YYYY would fit.');
    expect(stderr).not.toContain('line 2');
    expect((summaryOf(await bench.importing(path, ...flags)).failures as unknown[]).length).toBe(30);
  });

  it('are listed, at most twenty of each kind, and further failures are counted', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const rows = Array.from({ length: 25 }, (_, index) => `2026-01-13,many${index}`);
    const path = await writeStatement(['Date,Amount', '2026-01-12,-5', ...rows, 'soon,-1'].join('\n'));
    const { stderr } = await bench.machine.run(['import', path, '--account', 'Checking', '--yes']);
    expect(stderr).toContain('line 22: "many19" is not an amount');
    expect(stderr).not.toContain('line 23');
    expect(stderr).toContain('and 5 more: "…" is not an amount');
    expect(stderr).toContain('line 28: "soon" is not a date');
  });
});

it('an import prints one sentence for all rows of a missing account, but lists one failure for each row in JSON output', async () => {
  const path = await writeStatement(
    'Date,Amount,Account\n2026-01-13,-5,Card\n2026-01-14,-6,Card\n2026-01-15,-7,Card\n',
  );
  const { stderr } = await bench.machine.run(['import', path, '--yes']);
  expect(stderr).toContain('There is no account "Card" (3 rows; first line 2); --create-accounts creates it.');
  expect(stderr).not.toContain('line 3');
  expect(summaryOf(await bench.importing(path, '--yes')).failures).toHaveLength(3);
});
