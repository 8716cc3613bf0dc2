import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startProxy, type TestProxy } from '../../apps/cli/test-support/start-proxy.js';
import { chooseFreePort } from './support/choose-free-port.js';
import { countMovements, createHousehold, type Household, showBalances } from './support/household.js';
import { repository } from './support/repository.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { sampleStatement } from './support/statements.js';
import type { Terminal } from './support/terminal.js';

const tlsFiles = join(repository, 'apps/server/test-support/tls-files');
const certificateFile = join(tlsFiles, 'certificate.pem');
const sandbox = openSandbox();
let server: Server;
let household: Household;
let tlsOrigin: string;
let closeTls: () => void;
let proxy: TestProxy;

beforeAll(async () => {
  server = await sandbox.startServer({ dataDir: sandbox.newDataDir() });
  household = await createHousehold(sandbox, { origin: server.origin, currencyCode: 'EUR' });
  await household.centavo.show('accounts create Checking');
  ({ origin: tlsOrigin, close: closeTls } = await terminateTls(Number(server.port)));
});
afterAll(() => closeTls());
beforeEach(async () => {
  proxy = await startProxy();
});
afterEach(() => proxy.close());

/** Serves HTTPS in front of a port. A client trusts its certificate only with NODE_EXTRA_CA_CERTS. */
async function terminateTls(port: number): Promise<{ origin: string; close(): void }> {
  const [cert, key] = await Promise.all(['certificate.pem', 'key.pem'].map((name) => readFile(join(tlsFiles, name))));
  const terminator = createServer({ cert, key }, (client) => {
    const upstream = connect(port, '127.0.0.1');
    client.pipe(upstream).pipe(client);
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  terminator.listen(0, '127.0.0.1');
  await once(terminator, 'listening');
  const origin = `https://127.0.0.1:${(terminator.address() as AddressInfo).port}`;
  return { origin, close: () => terminator.close() };
}

/** Opens a terminal that sends the requests of the household to `origin`. */
function openTerminal(origin: string, env: Record<string, string>): Promise<Terminal> {
  return sandbox.newTerminal({
    CENTAVO_BASE_URL: `${origin}/v1/financial`,
    CENTAVO_TOKEN: household.token,
    CENTAVO_TRACKER: household.trackerId,
    NODE_EXTRA_CA_CERTS: certificateFile,
    ...env,
  });
}

const addExpense = 'movements add --type expense --amount 1.00 --account Checking';
const movementCount = () => countMovements(household.callsTo(server.origin));

/** The addresses of the server, each with the request line that the proxy gets: POST for http://, CONNECT for https://. */
const targets = [
  ['http', () => server.origin, () => `POST ${server.origin}/v1/financial/movements`],
  ['https', () => tlsOrigin, () => `CONNECT ${new URL(tlsOrigin).host}`],
] as const;

describe.each(targets)('a server at an %s:// address, with a configured proxy', (scheme, origin, requestLine) => {
  const variable = `${scheme.toUpperCase()}_PROXY`;

  it('receives a movement through the proxy', async () => {
    const centavo = await openTerminal(origin(), { [variable]: proxy.url });
    const movement = await centavo.show(addExpense);
    expect(movement).toMatchObject({ amountDecimal: '1.00' });
    expect(proxy.requests).toContain(requestLine());
  });

  it('receives a movement through a proxy that requires a user and a password', async () => {
    const guarded = await startProxy({ credentials: 'ana:p@ss word' });
    const centavo = await openTerminal(origin(), { [variable]: `http://ana:p%40ss%20word@${guarded.address}` });
    expect(await centavo.show(addExpense)).toMatchObject({ amountDecimal: '1.00' });
    expect(guarded.requests).toContain(requestLine());
    await guarded.close();
  });

  it.each([
    ['without credentials', '', 'requires a user and a password'],
    ['with wrong credentials', 'ana:hunter2@', 'refused the user and the password'],
  ])(
    'receives nothing through an authenticating proxy %s: the CLI exits with 9 and prints the reason without the password',
    async (_, credentials, reason) => {
      const guarded = await startProxy({ credentials: 'ana:correct' });
      const before = await movementCount();
      const centavo = await openTerminal(origin(), { [variable]: `http://${credentials}${guarded.address}` });
      const { exitCode, stdout, stderr } = await centavo.run(addExpense);
      expect(exitCode).toBe(9);
      expect(stderr).toContain(`reason: The proxy at ${guarded.address} (${variable}) ${reason} (407).`);
      expect(stderr).toContain('Nothing was recorded.');
      expect(stdout + stderr).not.toContain('hunter2');
      expect(await movementCount()).toBe(before);
      await guarded.close();
    },
  );

  it('is reached directly if NO_PROXY excludes the server', async () => {
    const centavo = await openTerminal(origin(), { [variable]: proxy.url, NO_PROXY: 'example.org,127.0.0.1' });
    await centavo.show(addExpense);
    expect(proxy.requests).toEqual([]);
  });

  it('receives nothing if the proxy cannot be reached: the CLI exits with 9 and names the address of the proxy', async () => {
    const port = await chooseFreePort();
    const before = await movementCount();
    const centavo = await openTerminal(origin(), { [variable]: `http://ana:hunter2@127.0.0.1:${port}` });
    const { exitCode, stdout, stderr } = await centavo.run(addExpense);
    expect(exitCode).toBe(9);
    expect(stderr).toContain(
      `reason: The proxy at 127.0.0.1:${port} (${variable}) could not be reached (ECONNREFUSED).`,
    );
    expect(stdout + stderr).not.toContain('hunter2');
    expect(await movementCount()).toBe(before);
  });

  it.each([503, 'close'] as const)(
    'receives a movement once if the proxy first refuses the request (%s)',
    async (how) => {
      const before = await movementCount();
      const centavo = await openTerminal(origin(), { [variable]: proxy.url });
      proxy.refuse(how, 1);
      await centavo.show(addExpense);
      expect(await movementCount()).toBe(before + 1);
      expect(proxy.requests.filter((line) => line === requestLine()).length).toBeGreaterThanOrEqual(2);
    },
  );
});

it('the CLI records a movement once when the proxy loses the first response', async () => {
  const before = await movementCount();
  const centavo = await openTerminal(server.origin, { HTTP_PROXY: proxy.url });
  proxy.loseResponses(1);
  await centavo.show(addExpense);
  const posts = proxy.requests.filter((line) => line.startsWith('POST '));
  expect(posts).toHaveLength(2);
  expect(await movementCount()).toBe(before + 1);
});

it('the CLI exits with 9 if a server behind a proxy has a certificate of an unknown authority', async () => {
  const centavo = await openTerminal(tlsOrigin, { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: '' });
  const { exitCode, stderr } = await centavo.run(addExpense);
  expect(exitCode).toBe(9);
  expect(stderr).toMatch(/could not be reached \((DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE)\)/);
});

it('the CLI rejects an unsupported proxy URL before it sends anything, and exits with 2', async () => {
  const centavo = await openTerminal(server.origin, { HTTP_PROXY: 'ftp://ana:hunter2@127.0.0.1' });
  const { exitCode, stderr } = await centavo.run(addExpense);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('HTTP_PROXY is not') });
  expect(stderr).not.toContain('hunter2');
});

it('the CLI imports 234 rows over at most eight connections to a proxy', async () => {
  const importer = await createHousehold(sandbox, { origin: server.origin, currencyCode: 'EUR' });
  const centavo = await sandbox.newTerminal({
    CENTAVO_BASE_URL: `${tlsOrigin}/v1/financial`,
    CENTAVO_TOKEN: importer.token,
    CENTAVO_TRACKER: importer.trackerId,
    NODE_EXTRA_CA_CERTS: certificateFile,
    HTTPS_PROXY: proxy.url,
  });
  const summary = await centavo.show(`import "${sampleStatement.path}" --create-accounts --create-categories --yes`);
  expect(summary).toMatchObject({ created: sampleStatement.rows });
  expect(proxy.requests.length).toBeGreaterThan(1);
  expect(proxy.connectionCount()).toBeLessThanOrEqual(8);
  expect(await showBalances(importer.centavo)).toEqual(sampleStatement.balances);
});

it('`centavo doctor` shows the address of the proxy without the password, and the reason if the proxy refuses the request', async () => {
  const credentials = 'ana:hunter2';
  const guarded = await startProxy({ credentials });
  const examine = async (env: Record<string, string>) => {
    const { exitCode, stdout } = await (await openTerminal(tlsOrigin, env)).run('doctor -o json');
    expect(stdout).not.toContain('hunter2');
    const checks = JSON.parse(stdout) as { check: string; outcome: string; found: string }[];
    const of = (name: string) => checks.find(({ check }) => check === name);
    return { exitCode, proxy: of('proxy'), server: of('server') };
  };
  expect(await examine({ https_proxy: `http://${credentials}@${guarded.address}` })).toMatchObject({
    exitCode: 0,
    proxy: { outcome: 'ok', found: `http://${guarded.address} (https_proxy), with a user and a password` },
    server: { outcome: 'ok' },
  });
  expect(await examine({ HTTPS_PROXY: guarded.url })).toMatchObject({
    exitCode: 1,
    proxy: { outcome: 'ok' },
    server: {
      outcome: 'fail',
      found: `The proxy at ${guarded.address} (HTTPS_PROXY) requires a user and a password (407).`,
    },
  });
  expect(await examine({ HTTPS_PROXY: guarded.url, NO_PROXY: '127.0.0.1' })).toMatchObject({
    exitCode: 0,
    proxy: { found: 'none: NO_PROXY excludes 127.0.0.1' },
  });
  await guarded.close();
});
