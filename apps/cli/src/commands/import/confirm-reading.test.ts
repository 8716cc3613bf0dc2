import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ImportBench } from '../../../test-support/import-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();

describe('the confirmation of guessed columns', () => {
  const simple = 'Date,Amount\n2026-01-13,-5.00\n';

  it('is asked for on a terminal, and then remembered for these headers', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeStatement(simple);
    const asked = await bench.machine.run(['import', path, '--account', 'Checking'], {
      answers: [true],
      isTerminal: false,
    });
    expect(asked.code).toBe(0);
    expect(asked.stderr).toContain('column "Amount" (guessed)');
    expect(asked.questions).toEqual([expect.stringContaining('Yes also keeps it')]);
    expect(await readdir(join(bench.machine.configHome, 'centavo/profiles/default/mappings'))).toHaveLength(1);
    expect(await bench.importing(path, '--account', 'Checking')).toMatchObject({ code: 0 });
  });

  it('that is refused, or cannot be asked for, records nothing and exits 2', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeStatement(simple);
    expect(await bench.machine.run(['import', path, '--account', 'Checking'], { answers: [false] })).toMatchObject({
      code: 2,
    });
    const unasked = await bench.importing(path, '--account', 'Checking');
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain('--yes');
    expect(bench.api.movements).toEqual([]);
  });

  it('is not kept by a dry run, which changes nothing', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeStatement(simple);
    const named = ['--account', 'Checking', '--date-column', 'Date', '--amount-column', 'Amount', '--all-expenses'];
    expect(await bench.importing(path, ...named, '--dry-run', '--save-mapping')).toMatchObject({ code: 0 });
    expect(await readdir(join(bench.machine.configHome, 'centavo')).catch(() => [])).toEqual([]);
  });

  it('is not asked for where there is no such account: that is said first', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeStatement(simple);
    const run = await bench.machine.run(['import', path, '--account', 'Cheking'], { answers: [true] });
    expect(run.code).toBe(5);
    expect(run.questions).toEqual([]);
    expect(run.stderr).toContain('There is no account "Cheking".');
  });

  it('is not needed when date and amount are named', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const flags = ['--account', 'Checking', '--date-column', 'Date', '--amount-column', 'Amount'];
    expect(await bench.importing(await writeStatement(simple), ...flags)).toMatchObject({ code: 0 });
  });
});

describe('a word of the status that nobody has explained', () => {
  const file = 'Date,Amount,Status\n2026-01-13,-5.00,Completed\n2026-01-14,-6.00,Frobnicated\n';
  beforeEach(() => bench.api.addAccount({ name: 'Checking' }));

  it.each([['--yes'], ['--no-input']])(
    'is not taken for final by %s: the word and the flag are named',
    async (flag) => {
      const run = await bench.importing(await writeStatement(file), '--account', 'Checking', flag);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain('nobody has explained "Frobnicated"');
      expect(run.stderr).toContain('--final-status "Frobnicated"');
      expect(bench.api.movements).toEqual([]);
    },
  );

  it('is final by its flag', async () => {
    const flags = ['--account', 'Checking', '--yes', '--final-status', 'Frobnicated'];
    expect(await bench.importing(await writeStatement(file), ...flags)).toMatchObject({ code: 0 });
    expect(bench.api.movements).toHaveLength(2);
  });

  it('is asked about on a terminal, by its name, and the answer is kept for the next file', async () => {
    const path = await writeStatement(file);
    const asked = await bench.machine.run(['import', path, '--account', 'Checking'], { answers: [true] });
    expect(asked.stderr).toContain('nobody has explained "Frobnicated"');
    expect(bench.api.movements).toHaveLength(2);
    expect(await bench.importing(path, '--account', 'Checking', '--yes')).toMatchObject({ code: 0 });
    const another = await writeStatement(`${file}2026-01-15,-7.00,Grombled\n`);
    const refused = await bench.importing(another, '--account', 'Checking', '--yes');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('nobody has explained "Grombled"');
  });

  it('is shown by a dry run', async () => {
    const run = await bench.importing(await writeStatement(file), '--account', 'Checking', '--dry-run');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('"Frobnicated": taken for final');
  });
});
