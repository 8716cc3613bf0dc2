import { describe, expect, it } from 'vitest';
import { refusal } from '../../../test-support/fake-api.js';
import { ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { findRealStatement, writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();

const household = [
  'Date,Description,Amount,Category,Account Name',
  '2026-01-13,Coffee,-2.50,Restaurants,Checking',
  '2026-01-14,Paycheck,2000,Paycheck,Checking',
  '2026-01-15,Shoes,-89.90,Shopping,Platinum Card',
].join('\n');
const toChecking = ['--account', 'Checking', '--yes'];
const categoriesOf = () =>
  bench.api.movements.map(({ description, categoryId }) => `${description} ${categoryId}`).sort();

/** Adds one account and one category of the file to the tracker. Returns the path of the file. */
function setUpTracker(): Promise<string> {
  bench.api.addAccount({ name: 'Checking' });
  bench.api.addCategory({ id: 'cat_r', name: 'restaurants' });
  return writeStatement(household);
}

describe('categories that are read without --category-column', () => {
  const message =
    '2 categories of the file are left out, because they are missing or unusable in this tracker: Paycheck, Shopping; --create-categories creates missing ones';

  it('are left out if the tracker does not have them; the import lists them before the confirmation and at the end', async () => {
    const path = await setUpTracker();
    const refused = await bench.machine.run(['import', path, '--account', 'Checking'], { answers: [false] });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`categories   ${message}`) });
    expect(bench.api.writes).toEqual([]);

    const run = await bench.importing(path, ...toChecking);
    expect(summaryOf(run)).toMatchObject({ rows: 3, created: 3, failed: 0 });
    expect(run.code).toBe(0);
    expect(run.stderr.split(message)).toHaveLength(3);
    expect(categoriesOf()).toEqual(['Coffee cat_r', 'Paycheck cat_unknown', 'Shoes cat_unknown']);
  });

  it('cause no failed row if the category of an income exists only as an expense category', async () => {
    const path = await setUpTracker();
    bench.api.addCategory({ id: 'cat_p', name: 'Paycheck', kind: 'expense' });
    expect(summaryOf(await bench.importing(path, ...toChecking))).toMatchObject({ created: 3, failed: 0 });
  });

  it('are not added to rows that were recorded without them, even with --create-categories', async () => {
    const path = await setUpTracker();
    await bench.importing(path, ...toChecking);
    const again = await bench.importing(path, ...toChecking, '--create-categories');
    expect(summaryOf(again)).toMatchObject({ created: 0, replayed: 3, failed: 0 });
    expect(again.stderr).toContain('2 of the replayed rows were recorded before with another description');
    expect(bench.api.movements).toHaveLength(3);
  });

  it('cause no failed row in a later import that uses the columns confirmed in the first import', async () => {
    const path = await setUpTracker();
    await bench.machine.run(['import', path, '--account', 'Checking'], { answers: [true] });
    const again = await bench.importing(path, '--account', 'Checking');
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('saved for these headers') });
    expect(summaryOf(again)).toMatchObject({ replayed: 3, failed: 0 });
  });

  it('are left out if they are in a QIF file and the tracker does not have them', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeStatement('!Type:Bank\nD2026-01-13\nT-5.00\nPShop\nLFood\n^\n');
    const run = await bench.importing(path, ...toChecking);
    expect(run.stderr).toContain(
      '1 category of the file is left out, because it is missing or unusable in this tracker: Food;',
    );
    expect(summaryOf(run)).toMatchObject({ created: 1, failed: 0 });
  });
});

describe('categories that are read with --category-column', () => {
  const named = [...toChecking, '--category-column', 'Category'];
  const failures = [
    { line: 3, reason: 'there is no category "Paycheck" (--create-categories creates it)' },
    { line: 4, reason: 'there is no category "Shopping" (--create-categories creates it)' },
  ];

  it('cause a failed row if the tracker does not have them', async () => {
    const run = await bench.importing(await setUpTracker(), ...named);
    expect(run.code).toBe(1);
    expect(summaryOf(run)).toMatchObject({ created: 1, failures });
  });

  it('cause a failed row in a later import that reads the column because of the saved mapping', async () => {
    const path = await setUpTracker();
    await bench.importing(path, ...named, '--save-mapping');
    expect(summaryOf(await bench.importing(path, '--account', 'Checking'))).toMatchObject({ replayed: 1, failures });
  });
});

describe('an import with an API key that may not read categories', () => {
  const unreadable = () => {
    bench.api.fault = ({ url }) =>
      url.pathname.endsWith('/categories') ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined;
  };

  it('records the rows without the categories of a guessed column, and reports this', async () => {
    const path = await setUpTracker();
    unreadable();
    const run = await bench.importing(path, ...toChecking);
    expect(summaryOf(run)).toMatchObject({ created: 3, failed: 0 });
    expect(run.stderr).toContain('3 categories of the file are left out, because this API key may not read categories');
    expect(categoriesOf()).toEqual(['Coffee cat_unknown', 'Paycheck cat_unknown', 'Shoes cat_unknown']);
  });

  it.each([[['--category-column', 'Category']], [['--create-categories']]])(
    'exits 4 and records nothing with %j',
    async (flags) => {
      const path = await setUpTracker();
      unreadable();
      expect(await bench.importing(path, ...toChecking, ...flags)).toMatchObject({ code: 4 });
      expect(bench.api.movements).toEqual([]);
    },
  );

  it('prints nothing about categories if the file has none', async () => {
    bench.api.addAccount({ name: 'Checking' });
    unreadable();
    const run = await bench.importing(await writeStatement('Date,Amount\n2026-01-13,-5.00\n'), ...toChecking);
    expect(run).toMatchObject({ code: 0, stderr: expect.not.stringContaining('categories') });
  });
});

describe('an account column with --account', () => {
  it('is ignored, and the import reports this', async () => {
    const run = await bench.importing(await setUpTracker(), ...toChecking);
    expect(run.stderr).toContain('account      that of --account for every row; column "Account Name" is ignored');
    const [account] = bench.api.accounts;
    expect(bench.api.movements.map(({ accountId }) => accountId)).toEqual(Array(3).fill(account?.id));
  });

  const path = findRealStatement('personal-transactions.csv');
  const note = path === undefined ? ' (skipped: the file is not beside the repository)' : '';
  it.skipIf(path === undefined)(
    `is ignored when a household's statement is imported into one account, and no other flag is needed${note}`,
    async () => {
      bench.api.addAccount({ name: 'Checking' });
      const run = await bench.importing(path ?? '', ...toChecking);
      expect(summaryOf(run)).toMatchObject({ rows: 808, created: 808, failed: 0 });
      expect(run.stderr).toMatch(
        /\d+ categories of the file are left out, because they are missing or unusable in this tracker: Shopping, /,
      );
    },
  );
});
