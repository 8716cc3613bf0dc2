import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { callsTo } from './support/call-api.js';
import { showBalances } from './support/household.js';
import { openSandbox, type Server } from './support/sandbox.js';
import type { Terminal } from './support/terminal.js';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let server: Server;

beforeAll(async () => {
  server = await sandbox.startServer({ dataDir, env: { DEMO: 'on' } });
});

describe('the commands that the first start prints', () => {
  /** Runs the printed exports, and then the printed line that contains `part`, as a user would paste them. */
  const paste = (part: string) => {
    const { exports, commands } = readPrintedLines(server.output);
    const command = commands.find((line) => line.includes(part));
    expect(command, `a printed command with "${part}"`).toBeDefined();
    return sandbox.runInShell([...exports, command].join('\n'));
  };

  it('import all rows of the sample statement', async () => {
    const { exitCode, stdout, stderr } = await paste('import ');
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(readSummary(stdout)).toEqual({ ROWS: '234', CREATED: '234', REPLAYED: '0', FAILED: '0', SKIPPED: '0' });
  });

  it('show balances that include the opening balances of the demo and the statement', async () => {
    const { exitCode, stdout } = await paste('balances');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Everyday +Everyday +7318\.82 +EUR$/m);
    expect(stdout).toMatch(/^Savings +Savings +8258\.40 +EUR$/m);
    expect(stdout).toMatch(/^Card +Card +-4142\.71 +EUR$/m);
  });

  it('record nothing twice when they are pasted again', async () => {
    const again = await paste('import ');
    expect(again.exitCode).toBe(0);
    expect(readSummary(again.stdout)).toMatchObject({ CREATED: '0', REPLAYED: '234', FAILED: '0' });
    expect((await paste('balances')).stdout).toMatch(/^Everyday +Everyday +7318\.82 +EUR$/m);
  });

  it.skipIf(!hasCurl)(`send a request with curl${hasCurl ? '' : ' (skipped: there is no curl)'}`, async () => {
    const { exitCode, stdout } = await paste('curl ');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ meta: { apiVersion: 1, pagination: { count: 3, hasMore: true } } });
  });

  // @proves contract 10: The environment variables
  it('are followed by the credentials of a demo user, who can log in', async () => {
    const [, email = '', password = ''] = /demo user: (\S+), password (\S+),/.exec(server.output) ?? [];
    const centavo = await sandbox.newTerminal({ CENTAVO_BASE_URL: server.baseUrl });
    await centavo.show(`login --email ${email} --password-stdin`, { stdin: password });
    expect(await centavo.show('trackers list')).toMatchObject([{ name: 'Household', role: 'owner' }]);
  });
});

describe('a correction of a movement over HTTP', () => {
  // @proves spec, Movements and transfers: GET · /movements/{movementId}
  it('succeeds with the current ETag, is replayed for the same Idempotency-Key, and returns 409 for a stale ETag', async () => {
    const [, token] = /CENTAVO_TOKEN=(\S+)/.exec(server.output) ?? [];
    const call = callsTo(server.origin, { Authorization: `Bearer ${token}` });
    const accounts = await call('GET /v1/financial/accounts');
    const { id: accountId } = accounts.data.find(({ name }: { name: string }) => name === 'Savings');
    const created = await call('POST /v1/financial/movements', {
      headers: { 'Idempotency-Key': randomUUID() },
      body: { type: 'expense', amountDecimal: '12.50', accountId, occurredOn: '2026-02-03' },
    });
    expect(created.status).toBe(201);
    const path = `/v1/financial/movements/${created.data.id}`;
    const { headers } = await call(`GET ${path}`);
    const etag = headers.get('ETag') ?? '';

    const correction = {
      headers: { 'Idempotency-Key': randomUUID(), 'If-Match': etag },
      body: { amountDecimal: '13.00', description: 'Two coffees' },
    };
    const corrected = await call(`PATCH ${path}`, correction);
    expect(corrected).toMatchObject({ status: 200, data: { amountDecimal: '13.00', version: 2 } });
    const replayed = await call(`PATCH ${path}`, correction);
    expect(replayed).toMatchObject({ status: 200, data: corrected.data, meta: { idempotentReplay: true } });
    const late = await call(`PATCH ${path}`, {
      headers: { 'Idempotency-Key': randomUUID(), 'If-Match': etag },
      body: { amountDecimal: '14.00' },
    });
    expect(late).toMatchObject({
      status: 409,
      error: { code: 'VERSION_CONFLICT', details: { currentEtag: corrected.headers.get('ETag') } },
    });

    const balances = await call('GET /v1/financial/balances');
    expect(balances.data).toContainEqual(expect.objectContaining({ accountId, balanceDecimal: '8245.40' }));
  });
});

describe('a new user', () => {
  const email = 'ana@example.org';
  const password = 'a long one, with spaces ';
  let centavo: Terminal;

  it('registers and logs in with a password from standard input', async () => {
    centavo = await sandbox.newTerminal({ CENTAVO_BASE_URL: server.baseUrl });
    const register = () => centavo.run(`register --email ${email} --password-stdin`, { stdin: `${password}\n` });
    expect(await register()).toMatchObject({ exitCode: 0 });
    expect(await register()).toMatchObject({ exitCode: 6 });
    expect(await centavo.run('trackers list')).toMatchObject({ exitCode: 3 });
    expect(await centavo.run(`login --email ${email} --password-stdin`, { stdin: 'not this one\n' })).toMatchObject({
      exitCode: 3,
    });
    const loggedIn = await centavo.run(`login --email ${email} --password-stdin`, { stdin: `${password}\n` });
    expect(loggedIn).toMatchObject({ exitCode: 0 });
    expect(loggedIn.stderr).toContain(`as ${email}`);
  });

  it('creates a tracker and accounts, and lists them', async () => {
    await centavo.show('trackers create "My home" --currency EUR --time-zone Europe/Madrid');
    await centavo.show('trackers use "My home"');
    await centavo.show('accounts create Checking --opening-balance 100.00');
    await centavo.show('accounts create "Blue Card" --type credit_card --opening-balance -20.5');
    expect(await centavo.show('trackers list')).toMatchObject([
      { name: 'My home', role: 'owner', currencyCode: 'EUR' },
    ]);
    const accounts = await centavo.show('accounts list');
    expect(accounts.map(({ name, type }: { name: string; type: string }) => [name, type]).sort()).toEqual([
      ['Blue Card', 'credit_card'],
      ['Checking', 'checking'],
    ]);
    expect(await showBalances(centavo)).toEqual({ Checking: '100.00', 'Blue Card': '-20.50' });
  });

  it('records and corrects a movement and makes a transfer from the terminal', async () => {
    const coffee = await centavo.show('movements add --type expense --amount 3.20 --account Checking');
    expect(coffee).toMatchObject({ amountDecimal: '3.20', version: 1, source: { type: 'user' } });
    expect(await centavo.show(`movements correct ${coffee.id} --amount 3.40`)).toMatchObject({ version: 2 });
    expect(await centavo.show(`movements show ${coffee.id}`)).toMatchObject({ amountDecimal: '3.40', version: 2 });
    await centavo.show('transfers add --amount 20.50 --from-account Checking --to-account "Blue Card"');
    expect(await showBalances(centavo)).toEqual({ Checking: '76.10', 'Blue Card': '0.00' });
    expect(await centavo.show('movements list')).toHaveLength(3);
  });
});

describe('a second start with DEMO=on', () => {
  // @proves contract 10: The environment variables
  it('prints the same demo commands as the first start, and leaves the balances unchanged', async () => {
    const before = readPrintedLines(server.output);
    expect(await server.kill('SIGTERM')).toMatchObject({ exitCode: 0 });
    server = await sandbox.startServer({ dataDir, env: { DEMO: 'on', PORT: server.port } });
    expect(readPrintedLines(server.output)).toEqual(before);
    const [, token = ''] = /CENTAVO_TOKEN=(\S+)/.exec(server.output) ?? [];
    const centavo = await sandbox.newTerminal({ CENTAVO_BASE_URL: server.baseUrl, CENTAVO_TOKEN: token });
    expect(await showBalances(centavo)).toMatchObject({ Everyday: '7318.82', Card: '-4142.71' });
  });
});

/** Returns the lines that the server prints at its start for the user to paste. */
function readPrintedLines(output: string): { exports: string[]; commands: string[] } {
  const lines = [...output.matchAll(/^ {2}(export|node|curl) (.*)$/gm)].map(([line]) => line.trim());
  const isExport = (line: string) => line.startsWith('export ');
  return { exports: lines.filter(isExport), commands: lines.filter((line) => !isExport(line)) };
}

/** Parses the summary of an import, which has one count on each line. */
function readSummary(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^(\w+) +(\d+)$/gm)].map(([, name, count]) => [name, count]));
}
