import { errorEnvelope } from '@centavo/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRawHttp } from '../../test-support/send-raw-http.js';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;
let tracker: { id: string; accountId: string; cashboxId: string };

beforeAll(async () => {
  server = await startTestServer();
  user = await server.newUser();
  tracker = await server.newTracker(user);
});

afterAll(() => server.close());

const movement = () => JSON.stringify({ type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId });

/** Sends raw HTTP and returns the whole response. */
const sendRaw = async (text: string) => (await sendRawHttp(server.origin, text)).text;

describe('the HTTP server', () => {
  const post = 'POST /v1/financial/categories HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';

  it.each([
    // @proves contract 5: 404
    ['an unknown path', 'GET', '/v1/financial/nothing', 404, 'NOT_FOUND'],
    ['the root', 'GET', '/', 404, 'NOT_FOUND'],
    ['a path with a trailing slash', 'GET', '/v1/financial/accounts/', 404, 'NOT_FOUND'],
    ['a path in another letter case', 'GET', '/v1/financial/Accounts', 404, 'NOT_FOUND'],
    ['malformed percent-encoding', 'GET', '/v1/financial/movements/%zz', 404, 'NOT_FOUND'],
    // @proves contract 5: 405
    ['a method that the path does not have', 'DELETE', '/v1/financial/movements', 405, 'METHOD_NOT_ALLOWED'],
    // @proves contract 1: error meta
  ])('returns an error envelope for %s', async (_, method, path, status, code) => {
    const response = await fetch(server.origin + path, { method });
    const { error, meta } = (await response.json()) as { error: { code: string }; meta: { requestId: string } };
    expect([response.status, error.code]).toEqual([status, code]);
    expect(meta.requestId).toBe(response.headers.get('x-request-id'));
    if (status === 405) expect(response.headers.get('allow')).toBe('GET, POST');
  });

  it.each([
    '/health/live',
    '/health/ready',
    '/metrics',
    '/openapi.json',
    '/docs',
    '/docs/start.js',
    '/docs/reference.js',
    '/.well-known/jwks.json',
    // @proves contract 5: 405
  ])('accepts HEAD on %s, and returns 405 with "Allow: GET, HEAD" for POST, PUT, DELETE and OPTIONS', async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await fetch(server.origin + path, { method });
      const { error } = errorEnvelope.parse(await response.json());
      expect([response.status, error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
    }
    expect((await fetch(server.origin + path, { method: 'HEAD' })).status).toBe(200);
  });

  it.each([
    // @proves contract 10a: Smaller
    ['a bad request line', 'NONSENSE\r\n\r\n', 400],
    // @proves contract 5: 431
    // @proves contract 10a: Smaller
    ['an oversized header', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['two Content-Length headers', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['a request without a Host header', 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    // @proves contract 10a: Smaller
    ['two Host headers', 'GET /health/live HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n', 400],
    // @proves contract 10a: Smaller
    ['an unknown transfer coding', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, 400],
    [
      'a repeated transfer coding',
      `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n', 400],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['a malformed target', 'GET http://[::bad/v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    // @proves contract 1: every response
  ])('returns an error envelope with the request id, and forbids caching, for %s', async (_, text, status) => {
    const answer = await sendRaw(text);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const { meta } = errorEnvelope.parse(JSON.parse(body));
    expect(head).toContain(`X-Request-Id: ${meta.requestId}`);
    expect(head).toContain('Cache-Control: no-store, no-transform');
  });
});

describe('GET /health/live and GET /health/ready', () => {
  // @proves contract 10: GET /health/live and GET /health/ready
  // @proves contract 10a: Smaller
  it('return 200 while the server is live and ready', async () => {
    for (const [path, status] of [
      ['/health/live', 'live'],
      ['/health/ready', 'ready'],
    ]) {
      const response = await fetch(server.origin + path);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ status });
    }
  });
});

describe('a response', () => {
  // @proves contract 1: every response
  it('has a request id and forbids caching, for the status codes 200, 201, 204, 400, 401, 404 and 405', async () => {
    const { token } = user;
    const { data: session } = await server.call('createSession', {
      body: { email: user.email, password: user.password },
    });
    const answers = [
      await server.call('listAccounts', { token }),
      await server.call('createMovement', { token, body: JSON.parse(movement()) as unknown }),
      await server.call('endSession', { token: session.accessToken }),
      await server.call('listMovements', { token, query: { limit: 'x' } }),
      await server.call('listMovements'),
      await fetch(`${server.baseUrl}/nothing`),
      await fetch(`${server.baseUrl}/movements`, { method: 'DELETE' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 204, 400, 401, 404, 405]);
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store, no-transform');
  });

  // @proves contract 1: ids
  // @proves contract 1: timestamps
  it('has a version 7 UUID as the id of a new movement, and timestamps in UTC with milliseconds', async () => {
    const body = JSON.parse(movement()) as unknown;
    const { data } = await server.call('createMovement', { token: user.token, body });
    expect(data.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (const moment of [data.createdAt, data.updatedAt]) expect(moment).toBe(new Date(moment).toISOString());
  });
});

describe('a request that causes an internal error', () => {
  // @proves spec, Errors: 500
  // @proves contract 5: 500 / 503
  it('returns 500 INTERNAL_ERROR with the request id and no internal details', async () => {
    const client = new pg.Client({ connectionString: server.connectionString });
    await client.connect();
    await client.query('alter table app.accounts rename to accounts_elsewhere');
    const response = await fetch(`${server.baseUrl}/accounts`, { headers: { Authorization: `Bearer ${user.token}` } });
    await client.query('alter table app.accounts_elsewhere rename to accounts');
    await client.end();
    const text = await response.text();
    const { error, meta } = errorEnvelope.parse(JSON.parse(text));
    expect([response.status, error.code, error.details]).toEqual([500, 'INTERNAL_ERROR', {}]);
    expect(meta.requestId).toBe(response.headers.get('x-request-id'));
    expect(text).not.toMatch(/relation|app\.|accounts|select|postgres/i);
    expect((await server.call('listAccounts', { token: user.token })).status).toBe(200);
  });
});

describe('an unreachable database', () => {
  // @proves contract 5: 500 / 503
  // @proves contract 10: GET /health/live and GET /health/ready
  it('makes operations return 503 with Retry-After, and /health/ready return 503; /health/live still returns 200', async () => {
    const url = new URL(server.connectionString);
    const name = url.pathname.slice(1);
    url.pathname = '/postgres';
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(`alter database ${name} with allow_connections false`);
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    const away = await server.call('listAccounts', { token: user.token });
    const [live, ready] = [await fetch(`${server.origin}/health/live`), await fetch(`${server.origin}/health/ready`)];
    await client.query(`alter database ${name} with allow_connections true`);
    await client.end();
    expect([away.status, away.error?.code, away.headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
    expect([live.status, ready.status, await ready.json()]).toEqual([200, 503, { status: 'unavailable' }]);
    expect((await server.call('listAccounts', { token: user.token })).status).toBe(200);
  });
});
