import { expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();

it('a file of headers alone says that there are no rows, asks nothing and is done', async () => {
  bench.api.addAccount({ name: 'Checking' });
  const run = await bench.importing(await writeStatement('Date,Amount\n'), '--account', 'Checking');
  expect(run.code).toBe(0);
  expect(run.stderr).toContain('There are no rows');
});

it('OFX is shown by account, with its days and totals, and nothing has to be confirmed', async () => {
  bench.api.addAccount({ name: 'Checking' });
  const entry = (day: string, amount: string, id: string) =>
    `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${id}<NAME>Shop</STMTTRN>`;
  const rows = [entry('20260115', '-45.3', '1'), entry('20260113', '-1.20', '2'), entry('20260114', '7', '3')];
  const path = await writeStatement(
    `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>42<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${rows.join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
  );
  const run = await bench.importing(path, '--account', 'Checking');
  expect(run.code).toBe(0);
  expect(run.stderr).toContain('42, 3 rows, 2026-01-13 to 2026-01-15, expenses 46.50 USD, incomes 7.00 USD');
});

it('rows of an account that is missing are one sentence for people, and each a failure in JSON', async () => {
  const path = await writeStatement(
    'Date,Amount,Account\n2026-01-13,-5,Card\n2026-01-14,-6,Card\n2026-01-15,-7,Card\n',
  );
  const { stderr } = await bench.machine.run(['import', path, '--yes']);
  expect(stderr).toContain('There is no account "Card" (3 rows; first line 2); --create-accounts makes it.');
  expect(stderr).not.toContain('line 3');
  expect(summaryOf(await bench.importing(path, '--yes')).failures).toHaveLength(3);
});

it('fees are asked about again, also where the mapping of the file is saved', async () => {
  bench.api.addAccount({ name: 'Checking' });
  const path = await writeStatement('Date,Amount,Fee\n2026-01-13,-5,0.50\n');
  const flags = ['--account', 'Checking'];
  expect(await bench.importing(path, ...flags, '--save-mapping', '--yes')).toMatchObject({ code: 0 });
  const again = await bench.importing(path, ...flags);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('1 row has a "Fee" that is not recorded');
});
