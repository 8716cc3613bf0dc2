import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Call, callsTo } from '../acceptance/support/call-api.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { until } from '../acceptance/support/until.js';
import { proofMsMax, recordProof } from './support/proof-record.js';
import { createTenant, succeed } from './support/tenants.js';

/** The only address that the operator of this server allows. */
const allowed = '127.7.7.7';
/** The same address as hexadecimal digits. */
const allowedDigits = '7f070707';

const forbidden4 = (
  '0.0.0.0 0.255.255.255 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.0.1.1 127.255.255.254 169.254.0.1 ' +
  '169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 ' +
  '198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.254 255.255.255.255'
).split(' ');
// IPv6 addresses, each as 32 hexadecimal digits.
const forbidden6 = [
  '0'.repeat(32),
  `${'0'.repeat(31)}1`,
  ...['7f000001', '0a000001', 'a9fea9fe', 'c0a80001'].flatMap((digits) => [
    // IPv4-mapped, IPv4-compatible, NAT64, local-use NAT64, 6to4, Teredo.
    `${'0'.repeat(20)}ffff${digits}`,
    `${'0'.repeat(24)}${digits}`,
    `0064ff9b${'0'.repeat(16)}${digits}`,
    `0064ff9b0001${'0'.repeat(12)}${digits}`,
    `2002${digits}${'0'.repeat(20)}`,
    `20010000${digits}${'0'.repeat(16)}`,
  ]),
  `fe80${'0'.repeat(27)}1`,
  `fec0${'0'.repeat(27)}1`,
  `fc00${'0'.repeat(27)}1`,
  'fd000ec2000000000000000000000254',
  `ff02${'0'.repeat(27)}1`,
  `20010db8${'0'.repeat(23)}1`,
  `0100${'0'.repeat(27)}1`,
  `4000${'0'.repeat(27)}1`,
];
const hexOf = (address: string) =>
  address
    .split('.')
    .map((byte) => Number(byte).toString(16).padStart(2, '0'))
    .join('');
const digitsOfAll = [...forbidden4.map(hexOf), ...forbidden6];
const literalOf = (digits: string) =>
  digits.length === 8
    ? (digits.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).join('.')
    : `[${(digits.match(/..../g) ?? []).join(':')}]`;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let server: Server;
let call: Call;
let owner: pg.Pool;
let listener: HttpServer;
let port: number;
/** The number of connections to each local address. */
const connections = new Map<string, number>();

beforeAll(async () => {
  listener = createServer((request, response) => {
    const redirects = request.url === '/redirect';
    response.writeHead(redirects ? 302 : 204, { Connection: 'close', Location: `http://127.0.0.1:${port}/` }).end();
  });
  listener.on('connection', ({ localAddress }) => {
    const address = (localAddress ?? '').replace(/^::ffff:/, '');
    connections.set(address, (connections.get(address) ?? 0) + 1);
  });
  // Listens on all local addresses.
  await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
  ({ port } = listener.address() as AddressInfo);
  const names = fileURLToPath(new URL('support/fake-names.mjs', import.meta.url));
  server = await sandbox.startServer({
    dataDir,
    env: {
      NODE_OPTIONS: `--import ${names}`,
      WEBHOOKS_ALLOW_HTTP: 'true',
      WEBHOOKS_ALLOWED_NETWORKS: `${allowed}/32`,
      LOG_LEVEL: 'error',
    },
  });
  owner = new pg.Pool({ connectionString: (await getPostgresOf(dataDir)).connectionString });
  const tenant = await createTenant(server.origin);
  const client = await succeed(callsTo(server.origin, tenant.asUser), 'POST /v1/financial/integration-clients', {
    body: { name: 'Hooks', scopes: ['webhooks:read', 'webhooks:write'] },
  });
  call = callsTo(server.origin, {
    Authorization: `Bearer ${client.secret}`,
    'X-Service-Tracker-Id': tenant.trackerId,
  });
});
afterAll(async () => {
  listener.close();
  await owner.end();
});

/** Sends `times` test deliveries to each URL, to 20 URLs at once. Returns the last result of each URL: an error, or the status. */
async function sendTests(urls: readonly string[], times = 1): Promise<string[]> {
  const results: string[] = [];
  for (let from = 0; from < urls.length; from += 20) {
    results.push(...(await Promise.all(urls.slice(from, from + 20).map((url) => sendTestsTo(url, times)))));
  }
  return results;
}

/** Sends `times` test deliveries to a URL, one after another. Returns the last result. */
async function sendTestsTo(url: string, times: number): Promise<string> {
  const { id } = await succeed(call, 'POST /v1/financial/webhooks', { body: { url, maxInFlight: 1 } });
  let result = '';
  for (let time = 0; time < times; time += 1) {
    const delivery = await succeed(call, `POST /v1/financial/webhooks/${id}/test`);
    await until('the test is attempted', async () => {
      const { rows } = await owner.query<{ last_error: string | null; last_status: number | null }>(
        'select last_error, last_status from app.webhook_deliveries where id = $1 and attempts > 0',
        [delivery.id],
      );
      const [attempted] = rows;
      if (attempted === undefined) return false;
      result = attempted.last_error ?? String(attempted.last_status);
      return true;
    });
  }
  await succeed(call, `DELETE /v1/financial/webhooks/${id}`);
  return result;
}

it(
  'a delivery connects only to public or allowed addresses, whether they come from the URL, a DNS answer or a redirect',
  async () => {
    const violations = {
      literalsAccepted: 0,
      answersUsed: 0,
      mixedUsed: 0,
      changedUsed: 0,
      redirectsFollowed: 0,
      connections: 0,
    };
    for (const digits of digitsOfAll) {
      const { status, error } = await call('POST /v1/financial/webhooks', {
        body: { url: `http://${literalOf(digits)}:${port}/` },
      });
      if (status !== 400 || error.details.issues[0].code !== 'ADDRESS_NOT_ALLOWED') violations.literalsAccepted += 1;
    }
    const countNotRefused = (results: readonly string[]) =>
      results.filter((result) => result !== 'address_not_allowed').length;
    // `fake-names.mjs` resolves `A-B` to both addresses, and `A-then-B` to A at first and to B afterwards.
    const urlOf = (name: string) => `http://${name}.hooks.test:${port}/`;
    violations.answersUsed = countNotRefused(await sendTests(digitsOfAll.map((digits) => urlOf(digits))));
    violations.mixedUsed = countNotRefused(
      await sendTests(digitsOfAll.map((digits) => urlOf(`${allowedDigits}-${digits}`))),
    );
    const before = connections.get(allowed) ?? 0;
    violations.changedUsed = countNotRefused(
      await sendTests(
        digitsOfAll.map((digits) => urlOf(`${allowedDigits}-then-${digits}`)),
        2,
      ),
    );
    // The server used the address of the first DNS response, which the operator allows.
    expect((connections.get(allowed) ?? 0) - before).toBe(digitsOfAll.length);
    const [redirected] = await sendTests([`http://${allowed}:${port}/redirect`]);
    // The error `status` means that the server treats the response 302 as a failure.
    if (redirected !== 'status') violations.redirectsFollowed += 1;
    // A resolver may refuse the name with the final dot.
    const [local, localWithDot] = await sendTests([`http://localhost:${port}/`, `http://localhost.:${port}/`]);
    if (local !== 'address_not_allowed') violations.answersUsed += 1;
    if (!['address_not_allowed', 'dns_failed'].includes(localWithDot ?? '')) violations.answersUsed += 1;
    connections.delete(allowed);
    violations.connections = [...connections.values()].reduce((sum, count) => sum + count, 0);
    await recordProof({
      id: 'T27',
      promise:
        'A delivery connects only to public or allowed addresses, whether they come from the URL, a DNS answer or a redirect',
      seed: null,
      injected: { addresses: digitsOfAll.length, answers: 3 * digitsOfAll.length, redirects: 1 },
      violations,
    });
    expect(violations).toEqual({
      literalsAccepted: 0,
      answersUsed: 0,
      mixedUsed: 0,
      changedUsed: 0,
      redirectsFollowed: 0,
      connections: 0,
    });
  },
  proofMsMax,
);
