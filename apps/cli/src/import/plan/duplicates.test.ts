import { describe, expect, it } from 'vitest';
import { refusal } from '../../../test-support/fake-api.js';
import { creating, ImportBench, isMovement, summaryOf } from '../../../test-support/import-in-test.js';
import { writeHousehold } from '../../../test-support/pairs-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();
const flags = ['--account', 'Checking', '--yes'];

/** Imports with another API key than the one of the test machine. */
const throughAnotherKey = (path: string, ...more: string[]) =>
  bench.machine.run(['import', path, '-o', 'json', ...more], { env: { CENTAVO_TOKEN: 'other-token' } });

/** Writes a file of `count` rows, one for each day. */
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
  it('exits 6 before its first row, with the account, the key and the flag that helps', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(100);
    await bench.importing(path, ...flags);
    const sent = bench.api.requests.length;
    const again = await throughAnotherKey(path, ...flags);
    expect(again.code).toBe(6);
    expect(again.stderr).toContain(
      '20 of 20 checked rows are already in Checking, recorded by key id-of-test-token, and not by an import of this file',
    );
    expect(again.stderr).toMatch(
      /try: Import the file as the user or with the key that recorded it\. .* --record-again/,
    );
    expect(bench.api.movements).toHaveLength(100);
    // Accounts, transfers, and two requests for each checked row.
    expect(bench.api.requests.length - sent).toBeLessThanOrEqual(42);
  });

  it('is recorded once more with --record-again, without checking rows', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(30);
    await bench.importing(path, ...flags);
    const sent = bench.api.writes.length;
    const again = await throughAnotherKey(path, ...flags, '--record-again');
    expect(summaryOf(again)).toMatchObject({ created: 30 });
    expect(bench.api.writes.slice(sent)).toHaveLength(30);
    expect(summaryOf(await throughAnotherKey(path, ...flags))).toMatchObject({ created: 0, replayed: 30 });
  });

  it('is recorded on a terminal after yes; after no the import exits 6 and records nothing', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(3);
    await bench.importing(path, ...flags);
    const named = ['--account', 'Checking', '--date-column', 'Date', '--amount-column', 'Amount'];
    const asking = (isMeant: boolean) =>
      bench.machine.run(['import', path, ...named], { answers: [isMeant], env: { CENTAVO_TOKEN: 'other-token' } });
    const refused = await asking(false);
    expect(refused.code).toBe(6);
    expect(refused.questions).toEqual(['Record the rows of this file once more?']);
    expect(refused.stderr).toContain('3 of 3 checked rows are already in Checking');
    expect(bench.api.movements).toHaveLength(3);
    expect((await asking(true)).code).toBe(0);
    expect(bench.api.movements).toHaveLength(6);
  });

  it('is reported by a dry run, which goes on', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(5);
    await bench.importing(path, ...flags);
    const run = await throughAnotherKey(path, ...flags, '--dry-run');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('5 of 5 checked rows are already in Checking');
    expect(run.stderr).toContain('An import would stop here.');
    expect(bench.api.movements).toHaveLength(5);
  });

  it('is recognized at the beginning of a longer file, and by rows without texts', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeDays(30), ...flags);
    expect((await throughAnotherKey(await writeDays(60), ...flags)).code).toBe(6);
    const bare = await writeStatement('Date,Amount\n2026-01-13,-5.00\n2026-01-14,-6.00\n');
    await bench.importing(bare, ...flags);
    expect((await throughAnotherKey(bare, ...flags)).code).toBe(6);
  });

  it('is recognized if all rows are of one day that fills several pages', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const rows = Array.from({ length: 450 }, (_, index) => `2026-01-13,Row ${index},-${index + 1}.00`);
    const path = await writeStatement(['Date,Description,Amount', ...rows].join('\n'));
    await bench.importing(path, ...flags);
    const again = await throughAnotherKey(path, ...flags);
    expect(again.stderr).toContain('20 of 20 checked rows');
  });

  it('is recognized with --pair-transfers', async () => {
    const path = await writeHousehold();
    await bench.importing(path, ...creating);
    const again = await throughAnotherKey(path, ...creating, '--pair-transfers');
    expect(again.code).toBe(6);
    expect(again.stderr).toContain('3 of 3 checked rows are already in Checking, Platinum Card');
    expect(bench.api.records.transfers).toEqual([]);
  });

  it('is recognized by the rows that are not in transfers', async () => {
    const path = await writeHousehold();
    await bench.importing(path, ...creating, '--pair-transfers');
    const again = await throughAnotherKey(path, ...creating, '--pair-transfers');
    expect(again.stderr).toContain('The checked row is already in Checking');
    expect(bench.api.movements).toHaveLength(3);
  });
});

describe('a file that is imported without a question', () => {
  it('was recorded by the same key, all of it or a part', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeDays(25), ...flags);
    expect(summaryOf(await bench.importing(await writeDays(25), ...flags))).toMatchObject({ replayed: 25 });
    expect(summaryOf(await bench.importing(await writeDays(50), ...flags))).toMatchObject({ created: 25 });
  });

  it('was recorded by the key that this one was rotated from', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(25);
    await bench.importing(path, ...flags);
    bench.api.keyOwners.set('other-token', 'test-token');
    expect(summaryOf(await throughAnotherKey(path, ...flags))).toMatchObject({ created: 0, replayed: 25 });
  });

  it('has a hundred rows, two of them entered by hand', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await addByHand('2025-01-01', '1.50', 'Row 0');
    await addByHand('2025-01-06', '6.50', 'Row 5');
    expect(summaryOf(await bench.importing(await writeDays(100), ...flags))).toMatchObject({ created: 100 });
  });

  it('has five rows, one of them entered by hand', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await addByHand('2025-01-01', '1.50', 'Row 0');
    expect(summaryOf(await bench.importing(await writeDays(5), ...flags))).toMatchObject({ created: 5 });
  });

  it('has similar rows with another text, direction, day or account', async () => {
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

  it('is an export of this tracker, with the ids of its movements', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await addByHand('2026-01-13', '5', 'Tea');
    const path = await writeStatement((await bench.machine.run('movements export')).stdout);
    expect(summaryOf(await throughAnotherKey(path, '--yes'))).toMatchObject({ created: 0, replayed: 1 });
  });

  it('cannot be checked, because the key may not read movements: one note says so', async () => {
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

  it('cannot be checked by a dry run of a key that may not record: a note says so', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(5);
    await bench.importing(path, ...flags);
    bench.api.fault = ({ body }) => (body.type === undefined ? undefined : refusal(403, 'INSUFFICIENT_SCOPE'));
    const run = await throughAnotherKey(path, ...flags, '--dry-run');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('This key may not record');
  });
});
