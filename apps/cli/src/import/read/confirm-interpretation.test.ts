import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ImportBench } from '../../../test-support/import-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();

describe('the columns of a CSV file', () => {
  const simple = 'Date,Amount\n2026-01-13,-5.00\n';

  it('need a confirmation by the user if they were guessed; a yes saves them for files with the same headers', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeStatement(simple);
    const asked = await bench.machine.run(['import', path, '--account', 'Checking'], {
      answers: [true],
      isTerminal: false,
    });
    expect(asked.code).toBe(0);
    expect(asked.stderr).toContain('column "Amount" (guessed)');
    expect(asked.questions).toEqual([expect.stringContaining('and save the columns and formats')]);
    expect(await readdir(join(bench.machine.configHome, 'centavo/profiles/default/mappings'))).toHaveLength(1);
    expect(await bench.importing(path, '--account', 'Checking')).toMatchObject({ code: 0 });
  });

  it('must be confirmed if guessed: the import exits 2 and records nothing if the user answers no or cannot be asked', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeStatement(simple);
    expect(await bench.machine.run(['import', path, '--account', 'Checking'], { answers: [false] })).toMatchObject({
      code: 2,
    });
    const withoutAnswer = await bench.importing(path, '--account', 'Checking');
    expect(withoutAnswer.code).toBe(2);
    expect(withoutAnswer.stderr).toContain('--yes');
    expect(bench.api.movements).toEqual([]);
  });

  it('are not saved by a dry run, even with --save-mapping', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeStatement(simple);
    const named = ['--account', 'Checking', '--date-column', 'Date', '--amount-column', 'Amount', '--all-expenses'];
    expect(await bench.importing(path, ...named, '--dry-run', '--save-mapping')).toMatchObject({ code: 0 });
    expect(await readdir(join(bench.machine.configHome, 'centavo')).catch(() => [])).toEqual([]);
  });

  it('need no confirmation if the account is unknown: the import exits 5 without a question', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeStatement(simple);
    const run = await bench.machine.run(['import', path, '--account', 'Cheking'], { answers: [true] });
    expect(run.code).toBe(5);
    expect(run.questions).toEqual([]);
    expect(run.stderr).toContain('There is no account "Cheking".');
  });

  it('need no confirmation if flags name the date column and the amount column', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const flags = ['--account', 'Checking', '--date-column', 'Date', '--amount-column', 'Amount'];
    expect(await bench.importing(await writeStatement(simple), ...flags)).toMatchObject({ code: 0 });
  });
});

describe('an import of a row with an unknown status', () => {
  const file = 'Date,Amount,Status\n2026-01-13,-5.00,Completed\n2026-01-14,-6.00,Frobnicated\n';
  beforeEach(() => bench.api.addAccount({ name: 'Checking' }));

  it.each([['--yes'], ['--no-input']])('exits 2 with %s, and names the status and --final-status', async (flag) => {
    const run = await bench.importing(await writeStatement(file), '--account', 'Checking', flag);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('The meaning of "Frobnicated" in the column "Status" is unknown');
    expect(run.stderr).toContain('--final-status "Frobnicated"');
    expect(bench.api.movements).toEqual([]);
  });

  it('records the row if --final-status names its status', async () => {
    const flags = ['--account', 'Checking', '--yes', '--final-status', 'Frobnicated'];
    expect(await bench.importing(await writeStatement(file), ...flags)).toMatchObject({ code: 0 });
    expect(bench.api.movements).toHaveLength(2);
  });

  it('skips the row and prints its status if --skip-status names the status, and --save-mapping saves this choice', async () => {
    const path = await writeStatement(file);
    const flags = ['--account', 'Checking', '--yes'];
    const run = await bench.importing(path, ...flags, '--save-mapping', '--skip-status', 'Frobnicated');
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('1 skipped: its status is "Frobnicated"') });
    expect(await bench.importing(path, ...flags)).toMatchObject({ code: 0 });
    expect(bench.api.movements).toHaveLength(1);
    expect(await bench.importing(path, ...flags, '--final-status', 'Frobnicated')).toMatchObject({ code: 0 });
    expect(bench.api.movements).toHaveLength(2);
  });

  it('exits 2 with --yes if the status column has several words and none of them is a known status', async () => {
    const unknown = 'Date,Amount,Status\n2026-01-13,-5.00,Grombled\n2026-01-14,-6.00,Frobnicated\n';
    const run = await bench.importing(await writeStatement(unknown), '--account', 'Checking', '--yes');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('--final-status WORD');
    expect(bench.api.movements).toEqual([]);
  });

  it('asks about the status on a terminal, and saves the answer for the next file', async () => {
    const path = await writeStatement(file);
    const asked = await bench.machine.run(['import', path, '--account', 'Checking'], { answers: [true] });
    expect(asked.stderr).toContain('The meaning of "Frobnicated" in the column "Status" is unknown');
    expect(bench.api.movements).toHaveLength(2);
    expect(await bench.importing(path, '--account', 'Checking', '--yes')).toMatchObject({ code: 0 });
    const another = await writeStatement(`${file}2026-01-15,-7.00,Grombled\n`);
    const refused = await bench.importing(another, '--account', 'Checking', '--yes');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('The meaning of "Grombled" in the column "Status" is unknown');
  });

  it('exits 2 in a dry run, and prints the status', async () => {
    const run = await bench.importing(await writeStatement(file), '--account', 'Checking', '--dry-run');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('"Frobnicated": counted as booked');
  });
});

it('an import exits 2 and names --fee-column if fees would not be recorded, even with --yes and a saved mapping', async () => {
  bench.api.addAccount({ name: 'Checking' });
  const path = await writeStatement('Date,Amount,Fee\n2026-01-13,-5,0.50\n');
  const flags = ['--account', 'Checking'];
  const saved = await bench.importing(path, ...flags, '--save-mapping', '--yes', '--fee-column', '');
  expect(saved).toMatchObject({ code: 0 });
  const again = await bench.importing(path, ...flags, '--yes');
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('1 row has a "Fee" that is not recorded');
  expect(again.stderr).toContain('--fee-column "Fee"');
});

describe('entries that contradict the balances of a CAMT.053 statement', () => {
  const balance = (code: string, amount: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
  const entry = '<Ntry><Amt Ccy="USD">5</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-01-02</Dt></BookgDt></Ntry>';
  const statement = `<Document xmlns="camt.053"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>NL01</IBAN></Id></Acct>${balance('OPBD', '10')}${balance('CLBD', '20')}${entry}</Stmt></BkToCstmrStmt></Document>`;
  const path = () => writeStatement(statement, 'bank.xml');
  beforeEach(() => bench.api.addAccount({ name: 'Giro', currencyCode: 'USD' }));

  it.each([['--yes'], ['--no-input']])(
    'cause exit code 2 with %s; the message names the expected and the stated closing balance, and --ignore-balance',
    async (flag) => {
      const run = await bench.importing(await path(), '--account', 'Giro', flag);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain('entries give 15.00 USD, but the closing balance is 20.00 USD');
      expect(run.stderr).toContain('--ignore-balance');
      expect(bench.api.writes).toEqual([]);
    },
  );

  it('are recorded with --ignore-balance', async () => {
    const run = await bench.importing(await path(), '--account', 'Giro', '--ignore-balance');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('but the closing balance is 20.00 USD');
    expect(bench.api.movements).toHaveLength(1);
  });

  it('are recorded after a confirmation on a terminal, but no mapping is saved', async () => {
    const command = ['import', await path(), '--account', 'Giro'];
    expect(await bench.machine.run(command, { answers: [false] })).toMatchObject({ code: 2 });
    expect(bench.api.movements).toEqual([]);
    const asked = await bench.machine.run(command, { answers: [true] });
    expect(asked).toMatchObject({ code: 0, questions: ['Read the file like this?'] });
    expect(bench.api.movements).toHaveLength(1);
    expect(await readdir(join(bench.machine.configHome, 'centavo/profiles/default/mappings')).catch(() => [])).toEqual(
      [],
    );
  });
});

it('an import of a QIF file, which has no headers, exits 2 with --save-mapping', async () => {
  bench.api.addAccount({ name: 'Checking' });
  const path = await writeStatement('!Type:Bank\nD13/01/2026\nT-5\n^\n', 'bank.qif');
  const run = await bench.importing(path, '--account', 'Checking', '--save-mapping');
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('--save-mapping is for CSV');
  expect(bench.api.writes).toEqual([]);
});

describe('a file of several accounts', () => {
  const path = () =>
    writeStatement('Kontonummer,Date,Description,Amount\n111,2026-01-13,A,-5.00\n222,2026-01-14,B,7.00\n');

  it('is refused with exit code 2, even with --yes, if --account names one account', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const run = await bench.importing(await path(), '--account', 'Checking', '--yes');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('The column "Kontonummer" names several accounts: "111", "222".');
    expect(bench.api.writes).toEqual([]);
  });

  it('is refused with exit code 2, even with --yes, if the account names contain numbers, such as "Visa (...9876)"', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const lines = [
      'Date,Description,Amount,Account',
      '2026-01-13,Payment,20.00,Visa (...9876)',
      '2026-01-13,Payment,-20.00,Checking (...1234)',
    ];
    const named = await writeStatement(lines.join('\n'));
    const run = await bench.importing(named, '--account', 'Checking', '--yes');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(
      'The column "Account" names several accounts: "Visa (...9876)", "Checking (...1234)".',
    );
    expect(bench.api.writes).toEqual([]);
  });

  it('is refused with --yes, even if an earlier import with --account-column "" recorded it in one account', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await path(), '--account', 'Checking', '--yes', '--account-column', '');
    const run = await bench.importing(await path(), '--account', 'Checking', '--yes');
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('names several accounts') });
    expect(bench.api.movements).toHaveLength(2);
  });

  it('with --account-column "", is recorded in the account of --account', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const run = await bench.importing(await path(), '--account', 'Checking', '--yes', '--account-column', '');
    expect(run.code).toBe(0);
    expect(bench.api.movements).toHaveLength(2);
  });
});
