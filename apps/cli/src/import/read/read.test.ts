import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';
import { UsageError } from '../../errors.js';
import { withRereadableFile } from './read.js';

const bench = ImportBench.setUp();

describe('standard input', () => {
  const statement = 'Date,Amount\n2026-01-13,-5.00\n';

  it.each(['-', '/dev/stdin'])('is imported like a file if the command line names it as %s', async (name) => {
    bench.api.addAccount({ name: 'Checking' });
    const args = ['import', name, '--account', 'Checking', '--yes', '-o', 'json'];
    const run = await bench.machine.run(args, { stdin: statement });
    expect(summaryOf(run)).toMatchObject({ created: 1 });
    expect(
      summaryOf(await bench.importing(await writeStatement(statement), '--account', 'Checking', '--yes')),
    ).toMatchObject({
      replayed: 1,
    });
  });

  it('is copied to a file that only its owner can read, and the copy is removed even if the import fails', async () => {
    let copied = '';
    const failing = withRereadableFile('-', {
      stdin: asStdin(statement),
      act: async ({ path, name }) => {
        copied = path;
        expect((await stat(path)).mode & 0o777).toBe(0o600);
        expect(await readFile(path, 'utf8')).toBe(statement);
        throw new UsageError(`${name} is empty.`);
      },
    });
    await expect(failing).rejects.toThrow('Standard input is empty.');
    await expect(stat(dirname(copied))).rejects.toThrow('ENOENT');
  });

  it('is named in error messages about its content, instead of the path of its copy', async () => {
    const run = await bench.machine.run(['import', '-', '--account', 'Checking'], { stdin: '%PDF-1.7' });
    expect(run.stderr).toContain('Standard input is a PDF document');
  });
});

describe.skipIf(process.platform === 'win32')('a named pipe', () => {
  it('is read once, and imported like a file', async () => {
    const pipe = join(await mkdtemp(join(tmpdir(), 'centavo-pipe-')), 'statement');
    execFileSync('mkfifo', [pipe]);
    const writing = writeFile(pipe, 'Date,Amount\n2026-01-14,-5.00\n');
    bench.api.addAccount({ name: 'Checking' });
    const run = await bench.importing(pipe, '--account', 'Checking', '--yes');
    expect(summaryOf(run)).toMatchObject({ created: 1 });
    await writing;
  });
});

async function* asStdin(text: string) {
  yield text;
}

describe('an import of a file in which the comma in "5,000" is ambiguous', () => {
  const file = 'Date,Description,Amount\n2026-01-13,Shop,"-5,000"\n2026-01-14,Shop,"-880"\n';

  it('reads a thousands separator if the account of --account is in a currency without decimals', async () => {
    bench.api.addAccount({ name: 'Bank', currencyCode: 'JPY' });
    const run = await bench.importing(await writeStatement(file), '--account', 'Bank', '--yes');
    expect(summaryOf(run)).toMatchObject({ created: 2, failed: 0 });
    expect(bench.api.movements.map(({ amountDecimal }) => amountDecimal)).toEqual(['5000', '880']);
  });

  it.each([
    ['is in a currency with decimals', 'USD', 'Bank'],
    ['does not exist', 'JPY', 'Savings'],
  ])('exits 2 if the account %s', async (_, currencyCode, account) => {
    bench.api.addAccount({ name: 'Bank', currencyCode });
    const run = await bench.importing(await writeStatement(file), '--account', account, '--yes');
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('can have a thousands separator') });
  });
});
