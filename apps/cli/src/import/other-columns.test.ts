import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../test-support/import-in-test.js';
import { writeStatement } from '../../test-support/statement-files.js';

const bench = ImportBench.setUp();
beforeEach(() => bench.api.addAccount({ name: 'Checking' }));

const header = 'Date,Amount,Description,Notes,Shop,Group';
const january = [
  '2026-01-13,-2.50,CARD 1,Coffee,Corner,Food',
  '2026-01-13,-2.50,CARD 1,Tea,Corner,Food',
  '2026-01-14,2000,SALARY,January,Acme,Pay',
];
const february = ['2026-02-13,-2.50,CARD 1,Coffee,Corner,Food', '2026-02-14,2000,SALARY,February,Acme,Pay'];
const write = (...rows: string[]) => writeStatement([header, ...rows].join('\n'));
const plain = ['--date-column', 'Date', '--amount-column', 'Amount', '--description-column', 'Description'];
const importing = async (path: string, ...flags: string[]) => {
  const run = await bench.importing(path, '--account', 'Checking', '--create-categories', '--yes', ...flags);
  return { ...run, summary: summaryOf(run) };
};
const none = { created: 0, failed: 0, skipped: 0 };

describe('a second import of a file', () => {
  it.each([
    ['another description', ['--description-column', 'Notes']],
    ['no description', ['--description-column', '']],
    ['a category that the first import did not read', ['--category-column', 'Group']],
    ['a merchant that the first import did not read', ['--merchant-column', 'Shop']],
    ['another description and a merchant', ['--description-column', 'Notes', '--merchant-column', 'Description']],
    ['reversed signs', ['--minus', 'income']],
    ['reversed signs and another description', ['--minus', 'income', '--description-column', 'Notes']],
    ['all amounts as expenses', ['--all-expenses']],
  ])(
    'that reads %s records nothing, and reports that the recorded movements differ from the rows',
    async (_, flags) => {
      const path = await write(...january);
      expect((await importing(path, ...plain)).summary).toMatchObject({ created: 3 });
      const before = structuredClone(bench.api.movements);
      const again = await importing(path, ...plain, ...flags);
      expect(again.code).toBe(0);
      expect(again.summary).toMatchObject({ ...none, replayed: 3 });
      expect(again.stderr).toContain('3 of the replayed rows were recorded before with another description');
      expect(again.stderr).toContain('centavo movements correct');
      expect(bench.api.movements).toEqual(before);
    },
  );

  it('reports no difference if it reads the same columns as the first import', async () => {
    const path = await write(...january);
    await importing(path, ...plain);
    await importing(path, '--description-column', 'Notes');
    const again = await importing(path, ...plain);
    expect(again.summary).toMatchObject({ ...none, replayed: 3 });
    expect(again.stderr).not.toContain('recorded before with another');
  });

  it('records each row of two Fidelity exports once, even on another machine and if only the second export has a row without a settlement date', async () => {
    const fidelity = (...rows: string[]) =>
      writeStatement(['Run Date,Action,Symbol,Type,Amount ($),Settlement Date', ...rows].join('\n'));
    const trades = [
      '11/26/2025,YOU SOLD APPLE INC (AAPL) (Cash),AAPL,Cash,3336.36,11/28/2025',
      '11/25/2025,YOU BOUGHT XY CORP (XY) (Cash),XY,Cash,-250.00,11/26/2025',
    ];
    expect((await importing(await fidelity(...trades))).summary).toMatchObject({ created: 2 });
    await bench.replaceMachine();
    const next = await fidelity('12/01/2025,DIVIDEND RECEIVED APPLE INC (AAPL) (Cash),AAPL,Cash,3.20,', ...trades);
    expect((await importing(next)).summary).toMatchObject({ created: 1, replayed: 2 });
    expect(bench.api.movements).toHaveLength(3);
  });

  it('replays the rows of an export of Fidelity that an earlier import recorded on their settlement dates', async () => {
    const path = await writeStatement(
      'Run Date,Action,Amount ($),Settlement Date\n11/26/2025,YOU SOLD APPLE INC,3336.36,11/28/2025\n11/25/2025,YOU BOUGHT XY CORP,-250.00,11/26/2025',
    );
    expect((await importing(path, '--date-column', 'Settlement Date')).summary).toMatchObject({ created: 2 });
    expect((await importing(path)).summary).toMatchObject({ ...none, replayed: 2 });
  });

  it('records nothing if it reads the date or the amount from a column that the first import did not read', async () => {
    const rows = ['2026-01-13,2026-01-15,-2.50,-3', '2026-01-14,2026-01-16,7,8'];
    const path = await writeStatement(['Made,Booked,Small,Large', ...rows].join('\n'));
    const first = ['--date-column', 'Made', '--amount-column', 'Small'];
    const debits = ['--debit-column', 'Small', '--credit-column', 'Large', '--minus', 'income'];
    expect((await importing(path, ...first)).summary).toMatchObject({ created: 2 });
    for (const other of [
      ['--date-column', 'Booked', '--amount-column', 'Small'],
      ['--date-column', 'Made', '--amount-column', 'Large'],
      ['--date-column', 'Made', ...debits, '--no-saved-mapping'],
    ]) {
      expect((await importing(path, ...other)).summary.created).toBe(0);
    }
    expect(bench.api.movements).toHaveLength(2);
  });

  it.each([
    ['swapped words', ['--expense-word', 'IN', '--income-word', 'OUT']],
    ['no words', ['--direction-column', '', '--all-expenses']],
  ])('records nothing if its flags name %s for expenses and incomes', async (_, flags) => {
    const path = await writeStatement('Date,Amount,Way\n2026-01-13,5,OUT\n2026-01-13,5,IN\n');
    const first = ['--direction-column', 'Way'];
    expect((await importing(path, ...first)).summary).toMatchObject({ created: 2 });
    expect((await importing(path, ...first, ...flags)).summary).toMatchObject({ ...none, replayed: 2 });
  });

  it('records nothing with swapped debit and credit columns', async () => {
    const path = await writeStatement('Date,One,Two\n2026-01-13,5,\n2026-01-13,,5\n');
    expect((await importing(path, '--debit-column', 'One', '--credit-column', 'Two')).summary.created).toBe(2);
    const swapped = await importing(path, '--debit-column', 'Two', '--credit-column', 'One');
    expect(swapped.summary).toMatchObject({ ...none, replayed: 2 });
  });

  it('records the rows in which the first import found no date or no amount; a third import recognizes these rows', async () => {
    const rows = ['2026-01-13,2026-01-15,-2.50,-3', ',2026-01-16,7,8', '2026-01-17,2026-01-17,,9'];
    const path = await writeStatement(['Made,Booked,Small,Large', ...rows].join('\n'));
    const first = await importing(path, '--date-column', 'Made', '--amount-column', 'Small');
    expect(first.summary).toMatchObject({ created: 1, failed: 2 });
    const other = ['--date-column', 'Booked', '--amount-column', 'Large'];
    expect((await importing(path, ...other)).summary).toMatchObject({ created: 2, replayed: 1 });
    const again = await importing(
      await writeStatement(['Made,Booked,Small,Large', ...rows.toReversed()].join('\n')),
      ...other,
    );
    expect(again.summary).toMatchObject({ ...none, replayed: 3 });
  });

  it('records two rows that differ only in a column that the second import reads, even if both are empty in a column that the first import read', async () => {
    const file = (row: string) =>
      writeStatement(['Made,Booked,Small,Large', '2026-01-13,2026-01-15,-2.50,-3', row].join('\n'));
    await importing(await file(',,,'), '--date-column', 'Made', '--amount-column', 'Small');
    const other = ['--date-column', 'Booked', '--amount-column', 'Large'];
    for (const row of [',2026-01-16,7,8', ',2026-01-17,7,8', '2026-01-18,2026-01-18,,9', '2026-01-18,2026-01-18,,10']) {
      expect((await importing(await file(row), ...other)).summary).toMatchObject({ created: 1, replayed: 1 });
    }
  });

  it('records both of two rows that have a debit of zero and differ only in the credit', async () => {
    const columns = ['--debit-column', 'Out', '--credit-column', 'In'];
    for (const row of ['2026-01-13,0.00,5', '2026-01-13,0.00,6']) {
      const run = await importing(await writeStatement(`Date,Out,In\n${row}\n`), ...columns);
      expect(run.summary).toMatchObject({ created: 1 });
    }
  });

  it.each(['--category-column', '--merchant-column', '--description-column'])(
    'recognizes rows by the column that %s named in the first import, even if the order of the rows has changed',
    async (flag) => {
      const rows = ['2026-01-13,-5,One', '2026-01-13,-5,Other'];
      const first = ['--date-column', 'Date', '--amount-column', 'Amount', flag, 'Extra'];
      await importing(await writeStatement(['Date,Amount,Extra', ...rows].join('\n')), ...first);
      const again = await importing(
        await writeStatement(['Date,Amount,Extra', ...rows.toReversed()].join('\n')),
        ...first,
      );
      expect(again.summary).toMatchObject({ ...none, replayed: 2 });
      expect(again.stderr).not.toContain('recorded before with another');
    },
  );

  it('recognizes rows whose direction words were changed to capitals, and rows with a negative debit', async () => {
    const file = 'Date,Out,In,Amount,Way\n2026-01-13,5,,5,Out\n2026-01-13,-5,,6,In\n';
    const columns = ['--debit-column', 'Out', '--credit-column', 'In', '--minus', 'income'];
    expect((await importing(await writeStatement(file), ...columns)).summary).toMatchObject({ created: 2 });
    const reordered = await writeStatement('Date,Out,In,Amount,Way\n2026-01-13,-5,,6,In\n2026-01-13,5,,5,Out\n');
    expect((await importing(reordered, ...columns)).stderr).not.toContain('recorded before with another');
    bench.api.addAccount({ name: 'Savings' });
    const words = 'Date,Amount,Way\n2026-01-13,5,Out\n2026-01-13,5,In\n';
    const savings = ['--account', 'Savings', '--direction-column', 'Way'];
    expect((await importing(await writeStatement(words), ...savings)).summary).toMatchObject({ created: 2 });
    const capitals = await writeStatement(words.replace('Out', 'OUT').replace('5,In', '5,IN'));
    expect((await importing(capitals, ...savings)).summary).toMatchObject({ ...none, replayed: 2 });
  });

  it('recognizes rows that continue on a second line, even with another description column', async () => {
    const rows = ['2026-01-13,-5,CARD 1,Coffee,,', ',,continued,,,', '2026-01-14,-6,CARD 2,Tea,,', ',,,more tea,,'];
    const path = await write(...rows);
    expect((await importing(path, ...plain)).summary.created).toBe(2);
    const other = await importing(path, ...plain, '--description-column', 'Notes');
    expect(other.summary).toMatchObject({ ...none, replayed: 2 });
  });
});

describe('an import of a later file with the same headers', () => {
  it('records only the new rows, with texts from its description column, which the first import did not read', async () => {
    await importing(await write(...january), ...plain);
    const next = await importing(
      await write(...january.slice(1), ...february),
      ...plain,
      '--description-column',
      'Notes',
    );
    expect(next.summary).toMatchObject({ created: 2, replayed: 2, failed: 0 });
    expect(bench.api.movements.slice(3)).toMatchObject([{ description: 'Coffee' }, { description: 'February' }]);
    const last = await importing(await write(...february), ...plain);
    expect(last.summary).toMatchObject({ ...none, replayed: 2 });
  });

  it('recognizes rows with edited categories if the first import had no category column', async () => {
    const edited = january.map((row) => row.replace(/(Food|Pay)$/, 'Edited'));
    await importing(await write(...january), ...plain, '--category-column', '');
    const next = await importing(await write(...edited), ...plain, '--category-column', 'Group');
    expect(next.summary).toMatchObject({ ...none, replayed: 3 });
  });
});

describe('the columns that identify rows', () => {
  const other = [...plain, '--description-column', 'Notes'];

  it('are not set by a dry run, or by an import that records no row', async () => {
    const path = await write(...january);
    await importing(path, ...plain, '--dry-run', '--save-mapping');
    await importing(path, ...plain, '--date-format', 'DD.MM.YYYY');
    expect((await importing(path, ...other)).summary).toMatchObject({ created: 3 });
    const again = await importing(
      await write(...january.map((row) => row.replace(/CARD 1|SALARY/, 'edited'))),
      ...other,
    );
    expect(again.summary).toMatchObject({ ...none, replayed: 3 });
    expect(again.stderr).not.toContain('recorded before with another');
  });

  it('do not change if a later import saves another mapping or ignores the saved mapping', async () => {
    const path = await write(...january);
    await importing(path, ...plain);
    await importing(path, ...other, '--save-mapping');
    expect((await importing(path)).summary).toMatchObject({ ...none, replayed: 3 });
    expect((await importing(path, ...other, '--no-saved-mapping')).summary).toMatchObject({ ...none, replayed: 3 });
    await importing(path, ...other, '--save-mapping', '--no-saved-mapping');
    expect((await importing(path, ...plain)).summary).toMatchObject({ ...none, replayed: 3 });
  });

  it('are the same for two accounts, and the rows are recorded once in each account', async () => {
    bench.api.addAccount({ name: 'Savings' });
    const path = await write(...january);
    await importing(path, ...plain);
    const savings = ['--account', 'Savings', ...other];
    expect((await importing(path, ...savings)).summary).toMatchObject({ created: 3 });
    expect((await importing(path, ...savings, '--description-column', 'Description')).summary.created).toBe(0);
    expect(bench.api.movements).toHaveLength(6);
  });

  it('are chosen separately for each account if the file has no headers', async () => {
    bench.api.addAccount({ name: 'Savings' });
    const path = await writeStatement('2026-01-13,-2.50,Coffee,x\n2026-01-14,-3.50,Tea,y\n');
    const flags = ['--date-column', 'column 1', '--amount-column', 'column 2'];
    await importing(path, ...flags, '--description-column', 'column 4');
    const savings = [...flags, '--account', 'Savings', '--description-column', 'column 3'];
    expect((await importing(path, ...savings)).summary.created).toBe(2);
    const edited = await writeStatement('2026-01-13,-2.50,Coffee,edited\n2026-01-14,-3.50,Tea,\n');
    expect((await importing(edited, ...savings)).summary).toMatchObject({ ...none, replayed: 2 });
    expect((await importing(path, ...flags)).summary).toMatchObject({ ...none, replayed: 2 });
  });

  it('are not saved if the profile cannot be written, and the import warns and records the rows', async () => {
    const directory = join(bench.machine.configHome, 'centavo/profiles/default');
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'mappings'), 'not a directory');
    const run = await importing(await write(...january), ...plain);
    expect(run.summary).toMatchObject({ created: 3 });
    expect(run.stderr.match(/would record its rows again/g)).toHaveLength(1);
  });
});
