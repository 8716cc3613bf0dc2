import { beforeAll, describe, expect, it } from 'vitest';
import { chooseFreePort } from './support/choose-free-port.js';
import { countMovements, createHousehold, type Household, showBalances } from './support/household.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { type KnownStatement, sampleStatement, writeLongStatement } from './support/statements.js';
import { until } from './support/until.js';

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let port: string;
let server: Server;
/** A statement whose import takes long enough to be interrupted. */
let longStatement: KnownStatement;

beforeAll(async () => {
  port = await chooseFreePort();
  server = await sandbox.startServer({ dataDir, env: { PORT: port } });
  longStatement = await writeLongStatement(sandbox);
});

describe('a server that is killed during an import', () => {
  it('leaves its PostgreSQL running for the next server, and a second import completes the first', async () => {
    const ana = await openHousehold(longStatement);
    const importing = ana.centavo.start(importOf(longStatement));
    await waitUntilSomeRecorded(ana);
    await server.kill('SIGKILL');

    const interrupted = await importing.ended;
    expect(interrupted).toMatchObject({ exitCode: 9 });
    expect(interrupted.stderr).toMatch(/run the import again to continue; nothing is recorded twice/);
    const before = JSON.parse(interrupted.stdout);
    expect(before.created).toBeGreaterThan(0);
    expect(before.created).toBeLessThan(longStatement.rows);

    server = await sandbox.startServer({ dataDir, env: { PORT: port } });
    expect(server.output).toMatch(/PostgreSQL was already running/);
    const recorded = await countMovements(ana.callsTo(server.origin));
    // Rows whose request got a response are recorded. Rows whose request was in progress may be recorded too.
    expect(recorded).toBeGreaterThanOrEqual(before.created);
    await expectCompletion(ana, longStatement, { recorded });
  });
});

describe('an interrupted `centavo import`', () => {
  it('is completed by a second import after SIGKILL, and each row is recorded once', async () => {
    const ana = await openHousehold(longStatement);
    const importing = ana.centavo.start(importOf(longStatement));
    await waitUntilSomeRecorded(ana);
    expect(await importing.kill('SIGKILL')).toMatchObject({ exitCode: null, signal: 'SIGKILL', stdout: '' });
    await expectCompletion(ana, longStatement, { recorded: undefined });
  });

  it('exits with 130 after Ctrl-C, and prints how many rows it recorded', async () => {
    const ana = await openHousehold(longStatement);
    const importing = ana.centavo.start(importOf(longStatement));
    await waitUntilSomeRecorded(ana);
    const interrupted = await importing.kill('SIGINT');

    expect(interrupted).toMatchObject({ exitCode: 130 });
    const recorded = await countMovements(ana.callsTo(server.origin));
    expect(recorded).toBeLessThan(longStatement.rows);
    expect(JSON.parse(interrupted.stdout)).toEqual({
      rows: longStatement.rows,
      created: recorded,
      replayed: 0,
      failed: 0,
      skipped: 0,
      failures: [],
    });
    expect(interrupted.stderr).toContain(
      `Interrupted: ${recorded} rows are recorded, ${longStatement.rows - recorded} were not reached; run the import again to continue; nothing is recorded twice.`,
    );
    await expectCompletion(ana, longStatement, { recorded });
  });
});

describe('malformed rows of an imported CSV file', () => {
  const rows = [
    'Date,Account,Amount,Description',
    '2026-03-01,Everyday,-10.00,Bread',
    '2026-02-30,Everyday,-11.00,On a day that does not exist',
    '2026-03-02,Everyday,twelve,Not a number',
    '2026-03-03,Everyday,-13.005,A tenth of a cent too much',
    '2026-03-04,Nowhere,-14.00,An account that is not there',
    '2026-03-05,Everyday,-15.00,Cheese',
    '2026-03-06,Everyday,100.00,Refund',
  ];

  it('are reported with their line numbers and reasons, and the valid rows are recorded', async () => {
    const ana = await openHousehold(sampleStatement);
    await ana.centavo.show('accounts create Everyday');
    const file = await sandbox.writeFile('with-mistakes.csv', `${rows.join('\n')}\n`);
    const { exitCode, stdout } = await ana.centavo.run(`import "${file}" --yes -o json`);

    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      rows: 7,
      created: 3,
      replayed: 0,
      failed: 4,
      skipped: 0,
      failures: [
        { line: 3, reason: expect.stringContaining('2026-02-30') },
        { line: 4, reason: expect.stringContaining('twelve') },
        { line: 5, reason: expect.stringMatching(/13\.005.*more decimal places than EUR/) },
        { line: 6, reason: expect.stringContaining('no account "Nowhere"') },
      ],
    });
    expect(await countMovements(ana.callsTo(server.origin))).toBe(3);
    expect(await showBalances(ana.centavo)).toEqual({ Everyday: '75.00' });
  });

  it('are recorded after their correction, and the valid rows of the first import are not recorded twice', async () => {
    const ana = await openHousehold(sampleStatement);
    await ana.centavo.show('accounts create Everyday');
    const file = await sandbox.writeFile('with-mistakes.csv', `${rows.join('\n')}\n`);
    const asText = await ana.centavo.run(`import "${file}" --yes`);
    expect(asText.exitCode).toBe(1);
    expect(asText.stdout).toMatch(/^FAILED +4$/m);
    for (const line of [3, 4, 5]) expect(asText.stderr).toMatch(new RegExp(`^line ${line}: .+`, 'm'));
    // A missing account is reported once for all rows that name it.
    expect(asText.stderr).toMatch(/no account "Nowhere".*line 6/);

    const corrected = rows
      .join('\n')
      .replace('2026-02-30', '2026-02-28')
      .replace('twelve', '-12')
      .replace('-13.005', '-13.00')
      .replace('Nowhere', 'Everyday');
    const correctedFile = await sandbox.writeFile('corrected.csv', `${corrected}\n`);
    expect(await ana.centavo.show(`import "${correctedFile}" --yes`)).toMatchObject({
      created: 4,
      replayed: 3,
      failed: 0,
    });
    expect(await showBalances(ana.centavo)).toEqual({ Everyday: '25.00' });
  });
});

function openHousehold({ currencyCode }: KnownStatement): Promise<Household> {
  return createHousehold(sandbox, { origin: server.origin, currencyCode });
}

function importOf({ path }: KnownStatement): string {
  return `import "${path}" --create-accounts --create-categories --yes -o json`;
}

function waitUntilSomeRecorded(household: Household): Promise<void> {
  const call = household.callsTo(server.origin);
  const enough = longStatement.rows / 8;
  return until('some rows are recorded', async () => (await countMovements(call)) >= enough);
}

/**
 * Imports again, and compares the rows and the balances with the statement.
 * @param before.recorded the number of rows that were recorded before this import, if it is known
 */
async function expectCompletion(
  household: Household,
  statement: KnownStatement,
  before: { readonly recorded: number | undefined },
): Promise<void> {
  const { rows, balances } = statement;
  const { exitCode, stdout } = await household.centavo.run(importOf(statement));
  expect(exitCode).toBe(0);
  const summary = JSON.parse(stdout);
  expect(summary).toMatchObject({ rows, failed: 0, skipped: 0 });
  expect(summary.created).toBeGreaterThan(0);
  expect(summary.created + summary.replayed).toBe(rows);
  if (before.recorded !== undefined) expect(summary.replayed).toBe(before.recorded);
  expect(await countMovements(household.callsTo(server.origin))).toBe(rows);
  expect(await showBalances(household.centavo)).toEqual(balances);
  const accounts = await household.centavo.show('accounts list');
  expect(accounts).toHaveLength(Object.keys(balances).length);
}
