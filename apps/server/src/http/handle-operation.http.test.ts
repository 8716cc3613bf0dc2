import { randomUUID } from 'node:crypto';
import { formatSecret } from '@centavo/contracts';
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

function movement(fields: Record<string, unknown> = {}) {
  return JSON.stringify({ type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId, ...fields });
}

/** Posts bytes unchanged. */
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

/** Sends raw HTTP and returns the whole response. */
const sendRaw = async (text: string) => (await sendRawHttp(server.origin, text)).text;

describe('the request body', () => {
  it.each([
    // @proves spec, Endpoints: Content-Type
    ['it is not JSON', '{"type":'],
    ['it is empty', ''],
    ['it is an array', '[]'],
    ['it is a string', '"x"'],
    ['it has a duplicate key', '{"type":"income","type":"expense"}'],
    ['it has a duplicate key in two spellings', '{"type":"income","\\u0074ype":"expense"}'],
    ['it has the key __proto__', '{"type":"income","__proto__":{}}'],
    ['it is nested deeper than 16 levels', `{"a":${'['.repeat(16)}${']'.repeat(16)}}`],
    ['it is not UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    // @proves contract 1: JSON bodies
  ])('is refused with 400 MALFORMED_JSON when %s', async (_, body) => {
    const { status, error } = await post(body);
    expect(status).toBe(400);
    expect(error.details.issues).toMatchObject([{ path: '', code: 'MALFORMED_JSON' }]);
  });

  it.each(['aborted', 'not queryable', 'timeout exceeded', 'Connection ended'])(
    'is refused with 400 when an unknown field is named like an error message of the database driver: %s',
    async (name) => {
      const { status, error } = await post(movement({ [name]: 1 }));
      expect([status, error.details.issues]).toEqual([
        400,
        [expect.objectContaining({ path: name, code: 'UNKNOWN_FIELD' })],
      ]);
    },
  );

  // @proves spec, Endpoints: Content-Type
  // @proves spec, Limits: Request body size
  // @proves contract 5: 413 / 415
  it('is accepted at 64 KiB and refused with 413 at one byte more', async () => {
    const padded = (bytes: number) => {
      const body = movement();
      return body + ' '.repeat(bytes - body.length);
    };
    expect((await post(padded(65_536))).status).toBe(201);
    const { status, headers, error } = await post(padded(65_537));
    expect(status).toBe(413);
    // Otherwise the server would parse the unread rest as the next request.
    expect(headers.get('connection')).toBe('close');
    expect(error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { maxBytes: 65_536 } });
  });

  it.each<Record<string, string>>([
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/json; charset=utf-16' },
    { 'Content-Encoding': 'gzip' },
    // @proves spec, Endpoints: Content-Type
    // @proves contract 1: JSON bodies
    // @proves contract 5: 413 / 415
  ])('is refused with 415 when sent with the header %j', async (headers) => {
    const { status, error } = await post(movement(), headers);
    expect(status).toBe(415);
    expect(error.code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  // @proves contract 1: JSON bodies › is accepted when sent as %s
  it.each(['application/json;charset=UTF-8', 'Application/JSON; charset="utf-8"'])(
    'is accepted when sent as %s',
    async (type) => {
      expect((await post(movement(), { 'Content-Type': type })).status).toBe(201);
    },
  );
});

describe('the caller', () => {
  it.each<[string, string | undefined, string]>([
    ['without an Authorization header', undefined, 'UNAUTHENTICATED'],
    ['with the scheme Basic', 'Basic dTpw', 'UNAUTHENTICATED'],
    ['with an empty bearer token', 'Bearer', 'UNAUTHENTICATED'],
    ['with a bearer token in an unknown format', 'Bearer hello', 'CREDENTIAL_INVALID'],
    ['with an API key with a wrong checksum', `Bearer centavo_live_${'A'.repeat(49)}`, 'CREDENTIAL_INVALID'],
    ['with an unknown API key', `Bearer ${formatSecret(new Uint8Array(32).fill(7))}`, 'CREDENTIAL_INVALID'],
    ['with an unsigned JWT', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.', 'CREDENTIAL_INVALID'],
    // @proves spec, Endpoints: Authorization
    // @proves spec, Errors: 401
    // @proves contract 5: 401
    // @proves contract 10a: 401 codes
  ])('gets 401 and the documented error code for a request %s', async (_, authorization, code) => {
    for (const path of ['/movements', '/accounts', '/context', '/api-keys']) {
      const response = await fetch(server.baseUrl + path, {
        headers: authorization === undefined ? {} : { authorization },
      });
      const { error } = (await response.json()) as { error: { code: string } };
      expect([response.status, error.code]).toEqual([401, code]);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
    }
  });

  // @proves contract 8: An access token is valid for 15 minutes
  it('gets 401 SESSION_INACTIVE when the session has expired, although the access token is still valid', async () => {
    const late = await server.newUser();
    const client = new pg.Client({ connectionString: server.connectionString });
    await client.connect();
    await client.query(`update identity.sessions set expires_at = now() - interval '1 second' where user_id = $1`, [
      late.userId,
    ]);
    await client.end();
    expect((await server.call('listTrackers', { token: late.token })).error?.code).toBe('SESSION_INACTIVE');
  });

  // @proves contract 8: Secret
  it('causes no database query when its API key has a wrong checksum', async () => {
    const before = server.statements.length;
    await server.call('listMovements', { token: `centavo_live_${'A'.repeat(49)}` });
    expect(server.statements.length).toBe(before);
  });

  // @proves contract 5: Order of checks
  it('gets 401, and no validation error, if credential and body are both invalid', async () => {
    const { status, error } = await post('nonsense', { Authorization: 'Bearer nobody' });
    expect([status, error.code]).toEqual([401, 'CREDENTIAL_INVALID']);
  });
});

describe('the tracker header', () => {
  // @proves spec, Errors: 400
  // @proves contract 2: With X-Service-Tracker-Id
  it('is refused with 400 if it is malformed, and with the same 403 for a foreign and an unknown tracker', async () => {
    const otherUser = await server.newUser();
    const foreign = await server.newTracker(otherUser);
    const list = (id: string) => server.call('listAccounts', { token: user.token, tracker: id });
    expect((await list('mine')).issues).toEqual(['header.X-Service-Tracker-Id INVALID_FORMAT']);
    for (const id of [foreign.id, randomUUID()]) {
      const { status, error } = await list(id);
      expect([status, error?.code, error?.details]).toEqual([403, 'TRACKER_FORBIDDEN', { trackerIds: [id] }]);
    }
  });

  // @proves contract 2: With X-Service-Tracker-Id
  it('is ignored by identity operations, because they use no tracker', async () => {
    const leaving = await server.newUser();
    const { id } = await server.newTracker(await server.newUser());
    for (const tracker of [id, 'mine']) {
      const { status, meta } = await server.call('getMe', { token: leaving.token, tracker });
      expect([status, meta.trackerId]).toEqual([200, null]);
    }
    expect((await server.call('endSession', { token: leaving.token, tracker: id })).status).toBe(204);
  });

  it('is required when the caller has several trackers and chose none of them', async () => {
    const member = await server.newUser();
    for (const owner of [await server.newUser(), await server.newUser()]) {
      const { id } = await server.newTracker(owner);
      await server.addMember({ by: owner, trackerId: id, user: member, role: 'viewer' });
    }
    const { issues } = await server.call('listAccounts', { token: member.token });
    expect(issues).toEqual(['header.X-Service-Tracker-Id TRACKER_HEADER_REQUIRED']);
  });

  // @proves contract 10a: No eligible tracker
  it('is not reported as missing to a caller without trackers, who gets 403 TRACKER_FORBIDDEN', async () => {
    const newUser = await server.newUser();
    expect((await server.call('listAccounts', { token: newUser.token })).error).toMatchObject({
      code: 'TRACKER_FORBIDDEN',
      details: { trackerIds: [] },
    });
  });
});

describe('a header that may occur only once', () => {
  // @proves contract 1: repeated Authorization, Idempotency-Key, If-Match, X-Service-Tracker-Id, Centavo-Read-After headers › is refused when it occurs twice: %s
  it.each(['Authorization', 'Idempotency-Key', 'If-Match', 'X-Service-Tracker-Id', 'Centavo-Read-After'])(
    'is refused when it occurs twice: %s',
    async (name) => {
      const answer = await sendRaw(
        `GET /v1/financial/accounts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${name}: a\r\n${name}: b\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain(`"path":"header.${name}","code":"REPEATED_PARAMETER"`);
    },
  );

  // @proves contract 1: repeated Authorization, Idempotency-Key, If-Match, X-Service-Tracker-Id, Centavo-Read-After headers
  it('is refused even when thousands of other headers separate its two occurrences', async () => {
    const others = 'a:\r\n'.repeat(3_000);
    const answer = await sendRaw(
      `POST /v1/financial/categories HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIdempotency-Key: a\r\n${others}Idempotency-Key: b\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"path":"header.Idempotency-Key","code":"REPEATED_PARAMETER"');
  });
});
