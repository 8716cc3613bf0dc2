import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal } from '../../../test-support/fake-api.js';
import { connectionRefused, createMachine, type TestMachine } from '../../../test-support/run-in-test.js';
import { findRealStatement, writeStatement } from '../../../test-support/statement-files.js';
import { UsageError } from '../../cli-error.js';
import { withStatementFile } from './statement-file.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

const household = [
  'Date,Description,Amount,Transaction Type,Category,Account Name',
  '01/13/2026,Coffee,2.50,debit,Restaurants,Checking',
  '01/13/2026,Coffee,2.50,debit,Restaurants,Checking',
  '01/14/2026,Paycheck,2000,credit,Paycheck,Checking',
  '01/15/2026,Shoes,89.90,debit,Shopping,Platinum Card',
].join('\n');

const isMovement = (url: URL) => url.pathname.endsWith('/movements');
const importing = (path: string, ...flags: string[]) => machine.run(['import', path, '-o', 'json', ...flags]);
const creating = ['--yes', '--create-accounts', '--create-categories'];
const summaryOf = (run: { stdout: string }) => JSON.parse(run.stdout) as Record<string, unknown>;

/** A file of one account with so many rows. */
function manyRows(count: number): Promise<string> {
  const rows = Array.from({ length: count }, (_, index) => `2026-01-13,Row ${index},-${index + 1}.00`);
  return writeStatement(['Date,Description,Amount', ...rows].join('\n'));
}

describe('an import', () => {
  it('records every row once, and makes accounts and categories where that is allowed', async () => {
    const run = await importing(await writeStatement(household), ...creating);
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toEqual({ rows: 4, created: 4, replayed: 0, failed: 0, skipped: 0, failures: [] });
    expect(api.accounts).toMatchObject([
      { name: 'Checking', type: 'checking' },
      { name: 'Platinum Card', type: 'credit_card' },
    ]);
    expect(api.categories.slice(1)).toMatchObject([
      { name: 'Restaurants' },
      { name: 'Paycheck' },
      { name: 'Shopping' },
    ]);
    expect(
      api.movements.map(({ type, amountDecimal, occurredOn }) => `${type} ${amountDecimal} ${occurredOn}`).sort(),
    ).toEqual([
      'expense 2.5 2026-01-13',
      'expense 2.5 2026-01-13',
      'expense 89.9 2026-01-15',
      'income 2000 2026-01-14',
    ]);
  });

  it('again, also with other flags that read the same, records nothing', async () => {
    const path = await writeStatement(household);
    await importing(path, ...creating);
    const again = await importing(path, ...creating, '--date-format', 'MM/DD/YYYY', '--delimiter', ',');
    expect(summaryOf(again)).toMatchObject({ created: 0, replayed: 4 });
    expect(again.code).toBe(0);
    expect(api.movements).toHaveLength(4);
  });

  it('of one file into two accounts is two sets, into one account twice is one', async () => {
    const path = await manyRows(3);
    for (const account of ['One', 'Other', 'One']) {
      await importing(path, '--account', account, '--create-accounts', '--yes');
    }
    expect(api.movements).toHaveLength(6);
  });

  it('of a longer export of the same account adds only what is new', async () => {
    await importing(await manyRows(3), '--account', 'One', '--create-accounts', '--yes');
    const longer = await importing(await manyRows(5), '--account', 'One', '--yes');
    expect(summaryOf(longer)).toMatchObject({ created: 2, replayed: 3 });
  });

  it('without leave to make them fails the rows of unknown names, with the remedy, and records the others', async () => {
    api.addAccount({ name: 'Checking' });
    api.addCategory({ id: 'cat_r', name: 'restaurants' });
    const run = await importing(await writeStatement(household), '--yes');
    expect(run.code).toBe(1);
    expect(summaryOf(run)).toEqual({
      rows: 4,
      created: 2,
      replayed: 0,
      failed: 2,
      skipped: 0,
      failures: [
        { line: 4, reason: 'there is no category "Paycheck" (--create-categories makes it)' },
        { line: 5, reason: 'there is no account "Platinum Card" (--create-accounts makes it)' },
      ],
    });
  });

  it('goes on after malformed and refused rows, and a repaired file adds only those', async () => {
    api.addAccount({ name: 'Checking' });
    const rows = ['2026-01-13,Good,-1', '2026-01-14,Bad,ten', '2026-01-15,Refused,-3.00', '2026-01-16,Tiny,-1.005'];
    const broken = await writeStatement(['Date,Description,Amount', ...rows].join('\n'));
    api.fault = ({ body }) => (body.description === 'Refused' ? refusal(400, 'VALIDATION_ERROR') : undefined);
    const first = await importing(broken, '--account', 'Checking', '--yes');
    expect(first.code).toBe(1);
    expect(summaryOf(first)).toMatchObject({
      created: 1,
      failed: 3,
      failures: [
        { line: 3, reason: '"ten" is not an amount' },
        { line: 4, reason: 'Refused: VALIDATION_ERROR.' },
        { line: 5, reason: '"1.005" has more decimals than USD' },
      ],
    });
    api.fault = () => undefined;
    const mended = rows.map((row) => row.replace('ten', '-10').replace('1.005', '1.01'));
    const second = await importing(
      await writeStatement(['Date,Description,Amount', ...mended].join('\n')),
      '--account',
      'Checking',
      '--yes',
    );
    expect(summaryOf(second)).toMatchObject({ created: 3, replayed: 1, failed: 0 });
  });

  it('records plain amounts as expenses in any account, and only when that is confirmed', async () => {
    const path = await writeStatement('Date,Description,Amount\n2026-01-13,Tea,5.00\n');
    const flags = ['--account', 'Savings', '--create-accounts', '--date-column', 'Date', '--amount-column', 'Amount'];
    const refused = await importing(path, ...flags);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('every amount is an expense');
    expect(refused.stderr).toContain('--direction-column');
    expect(api.movements).toEqual([]);
    for (const accepting of ['--yes', '--all-expenses']) {
      expect(await importing(path, ...flags, accepting)).toMatchObject({ code: 0 });
    }
    expect(api.movements.map(({ type }) => type)).toEqual(['expense']);
  });

  it('fails a row in another currency than its account', async () => {
    api.addAccount({ name: 'Checking' });
    const path = await writeStatement('Date,Amount,Currency\n2026-01-13,-5.00,EUR\n2026-01-13,-5.00,USD\n');
    const run = await importing(path, '--account', 'Checking', '--yes');
    expect(summaryOf(run)).toMatchObject({
      created: 1,
      failures: [{ line: 2, reason: 'it is in EUR, and the account Checking in USD' }],
    });
  });

  it('tells people each failed row with its line on stderr, and the summary on stdout', async () => {
    api.addAccount({ name: 'Checking' });
    const path = await writeStatement('Date,Amount\n2026-01-13,-5.00\nsoon,-5.00\n');
    const { code, stdout, stderr } = await machine.run(['import', path, '--account', 'Checking', '--yes']);
    expect(code).toBe(1);
    expect(stdout).toBe('ROWS      2\nCREATED   1\nREPLAYED  0\nFAILED    1\nSKIPPED   0\n');
    expect(stderr).toContain('line 3: "soon" is not a date');
  });
});

describe('the confirmation of guessed columns', () => {
  const simple = 'Date,Amount\n2026-01-13,-5.00\n';

  it('is asked for on a terminal, and then remembered for these headers', async () => {
    api.addAccount({ name: 'Checking' });
    const path = await writeStatement(simple);
    const asked = await machine.run(['import', path, '--account', 'Checking'], { answers: [true], isTerminal: false });
    expect(asked.code).toBe(0);
    expect(asked.stderr).toContain('column "Amount" (guessed)');
    expect(asked.questions).toEqual([expect.stringContaining('Yes also keeps it')]);
    expect(await readdir(join(machine.configHome, 'centavo/profiles/default/mappings'))).toHaveLength(1);
    expect(await importing(path, '--account', 'Checking')).toMatchObject({ code: 0 });
  });

  it('that is refused, or cannot be asked for, records nothing and exits 2', async () => {
    api.addAccount({ name: 'Checking' });
    const path = await writeStatement(simple);
    expect(await machine.run(['import', path, '--account', 'Checking'], { answers: [false] })).toMatchObject({
      code: 2,
    });
    const unasked = await importing(path, '--account', 'Checking');
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain('--yes');
    expect(api.movements).toEqual([]);
  });

  it('is not needed when date and amount are named', async () => {
    api.addAccount({ name: 'Checking' });
    const flags = ['--account', 'Checking', '--date-column', 'Date', '--amount-column', 'Amount'];
    expect(await importing(await writeStatement(simple), ...flags)).toMatchObject({ code: 0 });
  });
});

describe('the failures of an import', () => {
  const wrongDates = (count: number) =>
    writeStatement(
      [
        'Date,Amount',
        ...Array.from({ length: count }, (_, index) => `01/${13 + (index % 18)}/2026,-${index + 1}`),
      ].join('\n'),
    );

  it('are one sentence, with the format that would fit, when no date is written as the flag says', async () => {
    api.addAccount({ name: 'Checking' });
    const flags = ['--account', 'Checking', '--yes', '--date-format', 'DD/MM/YYYY'];
    const path = await wrongDates(30);
    const { code, stderr } = await machine.run(['import', path, ...flags]);
    expect(code).toBe(1);
    expect(stderr).toContain('No date of the file is written as DD/MM/YYYY; --date-format MM/DD/YYYY would fit.');
    expect(stderr).not.toContain('line 2');
    expect((summaryOf(await importing(path, ...flags)).failures as unknown[]).length).toBe(30);
  });

  it('of one kind are told twenty times, then counted', async () => {
    api.addAccount({ name: 'Checking' });
    const rows = Array.from({ length: 25 }, (_, index) => `2026-01-13,many${index}`);
    const path = await writeStatement(['Date,Amount', '2026-01-12,-5', ...rows, 'soon,-1'].join('\n'));
    const { stderr } = await machine.run(['import', path, '--account', 'Checking', '--yes']);
    expect(stderr).toContain('line 22: "many19" is not an amount');
    expect(stderr).not.toContain('line 23');
    expect(stderr).toContain('and 5 more: "…" is not an amount');
    expect(stderr).toContain('line 28: "soon" is not a date');
  });
});

describe('standard input', () => {
  const statement = 'Date,Amount\n2026-01-13,-5.00\n';

  it.each(['-', '/dev/stdin'])('is imported as %s like a file, and leaves no copy behind', async (name) => {
    api.addAccount({ name: 'Checking' });
    const args = ['import', name, '--account', 'Checking', '--yes', '-o', 'json'];
    const run = await machine.run(args, { stdin: statement });
    expect(summaryOf(run)).toMatchObject({ created: 1 });
    expect(summaryOf(await importing(await writeStatement(statement), '--account', 'Checking', '--yes'))).toMatchObject(
      {
        replayed: 1,
      },
    );
  });

  it('is copied for its owner only, and the copy is removed also when the import fails', async () => {
    let copied = '';
    const failing = withStatementFile('-', asStdin(statement), async (path) => {
      copied = path;
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await readFile(path, 'utf8')).toBe(statement);
      throw new UsageError(`${path} is empty.`);
    });
    await expect(failing).rejects.toThrow('Standard input is empty.');
    await expect(stat(dirname(copied))).rejects.toThrow('ENOENT');
  });
});

async function* asStdin(text: string) {
  yield text;
}

describe('a dry run', () => {
  it('reads and resolves everything, sends no write, and tells what would happen', async () => {
    const run = await importing(
      await writeStatement(`${household}\nsoon,x,1,debit,a,b`),
      '--dry-run',
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
    expect(api.writes).toEqual([]);
  });
});

describe('what stops an import', () => {
  it.each([
    [401, 'CREDENTIAL_REVOKED', 3],
    [403, 'INSUFFICIENT_SCOPE', 4],
  ])(
    'is status %i: it ends early, says what is recorded, and exits with its code',
    async (status, refusalCode, code) => {
      api.addAccount({ name: 'Checking' });
      api.fault = ({ url }) =>
        isMovement(url) && api.movements.length >= 20 ? refusal(status, refusalCode) : undefined;
      const run = await importing(await manyRows(500), '--account', 'Checking', '--yes');
      expect(run.code).toBe(code);
      expect(run.stderr).toContain('20 rows are recorded, 480 were not reached; running it again is safe');
      expect(summaryOf(run)).toMatchObject({ rows: 500, created: 20, failed: 0 });
      expect(api.requests.length).toBeLessThan(60);
    },
  );

  it('is a network that is gone, with exit 9; a second run records the rest and doubles nothing', async () => {
    api.addAccount({ name: 'Checking' });
    const path = await manyRows(60);
    api.fault = ({ url }) => (isMovement(url) && api.movements.length >= 20 ? Response.error() : undefined);
    const flags = ['--account', 'Checking', '--yes'];
    const cutOff = await importing(path, ...flags);
    expect(cutOff.code).toBe(9);
    expect(cutOff.stderr).toMatch(/try: .* run the import again/);
    expect(cutOff.stderr).toMatch(/20 rows are recorded, of 8 it is not known, 32 were not reached/);
    expect(Object.keys(summaryOf(cutOff))).toEqual(['rows', 'created', 'replayed', 'failed', 'skipped', 'failures']);
    expect(cutOff.stderr).toMatch(/idempotency key: [0-9a-f]{64}/);
    expect(cutOff.stderr).not.toContain('--idempotency-key');
    api.fault = () => undefined;
    expect(summaryOf(await importing(path, ...flags))).toMatchObject({ created: 40, replayed: 20, failed: 0 });
    expect(api.movements).toHaveLength(60);
  });

  it('is not a restart of the server: rows are tried again for up to 30 s, and each is recorded once', async () => {
    api.addAccount({ name: 'Checking' });
    const path = await manyRows(60);
    let awayUntilMs = 0;
    machine.connectionFault = (nowMs) => {
      if (api.movements.length === 20 && awayUntilMs === 0) awayUntilMs = nowMs + 12_000;
      return nowMs < awayUntilMs ? connectionRefused() : undefined;
    };
    const run = await importing(path, '--account', 'Checking', '--yes');
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toMatchObject({ created: 60, failed: 0 });
    expect(api.movements).toHaveLength(60);
  });

  it('is a server that stays away: exit 9 after 30 s, with a remedy and what is left', async () => {
    api.addAccount({ name: 'Checking' });
    const startedMs = machine.clock.nowIs;
    machine.connectionFault = () => (api.movements.length >= 20 ? connectionRefused() : undefined);
    const run = await importing(await manyRows(60), '--account', 'Checking', '--yes');
    expect(run.code).toBe(9);
    expect(run.stderr).toMatch(/try: Check the server/);
    expect(run.stderr).toContain('were not reached');
    expect(machine.clock.nowIs - startedMs).toBeGreaterThanOrEqual(30_000);
  });

  it('is a server that keeps failing, with exit 8, and not one row that it cannot take', async () => {
    api.addAccount({ name: 'Checking' });
    api.fault = ({ body }) => (body.description === 'Row 3' ? refusal(501, 'UNKNOWN_TO_US') : undefined);
    const path = await manyRows(50);
    const one = await importing(path, '--account', 'Checking', '--yes');
    expect(one.code).toBe(1);
    expect(summaryOf(one)).toMatchObject({ created: 49, failed: 1, failures: [{ line: 5 }] });
    api.fault = ({ url }) => (isMovement(url) ? refusal(501, 'UNKNOWN_TO_US') : undefined);
    expect(await importing(path, '--account', 'Checking', '--yes')).toMatchObject({ code: 8 });
  });

  it('is not a row that was recorded with another category: it is told and left as it was', async () => {
    api.addAccount({ name: 'Checking' });
    const path = await writeStatement('Date,Amount,Category\n2026-01-13,-5.00,Food\n');
    await importing(path, '--account', 'Checking', '--yes', '--create-categories');
    api.categories.splice(1, 1, { ...api.categories[1], id: 'cat_other' });
    const again = await importing(path, '--account', 'Checking', '--yes');
    expect(summaryOf(again)).toMatchObject({
      created: 0,
      failures: [{ line: 2, reason: expect.stringContaining('recorded before with other details') }],
    });
  });

  it('is Ctrl-C: rows under way end, the rest wait for the next run, exit 130', async () => {
    api.addAccount({ name: 'Checking' });
    const path = await manyRows(100);
    api.fault = ({ url }) => {
      if (isMovement(url) && api.movements.length === 30) machine.interruption.abort();
      return undefined;
    };
    const run = await importing(path, '--account', 'Checking', '--yes');
    expect(run.code).toBe(130);
    expect(run.stderr).toContain('Interrupted');
    const { created } = summaryOf(run);
    expect(created).toBe(api.movements.length);
    expect(created).toBeLessThan(100);
    machine = { ...(await createMachine()) };
    api.fault = () => undefined;
    const again = summaryOf(await importing(path, '--account', 'Checking', '--yes'));
    expect(again).toMatchObject({ replayed: created, failed: 0 });
    expect(api.movements).toHaveLength(100);
  });

  it('is not a rate limit: the rows wait for as long as the server says, and go on', async () => {
    api.addAccount({ name: 'Checking' });
    const limitedUntilMs = machine.clock.nowIs + 600_000;
    api.fault = ({ url }) =>
      isMovement(url) && api.movements.length >= 10 && machine.clock.nowIs < limitedUntilMs
        ? refusal(429, 'RATE_LIMITED', { retryAfter: '600' })
        : undefined;
    const run = await importing(await manyRows(30), '--account', 'Checking', '--yes');
    expect(summaryOf(run)).toMatchObject({ created: 30, failed: 0 });
    expect(run.code).toBe(0);
  });
});

describe('a file that cannot be imported', () => {
  it.each([
    ['OFXHEADER:100\n', 'the format ofx is not read by this version'],
    ['!Type:Bank\nD01/02/2026\n', 'the format qif is not read by this version'],
    ['<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"/>', 'camt053 is not read'],
    ['Alpha,Beta\n1,2\n', 'is not clear from the headers: Alpha, Beta'],
    ['', 'is empty'],
  ])('gets one clear sentence and exit 2', async (content, sentence) => {
    const { code, stdout, stderr } = await importing(await writeStatement(content), '--account', 'Checking');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(api.requests).toEqual([]);
  });

  it('because it is not there, or nobody says which account, exits 2; an unknown account 5', async () => {
    const absent = await importing('/nowhere/statement.csv', '--account', 'Checking');
    expect(absent.code).toBe(2);
    expect(absent.stderr).toContain('there is no such file');
    expect((await importing(machine.configHome, '--account', 'Checking')).stderr).toContain('it is a folder');
    const path = await writeStatement('Date,Amount\n2026-01-13,-5.00\n');
    expect(await importing(path, '--yes')).toMatchObject({ code: 2 });
    expect(await importing(path, '--yes', '--account', 'Nope')).toMatchObject({ code: 5 });
  });
});

describe('the statement of a household', () => {
  const path = findRealStatement('personal-transactions.csv');
  const note = path === undefined ? ' (skipped: the file is not beside the repository)' : '';

  it.skipIf(path === undefined)(`is 808 movements, and still 808 after a second import${note}`, async () => {
    expect(summaryOf(await importing(path ?? '', ...creating))).toMatchObject({ rows: 808, created: 808, failed: 0 });
    expect(summaryOf(await importing(path ?? '', ...creating))).toMatchObject({ created: 0, replayed: 808 });
    expect(api.movements).toHaveLength(808);
    expect(api.accounts.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'Platinum Card credit_card',
      'Checking checking',
      'Silver Card credit_card',
    ]);
  });
});
