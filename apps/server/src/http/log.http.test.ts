import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';

const lines: string[] = [];
let server: TestServer;
let user: TestUser;
let tracker: { id: string; accountId: string };
let secret: string;

beforeAll(async () => {
  server = await startTestServer({ onLog: (line) => lines.push(line) });
  user = await server.newSteppedUpUser();
  tracker = await server.newTracker(user);
  const { data } = await server.call('createApiKey', {
    token: user.token,
    body: { name: 'Key', scopes: ['movements:write', 'movements:read'], access: { mode: 'all_managed' } },
  });
  secret = data.secret;
});

afterAll(() => server.close());

it('the server logs id, method, route template, status and duration of each request, and nothing else', async () => {
  lines.length = 0;
  const { data, meta } = await server.call('createMovement', {
    token: secret,
    body: {
      type: 'expense',
      amountDecimal: '98765432.10',
      accountId: tracker.accountId,
      description: 'a private matter',
    },
  });
  await server.call('getMovement', { token: secret, params: { movementId: data.id } });
  const entries = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(entries[0]).toMatchObject({ requestId: meta.requestId, method: 'POST', status: 201 });
  expect(entries.map(({ route }) => route)).toEqual(['/v1/financial/movements', '/v1/financial/movements/:movementId']);
  for (const entry of entries) {
    expect(Object.keys(entry).sort()).toEqual([
      'durationMs',
      'level',
      'method',
      'msg',
      'requestId',
      'route',
      'status',
      'time',
    ]);
  }
});

it('the server logs a request as aborted and without a status when the client disconnects before the response', async () => {
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  // Holds a lock, so that the response waits until the client has left.
  await client.query('begin; lock table app.movements');
  lines.length = 0;
  const { hostname, port } = new URL(server.origin);
  const socket = connect(Number(port), hostname, () =>
    socket.write(`GET /v1/financial/movements HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`),
  );
  const waiting = async () => (await client.query('select 1 from pg_locks where not granted')).rowCount;
  await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
  // Resets the connection, because a client that only closes its sending side may still read the response.
  socket.resetAndDestroy();
  const entries = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  await expect.poll(entries, { timeout: 60_000 }).toHaveLength(1);
  await client.query('rollback');
  await client.end();
  expect(entries()).toMatchObject([{ method: 'GET', status: null, aborted: true }]);
});

it('the server logs no header, body, query string, secret, e-mail address, or id of a tracker or account, even for refused requests', async () => {
  lines.length = 0;
  const forged = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
  await server.call('createMovement', {
    token: secret,
    idempotencyKey: 'a-key-of-mine',
    body: {
      type: 'expense',
      amountDecimal: '98765432.10',
      accountId: tracker.accountId,
      description: 'a private matter',
    },
  });
  await server.call('createMovement', { token: secret, body: { type: 'a private matter', amountDecimal: 98765432.1 } });
  await server.call('listMovements', { token: secret, query: { from: '2026-01-31', accountId: tracker.accountId } });
  await server.call('listMovements', { token: forged });
  await server.call('listMovements', { token: user.token, tracker: 'a private matter' });
  await server.call('createSession', { body: { email: user.email, password: 'not the password' } });
  await fetch(`${server.origin}/a/private/matter?secret=${secret}`);
  await fetch(`${server.baseUrl}/movements/%zz${tracker.accountId}`);
  const log = lines.join('');
  expect(lines.length).toBeGreaterThan(8);
  for (const private_ of [
    secret,
    forged,
    secret.slice(13, 30),
    user.token,
    user.email,
    'not the password',
    'a private matter',
    'a/private/matter',
    // This amount is so long that no id contains it by chance.
    '98765432',
    '2026-01-31',
    'a-key-of-mine',
    tracker.id,
    tracker.accountId,
  ]) {
    expect(log).not.toContain(private_);
  }
});
