import { describe, expect, it } from 'vitest';
import { refusal } from '../../../test-support/fake-api.js';
import { creating, ImportBench, isMovement, summaryOf } from '../../../test-support/import-in-test.js';
import { writeHousehold } from '../../../test-support/pairs-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();
const flags = ['--account', 'Checking', '--yes'];

/** The same command through another key than the one in the environment of the machine. */
const throughAnotherKey = (path: string, ...more: string[]) =>
  bench.machine.run(['import', path, '-o', 'json', ...more], { env: { CENTAVO_TOKEN: 'other-token' } });

/** So many rows, each of a day of its own. */
function writeDays(count: number): Promise<string> {
  const rows = Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10);
    return `${day},Row ${index},-${index + 1}.50`;
  });
  return writeStatement(['Date,Description,Amount', ...rows].join('\n'));
}

const addByHand = (day: string, amount: string, text: string) =>
  bench.machine.run([
    ...'movements add --type expense --account Checking --occurred-on'.split(' '),
    ...[day, '--amount', amount, '--description', text],
  ]);

describe('a file that another key has recorded', () => {
  it('stops before its first row, with exit 6, and tells where the rows are, of whom, and what to do', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(100);
    await bench.importing(path, ...flags);
    const sent = bench.api.requests.length;
    const again = await throughAnotherKey(path, ...flags);
    expect(again.code).toBe(6);
    expect(again.stderr).toContain(
      '20 of 20 rows looked at are in Checking already, recorded by key id-of-test-token, and not by an import of this file',
    );
    expect(again.stderr).toMatch(/try: Keys of an import belong .* --record-again/);
    expect(bench.api.movements).toHaveLength(100);
    // Accounts, transfers, and two for each row looked at.
    expect(bench.api.requests.length - sent).toBeLessThanOrEqual(42);
  });

  it('is recorded once more with --record-again, and no row is looked at', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(30);
    await bench.importing(path, ...flags);
    const sent = bench.api.writes.length;
    const again = await throughAnotherKey(path, ...flags, '--record-again');
    expect(summaryOf(again)).toMatchObject({ created: 30 });
    expect(bench.api.writes.slice(sent)).toHaveLength(30);
    expect(summaryOf(await throughAnotherKey(path, ...flags))).toMatchObject({ created: 0, replayed: 30 });
  });

  it('is asked about on a terminal: no records nothing, with exit 6, and yes all of it', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(3);
    await bench.importing(path, ...flags);
    const named = ['--account', 'Checking', '--date-column', 'Date', '--amount-column', 'Amount'];
    const asking = (isMeant: boolean) =>
      bench.machine.run(['import', path, ...named], { answers: [isMeant], env: { CENTAVO_TOKEN: 'other-token' } });
    const refused = await asking(false);
    expect(refused.code).toBe(6);
    expect(refused.questions).toEqual(['Record the rows of this file once more?']);
    expect(refused.stderr).toContain('3 of 3 rows looked at are in Checking already');
    expect(bench.api.movements).toHaveLength(3);
    expect((await asking(true)).code).toBe(0);
    expect(bench.api.movements).toHaveLength(6);
  });

  it('is told by a dry run, which goes on', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(5);
    await bench.importing(path, ...flags);
    const run = await throughAnotherKey(path, ...flags, '--dry-run');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('5 of 5 rows looked at are in Checking already');
    expect(run.stderr).toContain('An import would stop here.');
    expect(bench.api.movements).toHaveLength(5);
  });

  it('is known where a longer file of the same account has begun with it, and by rows without a text', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeDays(30), ...flags);
    expect((await throughAnotherKey(await writeDays(60), ...flags)).code).toBe(6);
    const bare = await writeStatement('Date,Amount\n2026-01-13,-5.00\n2026-01-14,-6.00\n');
    await bench.importing(bare, ...flags);
    expect((await throughAnotherKey(bare, ...flags)).code).toBe(6);
  });

  it('is known where all rows are of one day, and that day fills several pages', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const rows = Array.from({ length: 450 }, (_, index) => `2026-01-13,Row ${index},-${index + 1}.00`);
    const path = await writeStatement(['Date,Description,Amount', ...rows].join('\n'));
    await bench.importing(path, ...flags);
    const again = await throughAnotherKey(path, ...flags);
    expect(again.stderr).toContain('20 of 20 rows looked at');
  });

  it('is known where pairs of it would become transfers', async () => {
    const path = await writeHousehold();
    await bench.importing(path, ...creating);
    const again = await throughAnotherKey(path, ...creating, '--pair-transfers');
    expect(again.code).toBe(6);
    expect(again.stderr).toContain('3 of 3 rows looked at are in Checking, Platinum Card already');
    expect(bench.api.records.transfers).toEqual([]);
  });

  it('is known where rows of it are in transfers, by those that are not', async () => {
    const path = await writeHousehold();
    await bench.importing(path, ...creating, '--pair-transfers');
    const again = await throughAnotherKey(path, ...creating, '--pair-transfers');
    expect(again.stderr).toContain('The row that was looked at is in Checking already');
    expect(bench.api.movements).toHaveLength(3);
  });
});

describe('a file that goes on without a question', () => {
  it('is one that the same key has recorded, all of it or a part', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeDays(25), ...flags);
    expect(summaryOf(await bench.importing(await writeDays(25), ...flags))).toMatchObject({ replayed: 25 });
    expect(summaryOf(await bench.importing(await writeDays(50), ...flags))).toMatchObject({ created: 25 });
  });

  it('is one that the key was rotated from has recorded', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(25);
    await bench.importing(path, ...flags);
    bench.api.keyOwners.set('other-token', 'test-token');
    expect(summaryOf(await throughAnotherKey(path, ...flags))).toMatchObject({ created: 0, replayed: 25 });
  });

  it('is one with two rows that somebody has made by hand', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await addByHand('2025-01-01', '1.50', 'Row 0');
    await addByHand('2025-01-06', '6.50', 'Row 5');
    expect(summaryOf(await bench.importing(await writeDays(100), ...flags))).toMatchObject({ created: 100 });
  });

  it('is one of five rows with one that somebody has made by hand', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await addByHand('2025-01-01', '1.50', 'Row 0');
    expect(summaryOf(await bench.importing(await writeDays(5), ...flags))).toMatchObject({ created: 5 });
  });

  it('is one whose equal rows are of another text, side, day or account', async () => {
    for (const name of ['Checking', 'Savings']) bench.api.addAccount({ name });
    await bench.importing(await writeDays(3), '--account', 'Savings', '--yes');
    await addByHand('2025-01-01', '1.50', 'Another');
    await addByHand('2025-01-03', '2.50', 'Row 1');
    await bench.machine.run([
      ...'movements add --type income --account Checking --occurred-on 2025-01-03 --amount 3.50'.split(' '),
      ...['--description', 'Row 2'],
    ]);
    expect(summaryOf(await throughAnotherKey(await writeDays(3), ...flags))).toMatchObject({ created: 3 });
  });

  it('is an export of this tracker, whose movements are known by their ids', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await addByHand('2026-01-13', '5', 'Tea');
    const path = await writeStatement((await bench.machine.run('movements export')).stdout);
    expect(summaryOf(await throughAnotherKey(path, '--yes'))).toMatchObject({ created: 0, replayed: 1 });
  });

  it('is one that cannot be looked into: the key may not read movements, which is told once', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(5);
    await bench.importing(path, ...flags);
    bench.api.fault = ({ url, body }) =>
      isMovement(url) && body.type === undefined ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined;
    const again = await throughAnotherKey(path, ...flags);
    expect(summaryOf(again)).toMatchObject({ created: 5 });
    expect(again.stderr.split('movements:read')).toHaveLength(2);
    expect(again.stderr).toContain('or that another user or key has recorded, are recorded again');
  });

  it('is a dry run of a key that may not record, which is told', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(5);
    await bench.importing(path, ...flags);
    bench.api.fault = ({ body }) => (body.type === undefined ? undefined : refusal(403, 'INSUFFICIENT_SCOPE'));
    const run = await throughAnotherKey(path, ...flags, '--dry-run');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('This key may not record');
  });
});
