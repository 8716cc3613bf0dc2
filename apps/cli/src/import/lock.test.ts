import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ImportBench, summaryOf, writeManyRows } from '../../test-support/import-in-test.js';
import { writeStatement } from '../../test-support/statement-files.js';

const bench = ImportBench.setUp();

const configDirectory = () => join(bench.machine.configHome, 'centavo');
const lockPath = () => join(configDirectory(), `import-${hostname().replace(/[^\w.-]/g, '_')}.lock`);
const holdLock = async (owner: object) => {
  await mkdir(configDirectory(), { recursive: true });
  await writeFile(lockPath(), JSON.stringify({ host: hostname(), ...owner }));
};
const halves = () =>
  writeStatement('Date,Amount,Account\n2026-01-13,-80.00,Checking\n2026-01-14,80.00,Savings\n2026-01-15,-5,Checking\n');

it('simultaneous imports with and without --pair-transfers record no row twice', async () => {
  const path = await halves();
  const flags = ['--yes', '--create-accounts'];
  const runs = await Promise.all([
    bench.importing(path, ...flags, '--pair-transfers'),
    bench.importing(path, ...flags, '--profile', 'other'),
  ]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  expect(bench.api.movements).toHaveLength(3);
  expect(bench.api.accounts.map(({ name }) => name)).toEqual(['Checking', 'Savings']);
});

it('four simultaneous imports create each account once, and record each row once', async () => {
  const path = await halves();
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => bench.importing(path, '--yes', '--create-accounts', '--no-input')),
  );
  expect(bench.api.accounts).toHaveLength(2);
  expect(bench.api.movements).toHaveLength(3);
  const created = runs.map((run) => Number(summaryOf(run).created));
  expect(created.toSorted((one, other) => one - other)).toEqual([0, 0, 0, 3]);
  const waited = runs.filter(({ stderr }) =>
    stderr.includes(`Another import is running (process ${process.pid}). Waiting for it to finish.`),
  );
  expect(waited).toHaveLength(3);
  for (const { stderr } of runs) expect(stderr.split('Another import').length).toBeLessThanOrEqual(2);
  expect((await readdir(configDirectory())).filter((name) => name.startsWith('import-'))).toEqual([]);
});

it('two simultaneous first imports with different description columns record each row once', async () => {
  bench.api.addAccount({ name: 'Checking' });
  const path = await writeStatement('Date,Amount,Text,Notes\n2026-01-13,-5,Card,Coffee\n2026-01-14,-6,Card,Tea\n');
  const flags = ['--account', 'Checking', '--yes', '--date-column', 'Date', '--amount-column', 'Amount'];
  await Promise.all(['Text', 'Notes'].map((column) => bench.importing(path, ...flags, '--description-column', column)));
  expect(bench.api.movements).toHaveLength(2);
});

it('an import exits 130 and records nothing after Ctrl-C while it waits for another import', async () => {
  bench.api.addAccount({ name: 'Checking' });
  await holdLock({ pid: process.pid });
  const { clock, interruption } = bench.machine;
  const waitMs = clock.waitMs;
  let waits = 0;
  clock.waitMs = async (...args) => {
    waits += 1;
    if (waits === 3) interruption.abort();
    await waitMs(...args);
  };
  const run = await bench.importing(await writeManyRows(2), '--account', 'Checking', '--yes');
  expect(run).toMatchObject({ code: 130, stdout: '' });
  expect(run.stderr).toContain('Waiting for it to finish');
  expect(bench.api.requests).toEqual([]);
});

it('an import takes over the lock of a killed import, even if another process has the same process id', async () => {
  bench.api.addAccount({ name: 'Checking' });
  // The first lock names no process, as after a power failure. The second lock has a process id that does not exist. The
  // process id in the third lock belongs to a process that started at another time.
  const staleLocks = [
    {},
    { pid: 2 ** 30 },
    ...(process.platform === 'linux' ? [{ pid: process.pid, startedAt: '1' }] : []),
  ];
  for (const owner of staleLocks) {
    await holdLock(owner);
    const run = await bench.importing(await writeManyRows(2), '--account', 'Checking', '--yes');
    expect(run.code).toBe(0);
    expect(run.stderr).not.toContain('Another import');
  }
  expect(bench.api.movements).toHaveLength(2);
});

it('eight simultaneous imports record each row once if they find the lock of a killed import', async () => {
  await holdLock({ pid: 2 ** 30 });
  const path = await halves();
  await Promise.all(Array.from({ length: 8 }, () => bench.importing(path, '--yes', '--create-accounts')));
  expect(bench.api.accounts).toHaveLength(2);
  expect(bench.api.movements).toHaveLength(3);
});

it('a dry run does not wait for another import', async () => {
  bench.api.addAccount({ name: 'Checking' });
  await holdLock({ pid: process.pid });
  const run = await bench.importing(await writeManyRows(2), '--account', 'Checking', '--yes', '--dry-run');
  expect(run.code).toBe(0);
});

it('an import warns and records the rows if the lock cannot be created', async () => {
  bench.api.addAccount({ name: 'Checking' });
  await mkdir(lockPath(), { recursive: true });
  const run = await bench.importing(await writeManyRows(2), '--account', 'Checking', '--yes', '--quiet');
  expect(summaryOf(run)).toMatchObject({ created: 2 });
  expect(run.stderr).toContain('Could not prevent other imports');
});
