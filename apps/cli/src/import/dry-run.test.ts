import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../test-support/fake-api.js';
import { ImportBench, summaryOf } from '../../test-support/import-in-test.js';
import { writeStatement } from '../../test-support/statement-files.js';

const bench = ImportBench.setUp();
const named = ['--date-column', 'Date', '--amount-column', 'Amount'];
const checking = ['--account', 'Checking'];
const card = 'Date,Amount\n2026-01-13,5.00\n2026-01-14,6.00\n2026-01-15,-11.00\n';
const both = 'Date,Amount,Account\n2026-01-13,-80.00,Checking\n2026-01-14,80.00,Savings\n';
const pairing = [...named, '--account-column', 'Account', '--pair-transfers'];

/** Records by hand the two transactions of the file in the case `rows that were entered by hand, with --yes`. */
async function enterByHand(): Promise<void> {
  for (const [amount, text] of [
    ['5', 'Tea'],
    ['6', 'Bread'],
  ]) {
    const flags = ['--type', 'expense', ...checking, '--occurred-on', '2026-01-13'];
    await bench.machine.run(['movements', 'add', ...flags, '--amount', `${amount}`, '--description', `${text}`]);
  }
}

interface Case {
  readonly subject: string;
  readonly file: string;
  readonly flags: readonly string[];
  readonly code: number;
  readonly message: string;
  readonly before?: () => Promise<void>;
}

const cases: readonly Case[] = [
  {
    subject: 'guessed columns',
    file: 'Date,Amount\n2026-01-13,-5.00\n',
    flags: checking,
    code: 2,
    message: 'The columns were guessed',
  },
  {
    subject: 'amounts without a sign',
    file: 'Date,Amount\n2026-01-13,5.00\n2026-01-14,6.00\n',
    flags: [...checking, ...named],
    code: 2,
    message: '--all-expenses',
  },
  {
    subject: 'an unknown status, with --yes',
    file: 'Date,Amount,Status\n2026-01-13,-5.00,Completed\n2026-01-14,-6.00,Frobnicated\n',
    flags: [...checking, '--yes'],
    code: 2,
    message: 'The meaning of "Frobnicated" in the column "Status" is unknown',
  },
  {
    subject: 'fees in a separate column',
    file: 'Date,Amount,Fee\n2026-01-13,-5,0.50\n',
    flags: [...checking, ...named],
    code: 2,
    message: '1 row has a "Fee" that is not recorded',
  },
  {
    subject: 'a date that can be read in two ways',
    file: 'Date,Amount\n03/04/2026,-5.00\n',
    flags: [...checking, ...named],
    code: 2,
    message: 'The date "03/04/2026" can be read as MM/DD/YYYY and as DD/MM/YYYY.',
  },
  {
    subject: 'the signs of a card, with --yes',
    file: card,
    flags: ['--account', 'Platinum', ...named, '--yes'],
    code: 2,
    message: '--minus income',
  },
  {
    subject: 'rows that were entered by hand, with --yes',
    file: 'Date,Amount,Description\n2026-01-13,-5.00,Tea\n2026-01-13,-6.00,Bread\n',
    flags: [...checking, '--yes'],
    code: 6,
    message: '2 of 2 compared rows seem to be in Checking already',
    before: enterByHand,
  },
  {
    subject: 'pairs that become transfers',
    file: both,
    flags: pairing,
    code: 2,
    message: '1 pair of rows would become a transfer. The import cannot ask (no terminal, or --no-input).',
  },
  {
    subject: 'an unknown account',
    file: 'Date,Amount\n2026-01-13,-5.00\n',
    flags: ['--account', 'Nope', ...named],
    code: 5,
    message: 'There is no account "Nope"',
  },
  {
    subject: 'guessed columns, even if the account is unknown too',
    file: 'Date,Amount\n2026-01-13,-5.00\n',
    flags: ['--account', 'Nope'],
    code: 2,
    message: 'The columns were guessed',
  },
  {
    subject: 'rows of an account that does not exist',
    file: both.replace('Savings', 'Nope'),
    flags: [...named, '--account-column', 'Account'],
    code: 1,
    message: 'there is no account \\"Nope\\"',
  },
  {
    subject: 'rows of a category that does not exist',
    file: 'Date,Amount,Category\n2026-01-13,-5.00,Food\n',
    flags: [...checking, ...named, '--category-column', 'Category'],
    code: 1,
    message: 'there is no category \\"Food\\"',
  },
  {
    subject: 'rows that cannot be read',
    file: 'Date,Amount\n2026-01-13,-5.00\nsoon,-5.00\n',
    flags: [...checking, ...named],
    code: 1,
    message: '\\"soon\\" is not a date',
  },
];

describe('import --dry-run', () => {
  it.each(cases)(
    'exits with the same code as an import without --dry-run, and prints the same message about $subject',
    async ({ file, flags, code, message, before }) => {
      for (const name of ['Checking', 'Savings']) bench.api.addAccount({ name });
      bench.api.addAccount({ name: 'Platinum', type: 'credit_card' });
      await before?.();
      const path = await writeStatement(file);
      const writes = () => bench.api.writes.filter((write) => write !== 'POST /movements');
      const recorded = bench.api.movements.length;
      const dry = await bench.importing(path, ...flags, '--dry-run');
      expect({ writes: writes(), recorded: bench.api.movements.length }).toEqual({ writes: [], recorded });
      const real = await bench.importing(path, ...flags);
      expect({ dry: dry.code, real: real.code }).toEqual({ dry: code, real: code });
      // Failed rows are in the summary on stdout.
      const stream = code === 1 ? 'stdout' : 'stderr';
      expect(real[stream]).toContain(message);
      const failures = (run: typeof dry) => summaryOf(run).failures;
      if (code === 1) expect(failures(dry)).toEqual(failures(real));
      else expect(dry.stderr).toContain(real.stderr.slice(real.stderr.indexOf('centavo: ')));
    },
  );

  it('exits 2 if no account is named and columns were guessed, and prints both reasons and the guessed columns', async () => {
    const path = await writeStatement('Date,Amount\n2026-01-13,-5.00\n');
    const run = await bench.importing(path, '--dry-run');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('date         column "Date" (guessed)');
    expect(run.stderr).toMatch(
      /The import would stop for the error at the end, and for these reasons:\n {2}The columns were guessed\./,
    );
    expect(run.stderr).toContain('centavo: The file does not name the account of its rows.');
    expect(run.stderr.match(/does not name the account of its rows/g)).toHaveLength(1);
  });

  it('lists all open questions about a file at once, each with the option that answers it', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const rows = '03/04/2026,5.25,1.50,Frobnicated\n04/04/2026,6.00,0,Completed\n';
    const path = await writeStatement(`Date,Amount,Fee,Status\n${rows}`);
    const run = await bench.importing(path, ...checking, '--dry-run');
    expect(run.code).toBe(2);
    const options = ['--date-format', '--final-status', '--all-expenses', '--fee-column', '--yes'];
    for (const option of options) expect(run.stderr).toContain(option);
    expect(run.stderr).toContain('centavo: The date "03/04/2026" can be read as MM/DD/YYYY and as DD/MM/YYYY.');
    expect(bench.api.movements).toEqual([]);
    const answered = ['--date-format', 'DD/MM/YYYY', '--final-status', 'Frobnicated', '--all-expenses'];
    const rest = await bench.importing(path, ...checking, ...answered, '--fee-column', 'Fee', '--yes');
    expect(rest.code).toBe(0);
  });

  it('does not prompt on a terminal, and prints the questions about columns and transfers', async () => {
    for (const name of ['Checking', 'Savings']) bench.api.addAccount({ name });
    const path = await writeStatement(both);
    const flags = ['--account-column', 'Account', '--pair-transfers', '--dry-run'];
    const run = await bench.machine.run(['import', path, ...flags], { answers: [true, true] });
    expect(run).toMatchObject({ code: 2, questions: [] });
    expect(run.stderr).toContain('1 pair of rows would become a transfer. A dry run asks no question.');
    expect(run.stderr).toMatch(/centavo: The columns were guessed.* A dry run asks no question\./);
    expect(run.stdout).toContain('WOULD RECORD');
  });
});

describe('import --dry-run of rows with transaction ids', () => {
  const row = (id: string, amount: string, day: string, name = 'Shop') =>
    `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${id}<NAME>${name}</STMTTRN>`;
  const ofx = (...rows: string[]) =>
    writeStatement(
      `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${rows.join('\n')}</BANKTRANLIST></STMTRS></OFX>`,
      'statement.ofx',
    );
  const csv = (...rows: string[]) => writeStatement(['Date,Description,Amount,Transaction ID', ...rows].join('\n'));
  const flags = [...checking, '--yes'];
  beforeEach(() => bench.api.addAccount({ name: 'Checking' }));

  /** Runs the dry run and then the import of a file, and expects the same failed rows. */
  async function expectSameFailures(path: string, token: string, count: number): Promise<void> {
    const recorded = bench.api.movements.length;
    const importing = (...more: string[]) =>
      bench.machine.run(['import', path, '-o', 'json', ...flags, ...more], { env: { CENTAVO_TOKEN: token } });
    const dry = await importing('--dry-run');
    expect(bench.api.movements).toHaveLength(recorded);
    const real = await importing();
    expect(summaryOf(dry)).toMatchObject({ failed: count, failures: summaryOf(real).failures });
    expect(dry.code).toBe(real.code);
  }

  it.each([
    ['the same API key', 'test-token'],
    ['another API key', 'other-token'],
  ])('reports a row as failed, as an import would, if %s recorded its id with another amount', async (_, token) => {
    await bench.importing(await ofx(row('F1', '-5', '20260113'), row('F2', '-6', '20260114')), ...flags);
    const changed = await ofx(row('F1', '-8', '20260113'), row('F2', '-6', '20260114'), row('F3', '-7', '20260115'));
    await expectSameFailures(changed, token, 1);
  });

  it('reports rows as failed if the bank used their ids in an earlier month for other transactions', async () => {
    await bench.importing(await ofx(row('1', '-5', '20260113'), row('2', '-6', '20260114')), ...flags);
    await expectSameFailures(await ofx(row('1', '-7', '20260313'), row('2', '-8', '20260314')), 'test-token', 2);
  });

  it('reports a row as failed if it differs from a recorded row only in its transaction id', async () => {
    await bench.importing(await csv('2026-01-13,Coffee,-3.00,TX-0001'), ...flags);
    await expectSameFailures(await csv('2026-01-13,Coffee,-3.00,TX-0002'), 'test-token', 1);
  });

  it('counts a row under WOULD RECORD if it differs from the movement with the same transaction id only in its text', async () => {
    await bench.importing(await csv('2026-01-13,Shop,-5.00,TX-0001'), ...flags);
    const path = await csv('2026-01-13,SHOP 123 MADRID,-5.00,TX-0001');
    const run = await bench.importing(path, ...flags, '--dry-run');
    expect(summaryOf(run)).toMatchObject({ wouldRecord: 1, failed: 0 });
    await expectSameFailures(path, 'other-token', 0);
  });

  it('reports no failed row if an older server refuses the look-up of transaction ids', async () => {
    await bench.importing(await ofx(row('F1', '-5', '20260113')), ...flags);
    const issues = [{ path: 'query.externalId', code: 'UNKNOWN_FIELD', message: 'Leave it out.' }];
    bench.api.fault = ({ url }) =>
      url.searchParams.has('externalId') ? refusal(400, 'VALIDATION_ERROR', { details: { issues } }) : undefined;
    const run = await bench.importing(await ofx(row('F2', '-6', '20260313')), ...flags, '--dry-run');
    expect(summaryOf(run)).toMatchObject({ wouldRecord: 1, failed: 0 });
  });

  it('looks up at most 200 transaction ids and reports this limit, but looks up no ids if the account has no movements', async () => {
    const rows = Array.from({ length: 201 }, (_, index) => row(`F${index}`, '-5', '20260313', `Shop ${index}`));
    const path = await ofx(...rows);
    const lookups = () => bench.api.requests.filter(({ query }) => query.includes('externalId=')).length;
    await bench.importing(path, ...flags, '--dry-run');
    expect(lookups()).toBe(0);
    await bench.importing(await ofx(row('F200', '-6', '20260113')), ...flags);
    const run = await bench.importing(path, ...flags, '--dry-run');
    expect(lookups()).toBe(200);
    expect(run.stderr).toContain("The dry run looked up the bank's transaction ids of only 200 rows.");
  });
});
