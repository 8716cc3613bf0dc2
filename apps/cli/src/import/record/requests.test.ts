import { expect, it } from 'vitest';
import { creating, ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { writeRows } from '../../../test-support/pairs-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();

// The clock of the test machine is set to noon on 2026-01-01.
it('a dry run of an import reports rows as failed if the API would refuse their dates', async () => {
  bench.api.addAccount({ name: 'Checking' });
  const rows = ['1899-12-31,-1', '1900-01-01,-2', '2026-01-13,-3', '2027-01-03,-4', '2027-01-04,-5', '2090-01-01,-6'];
  const path = await writeStatement(['Date,Amount', ...rows].join('\n'));
  const run = await bench.importing(path, '--account', 'Checking', '--yes', '--dry-run');
  expect(summaryOf(run)).toMatchObject({
    wouldRecord: 3,
    failed: 3,
    failures: [
      { line: 2, reason: '"1899-12-31" is not a date written as YYYY-MM-DD' },
      { line: 6, reason: 'occurredOn: 2027-01-04 is more than 366 days ahead' },
      { line: 7 },
    ],
  });
});

it('a dry run of an import reports both rows of a transfer as failed if the API would refuse the date', async () => {
  const pair = ['01/22/2090,Out,5.00,debit,,Checking', '01/22/2090,In,5.00,credit,,Savings'];
  const run = await bench.importing(await writeRows(...pair), ...creating, '--pair-transfers', '--dry-run');
  expect(summaryOf(run)).toMatchObject({ wouldRecord: 0, wouldPair: 0, failures: [{ line: 2 }, { line: 3 }] });
});
