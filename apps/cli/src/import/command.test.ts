import { describe, expect, it } from 'vitest';
import { refusal } from '../../test-support/fake-api.js';
import { creating, ImportBench, summaryOf, writeManyRows } from '../../test-support/import-in-test.js';
import { findRealStatement, writeStatement } from '../../test-support/statement-files.js';

const bench = ImportBench.setUp();

const household = [
  'Date,Description,Amount,Transaction Type,Category,Account Name',
  '01/13/2026,Coffee,2.50,debit,Restaurants,Checking',
  '01/13/2026,Coffee,2.50,debit,Restaurants,Checking',
  '01/14/2026,Paycheck,2000,credit,Paycheck,Checking',
  '01/15/2026,Shoes,89.90,debit,Shopping,Platinum Card',
].join('\n');

describe('an import', () => {
  it('records every row once, and creates missing accounts with --create-accounts and categories with --create-categories', async () => {
    const run = await bench.importing(await writeStatement(household), ...creating);
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toEqual({ rows: 4, created: 4, replayed: 0, failed: 0, skipped: 0, failures: [] });
    expect(bench.api.accounts).toMatchObject([
      { name: 'Checking', type: 'checking' },
      { name: 'Platinum Card', type: 'credit_card' },
    ]);
    expect(bench.api.categories.slice(1)).toMatchObject([
      { name: 'Restaurants' },
      { name: 'Paycheck' },
      { name: 'Shopping' },
    ]);
    expect(
      bench.api.movements.map(({ type, amountDecimal, occurredOn }) => `${type} ${amountDecimal} ${occurredOn}`).sort(),
    ).toEqual([
      'expense 2.5 2026-01-13',
      'expense 2.5 2026-01-13',
      'expense 89.9 2026-01-15',
      'income 2000 2026-01-14',
    ]);
  });

  it('replays every row of a recorded file, even if --date-format and --delimiter are added to the command', async () => {
    const path = await writeStatement(household);
    await bench.importing(path, ...creating);
    const again = await bench.importing(path, ...creating, '--date-format', 'MM/DD/YYYY', '--delimiter', ',');
    expect(summaryOf(again)).toMatchObject({ created: 0, replayed: 4 });
    expect(again.code).toBe(0);
    expect(bench.api.movements).toHaveLength(4);
  });

  it('records a file once for each account that it is imported into', async () => {
    const path = await writeManyRows(3);
    for (const account of ['One', 'Other', 'One']) {
      await bench.importing(path, '--account', account, '--create-accounts', '--yes');
    }
    expect(bench.api.movements).toHaveLength(6);
  });

  it('adds only the new rows of a longer export of the same account', async () => {
    await bench.importing(await writeManyRows(3), '--account', 'One', '--create-accounts', '--yes');
    const longer = await bench.importing(await writeManyRows(5), '--account', 'One', '--yes');
    expect(summaryOf(longer)).toMatchObject({ created: 2, replayed: 3 });
  });

  it('reports rows of unknown accounts as failed without --create-accounts, names the flag, and records the other rows', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const run = await bench.importing(await writeStatement(household), '--yes');
    expect(run.code).toBe(1);
    expect(summaryOf(run)).toEqual({
      rows: 4,
      created: 3,
      replayed: 0,
      failed: 1,
      skipped: 0,
      failures: [{ line: 5, reason: 'there is no account "Platinum Card" (--create-accounts creates it)' }],
    });
  });

  it('records the valid row of a file with invalid and refused rows; an import of the corrected file adds the other rows', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const rows = ['2026-01-13,Good,-1', '2026-01-14,Bad,ten', '2026-01-15,Refused,-3.00', '2026-01-16,Tiny,-1.005'];
    const broken = await writeStatement(['Date,Description,Amount', ...rows].join('\n'));
    bench.api.fault = ({ body }) => (body.description === 'Refused' ? refusal(400, 'VALIDATION_ERROR') : undefined);
    const first = await bench.importing(broken, '--account', 'Checking', '--yes');
    expect(first.code).toBe(1);
    expect(summaryOf(first)).toMatchObject({
      created: 1,
      failed: 3,
      failures: [
        { line: 3, reason: '"ten" is not an amount' },
        { line: 4, reason: 'Refused: VALIDATION_ERROR.' },
        { line: 5, reason: '"1.005" has more decimal places than USD allows' },
      ],
    });
    bench.api.fault = () => undefined;
    const corrected = rows.map((row) => row.replace('ten', '-10').replace('1.005', '1.01'));
    const second = await bench.importing(
      await writeStatement(['Date,Description,Amount', ...corrected].join('\n')),
      '--account',
      'Checking',
      '--yes',
    );
    expect(summaryOf(second)).toMatchObject({ created: 3, replayed: 1, failed: 0 });
  });

  it('records unsigned amounts with --all-expenses or --all-incomes, but exits 2 with --yes alone', async () => {
    const path = await writeStatement('Date,Description,Amount\n2026-01-13,Tea,5.00\n');
    const flags = ['--account', 'Savings', '--create-accounts', '--date-column', 'Date', '--amount-column', 'Amount'];
    for (const accepting of [[], ['--yes']]) {
      const refused = await bench.importing(path, ...flags, ...accepting);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain('every amount is an expense');
      expect(refused.stderr).toMatch(/--direction-column.*--all-expenses.*--all-incomes/);
    }
    expect(bench.api.movements).toEqual([]);
    expect(await bench.importing(path, ...flags, '--all-expenses')).toMatchObject({ code: 0 });
    const incomes = await writeStatement('Date,Description,Amount\n2026-01-14,Rent,50.00\n');
    expect(await bench.importing(incomes, ...flags, '--all-incomes')).toMatchObject({ code: 0 });
    expect(bench.api.movements.map(({ type }) => type)).toEqual(['expense', 'income']);
  });

  it.each([
    ['--all-incomes', '--all-expenses'],
    ['--all-incomes', '--minus', 'income'],
  ])('exits 2 for %s together with %s', async (...flags) => {
    const path = await writeStatement('Date,Amount\n2026-01-13,5.00\n');
    const { code, stderr } = await bench.importing(path, '--account', 'Savings', ...flags);
    expect(code).toBe(2);
    expect(stderr).toContain('cannot be combined');
  });

  it('reports a row as failed if its currency differs from the currency of its account', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeStatement('Date,Amount,Currency\n2026-01-13,-5.00,EUR\n2026-01-13,-5.00,USD\n');
    const run = await bench.importing(path, '--account', 'Checking', '--yes');
    expect(summaryOf(run)).toMatchObject({
      created: 1,
      failures: [{ line: 2, reason: 'it is in EUR, but the account Checking is in USD' }],
    });
  });

  it('prints a failed row with its line to stderr, and the summary to stdout', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeStatement('Date,Amount\n2026-01-13,-5.00\nsoon,-5.00\n');
    const { code, stdout, stderr } = await bench.machine.run(['import', path, '--account', 'Checking', '--yes']);
    expect(code).toBe(1);
    expect(stdout).toBe('ROWS      2\nCREATED   1\nREPLAYED  0\nFAILED    1\nSKIPPED   0\n');
    expect(stderr).toContain('line 3: "soon" is not a date');
  });
});

describe('import --dry-run', () => {
  it('prints the rows, accounts and categories that the import would record, and sends no write request', async () => {
    const run = await bench.importing(
      await writeStatement(`${household}\nsoon,x,1,debit,a,b`),
      '--dry-run',
      '--yes',
      '--create-accounts',
      '--create-categories',
    );
    expect(run.code).toBe(1);
    expect(summaryOf(run)).toMatchObject({
      dryRun: true,
      rows: 5,
      created: 0,
      failed: 1,
      wouldRecord: 4,
      wouldCreateAccounts: ['Checking', 'Platinum Card'],
      wouldCreateCategories: ['Restaurants', 'Paycheck', 'Shopping'],
    });
    expect(bench.api.writes).toEqual([]);
  });
});

describe('an import that cannot read its file or find its account', () => {
  it.each([
    ['OFXHEADER:100\n<OFX><BANKMSGSRSV1>', 'has no end (</OFX>)'],
    ['OFXHEADER:100\n<OFX></OFX>', 'has no statement of a bank account or a card'],
    ['<?xml version="1.0"?><?OFX OFXHEADER="200"?><OFX><BANKMSGSRSV1></OFX>', 'closes OFX, but BANKMSGSRSV1 is open'],
    ['!Type:Bank\nD01/02/2026\nT-5\n^\n', 'can be read as MM/DD/YYYY and as DD/MM/YYYY'],
    ['!Type:Cat\nNFood\nE\n^\n', 'has no QIF transactions'],
    [
      '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"/>',
      'contains no CAMT.053 statement',
    ],
    ['<?xml version="1.0"?><Document xmlns="urn:x:camt.053.001.02"><BkToCstmrStmt><Stmt>', 'in the middle of Stmt'],
    [
      '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.02"/>',
      'is an account report (camt.052) or a notification (camt.054)',
    ],
    ['<!DOCTYPE html><html>', 'is a web page, which the import cannot read'],
    ['%PDF-1.7', 'is a PDF document, which the import cannot read'],
    ['{"transactions": []}', 'is JSON, which the import cannot read'],
    ['Alpha,Beta\n1,2\n', 'has the date. The headers: Alpha, Beta'],
    ['', 'is empty'],
  ])('exits 2 with the reason, and sends no request: %j', async (content, sentence) => {
    const { code, stdout, stderr } = await bench.importing(await writeStatement(content), '--account', 'Checking');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(bench.api.requests).toEqual([]);
  });

  it('exits 2 for a missing file or a missing account name, and exits 5 for an unknown account', async () => {
    const absent = await bench.importing('/nowhere/statement.csv', '--account', 'Checking');
    expect(absent.code).toBe(2);
    expect(absent.stderr).toContain('the file does not exist');
    expect((await bench.importing(bench.machine.configHome, '--account', 'Checking')).stderr).toContain(
      'it is a directory',
    );
    const path = await writeStatement('Date,Amount\n2026-01-13,-5.00\n');
    expect(await bench.importing(path, '--yes')).toMatchObject({ code: 2 });
    expect(await bench.importing(path, '--yes', '--account', 'Nope')).toMatchObject({ code: 5 });
  });
});

describe('the statement of a household', () => {
  const path = findRealStatement('personal-transactions.csv');
  const note = path === undefined ? ' (skipped: the file is not beside the repository)' : '';

  it.skipIf(path === undefined)(`becomes 808 movements, and a second import adds no movement${note}`, async () => {
    expect(summaryOf(await bench.importing(path ?? '', ...creating))).toMatchObject({
      rows: 808,
      created: 808,
      failed: 0,
    });
    expect(summaryOf(await bench.importing(path ?? '', ...creating))).toMatchObject({ created: 0, replayed: 808 });
    expect(bench.api.movements).toHaveLength(808);
    expect(bench.api.accounts.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'Platinum Card credit_card',
      'Checking checking',
      'Silver Card credit_card',
    ]);
  });
});
