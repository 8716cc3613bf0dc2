import { randomUUID } from 'node:crypto';
import { errorEnvelope, formatSecret } from '@centavo/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { speakHttp } from '../../test-support/speak-http.js';
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

function movement(fields: Record<string, unknown> = {}) {
  return JSON.stringify({ type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId, ...fields });
}

/** Posts bytes as they are. */
async function post(body: string | Uint8Array, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.baseUrl}/movements`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${user.token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
      ...headers,
    },
    body,
  });
  const envelope = (await response.json()) as {
    error: { code: string; details: { issues?: { path: string; code: string }[]; maxBytes?: number } };
    meta: { requestId: string };
  };
  expect(response.headers.get('x-request-id')).toBe(envelope.meta.requestId);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return { status: response.status, headers: response.headers, ...envelope };
}

/** Speaks HTTP by hand and gives all that comes back. */
const speak = async (text: string) => (await speakHttp(server.origin, text)).text;

describe('a body', () => {
  it.each([
    ['that is not JSON', '{"type":'],
    ['that is empty', ''],
    ['that is an array', '[]'],
    ['that is a string', '"x"'],
    ['with a key twice', '{"type":"income","type":"expense"}'],
    ['with a key twice under two spellings', '{"type":"income","\\u0074ype":"expense"}'],
    ['with __proto__', '{"type":"income","__proto__":{}}'],
    ['nested deeper than 16 levels', `{"a":${'['.repeat(16)}${']'.repeat(16)}}`],
    ['that is not UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('%s is malformed', async (_, body) => {
    const { status, error } = await post(body);
    expect(status).toBe(400);
    expect(error.details.issues).toMatchObject([{ path: '', code: 'MALFORMED_JSON' }]);
  });

  it('of 64 KiB is read, and of one byte more it is too large', async () => {
    const padded = (bytes: number) => {
      const body = movement();
      return body + ' '.repeat(bytes - body.length);
    };
    expect((await post(padded(65_536))).status).toBe(201);
    const { status, headers, error } = await post(padded(65_537));
    expect(status).toBe(413);
    // What was not read of it would be taken for the next request.
    expect(headers.get('connection')).toBe('close');
    expect(error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { maxBytes: 65_536 } });
  });

  it.each<Record<string, string>>([
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/json; charset=utf-16' },
    { 'Content-Encoding': 'gzip' },
  ])('sent as %j is of an unsupported media type', async (headers) => {
    const { status, error } = await post(movement(), headers);
    expect(status).toBe(415);
    expect(error.code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it.each(['application/json;charset=UTF-8', 'Application/JSON; charset="utf-8"'])(
    'sent as %s is read',
    async (type) => {
      expect((await post(movement(), { 'Content-Type': type })).status).toBe(201);
    },
  );
});

describe('a caller', () => {
  it.each<[string, string | undefined, string]>([
    ['without a header', undefined, 'UNAUTHENTICATED'],
    ['with another scheme', 'Basic dTpw', 'UNAUTHENTICATED'],
    ['with a bearer of nothing', 'Bearer', 'UNAUTHENTICATED'],
    ['with a word', 'Bearer hello', 'CREDENTIAL_INVALID'],
    ['with a secret of a wrong checksum', `Bearer centavo_live_${'A'.repeat(49)}`, 'CREDENTIAL_INVALID'],
    ['with a secret that nobody has', `Bearer ${formatSecret(new Uint8Array(32).fill(7))}`, 'CREDENTIAL_INVALID'],
    ['with a token that nobody signed', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.', 'CREDENTIAL_INVALID'],
  ])('%s is answered 401 %s %s', async (_, authorization, code) => {
    for (const path of ['/movements', '/accounts', '/context', '/api-keys']) {
      const response = await fetch(server.baseUrl + path, {
        headers: authorization === undefined ? {} : { authorization },
      });
      const { error } = (await response.json()) as { error: { code: string } };
      expect([response.status, error.code]).toEqual([401, code]);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
    }
  });

  it('with a session whose thirty days are over is answered 401 SESSION_INACTIVE, although the token still lives', async () => {
    const late = await server.newUser();
    const client = new pg.Client({ connectionString: server.connectionString });
    await client.connect();
    await client.query(`update identity.sessions set expires_at = now() - interval '1 second' where user_id = $1`, [
      late.userId,
    ]);
    await client.end();
    expect((await server.call('listTrackers', { token: late.token })).error?.code).toBe('SESSION_INACTIVE');
  });

  it('spends no database look-up on a secret whose checksum is wrong', async () => {
    const before = server.statements.length;
    await server.call('listMovements', { token: `centavo_live_${'A'.repeat(49)}` });
    expect(server.statements.length).toBe(before);
  });

  it('who is nobody hears nothing about the body', async () => {
    const { status, error } = await post('nonsense', { Authorization: 'Bearer nobody' });
    expect([status, error.code]).toEqual([401, 'CREDENTIAL_INVALID']);
  });
});

describe('the tracker header', () => {
  it('of a malformed id is 400, of a foreign or unknown one 403 without a difference', async () => {
    const stranger = await server.newUser();
    const place = await server.newTracker(stranger);
    const call = (id: string) => server.call('listAccounts', { token: user.token, tracker: id });
    expect((await call('mine')).issues).toEqual(['header.X-Service-Tracker-Id INVALID_FORMAT']);
    for (const id of [place.id, randomUUID()]) {
      const { status, error } = await call(id);
      expect([status, error?.code, error?.details]).toEqual([403, 'TRACKER_FORBIDDEN', { trackerIds: [id] }]);
    }
  });

  it('means nothing to the calls of identity, which act in no tracker', async () => {
    const leaving = await server.newUser();
    const { id } = await server.newTracker(await server.newUser());
    for (const tracker of [id, 'mine']) {
      const { status, meta } = await server.call('getMe', { token: leaving.token, tracker });
      expect([status, meta.trackerId]).toEqual([200, null]);
    }
    expect((await server.call('endSession', { token: leaving.token, tracker: id })).status).toBe(204);
  });

  it('is asked for when several trackers are there and none was chosen', async () => {
    const member = await server.newUser();
    for (const owner of [await server.newUser(), await server.newUser()]) {
      const { id } = await server.newTracker(owner);
      const body = { email: member.email, role: 'viewer' };
      await server.call('addMember', { token: owner.token, params: { trackerId: id }, body });
    }
    const { issues } = await server.call('listAccounts', { token: member.token });
    expect(issues).toEqual(['header.X-Service-Tracker-Id TRACKER_HEADER_REQUIRED']);
  });

  it('does not help who has no tracker', async () => {
    const nobody = await server.newUser();
    expect((await server.call('listAccounts', { token: nobody.token })).error).toMatchObject({
      code: 'TRACKER_FORBIDDEN',
      details: { trackerIds: [] },
    });
  });
});

describe('a header that may stand once', () => {
  it.each(['Authorization', 'Idempotency-Key', 'If-Match', 'X-Service-Tracker-Id', 'Centavo-Read-After'])(
    '%s is refused when it stands twice',
    async (name) => {
      const answer = await speak(
        `GET /v1/financial/accounts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${name}: a\r\n${name}: b\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain(`"path":"header.${name}","code":"REPEATED_PARAMETER"`);
    },
  );

  it('is found behind as many others as there is room for', async () => {
    const others = 'a:\r\n'.repeat(3_000);
    const answer = await speak(
      `POST /v1/financial/categories HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIdempotency-Key: a\r\n${others}Idempotency-Key: b\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"path":"header.Idempotency-Key","code":"REPEATED_PARAMETER"');
  });
});

describe('what is not a request of this API', () => {
  const post = 'POST /v1/financial/categories HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';

  it.each([
    ['an unknown path', 'GET', '/v1/financial/nothing', 404, 'NOT_FOUND'],
    ['the root', 'GET', '/', 404, 'NOT_FOUND'],
    ['a path with a slash too many', 'GET', '/v1/financial/accounts/', 404, 'NOT_FOUND'],
    ['another case', 'GET', '/v1/financial/Accounts', 404, 'NOT_FOUND'],
    ['broken percent-escapes', 'GET', '/v1/financial/movements/%zz', 404, 'NOT_FOUND'],
    ['another method', 'DELETE', '/v1/financial/movements', 405, 'METHOD_NOT_ALLOWED'],
  ])('%s is answered in the envelope', async (_, method, path, status, code) => {
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
  ])('%s answers GET and HEAD, and another method with 405', async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await fetch(server.origin + path, { method });
      const { error } = errorEnvelope.parse(await response.json());
      expect([response.status, error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
    }
    expect((await fetch(server.origin + path, { method: 'HEAD' })).status).toBe(200);
  });

  it.each([
    ['a bad request line', 'NONSENSE\r\n\r\n', 400],
    ['an oversized header', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['no host', 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two hosts', 'GET /health/live HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n', 400],
    ['a coding that is not known', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, 400],
    ['a coding twice', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n', 400],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['a target that is none', 'GET http://[::bad/v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
  ])('%s is answered in the envelope too', async (_, text, status) => {
    const answer = await speak(text);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const { meta } = errorEnvelope.parse(JSON.parse(body));
    expect(head).toContain(`X-Request-Id: ${meta.requestId}`);
    expect(head).toContain('Cache-Control: no-store, no-transform');
  });
});

describe('health', () => {
  it('tells that the server lives and is ready', async () => {
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

describe('every answer', () => {
  it('names its request and may not be stored: 200, 201, 204, 400, 401, 404, 405', async () => {
    const { token } = user;
    const { data: gone } = await server.call('createSession', { body: { email: user.email, password: user.password } });
    const answers = [
      await server.call('listAccounts', { token }),
      await server.call('createMovement', { token, body: JSON.parse(movement()) as unknown }),
      await server.call('endSession', { token: gone.accessToken }),
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

  it('has ids of UUID version 7 and moments in UTC with milliseconds', async () => {
    const body = JSON.parse(movement()) as unknown;
    const { data } = await server.call('createMovement', { token: user.token, body });
    expect(data.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (const moment of [data.createdAt, data.updatedAt]) expect(moment).toBe(new Date(moment).toISOString());
  });
});

describe('a fault of the server', () => {
  it('is 500 INTERNAL_ERROR with its request id, and says nothing of the inside', async () => {
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

describe('a database that went away', () => {
  it('is answered 503 with Retry-After, makes the server unready and not dead, and the next request works again', async () => {
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
