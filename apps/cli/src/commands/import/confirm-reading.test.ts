import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

  it('is not needed when date and amount are named', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const flags = ['--account', 'Checking', '--date-column', 'Date', '--amount-column', 'Amount'];
    expect(await bench.importing(await writeStatement(simple), ...flags)).toMatchObject({ code: 0 });
  });
});
