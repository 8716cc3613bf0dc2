import { errorCodes } from '@centavo/contracts';
import { openApiDocument } from '@centavo/contracts/openapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkResponse } from '../../test-support/check-responses.js';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';
import { serverVersion } from '../version.js';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  user = await server.newUser();
});

afterAll(() => server.close());

describe('GET /openapi.json', () => {
  // @proves contract 10: GET /openapi.json
  it('returns the same generated document each time, without a credential', async () => {
    for (const _ of ['first', 'again']) {
      const response = await fetch(`${server.origin}/openapi.json`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
      const printed = JSON.stringify(openApiDocument({ serverUrl: '/', version: serverVersion }));
      expect(await response.text()).toBe(printed);
    }
  });
});

describe('GET /docs', () => {
  // @proves contract 10: GET /docs
  it('returns a page that loads only files of this server', async () => {
    const response = await fetch(`${server.origin}/docs`);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    const page = await response.text();
    expect(page).not.toMatch(/(?:https?:)?\/\/\w/);
    expect(page).not.toMatch(/<script>|\son\w+=/);
    for (const [, script] of page.matchAll(/src="([^"]+)"/g)) {
      const asset = await fetch(`${server.origin}/${script}`);
      expect(asset.status).toBe(200);
      expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect((await asset.text()).length).toBeGreaterThan(100);
    }
  });

  it('does not change the Content-Security-Policy of GET /openapi.json', async () => {
    const response = await fetch(`${server.origin}/openapi.json`);
    expect(response.headers.get('content-security-policy')).toContain("object-src 'none'");
  });
});

describe('GET /docs/errors/CODE', () => {
  it.each(Object.keys(errorCodes))('returns the page of %s without a credential', async (code) => {
    const response = await fetch(`${server.origin}/docs/errors/${code}`);
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await response.text()).toMatch(new RegExp(`^# ${code}\\n`));
  });

  it.each(['/v1/financial/trackers', '/v1/financial/nothing', '/docs/errors/README'])(
    'is the target of the link in the error response of %s',
    async (path) => {
      const response = await fetch(`${server.origin}${path}`);
      const { error } = (await response.json()) as { error: { code: string } };
      expect(response.headers.get('link')).toBe(`</docs/errors/${error.code}>; rel="help"`);
    },
  );
});

describe('GET /metrics', () => {
  const scrape = async () => (await fetch(`${server.origin}/metrics`)).text();

  // @proves contract 10: GET /metrics
  it('counts requests by route template, method and status, and measures their duration', async () => {
    const tracker = await server.newTracker(user);
    const { data } = await server.call('createMovement', {
      token: user.token,
      tracker: tracker.id,
      body: { type: 'expense', amountDecimal: '31.07', accountId: tracker.accountId },
    });
    await server.call('getMovement', { token: user.token, tracker: tracker.id, params: { movementId: data.id } });
    await server.call('getMovement', { params: { movementId: data.id } });
    const text = await scrape();
    const route = 'route="/v1/financial/movements/:movementId",method="GET"';
    expect(text).toContain(`centavo_http_requests_total{${route},status="200"} 1`);
    expect(text).toContain(`centavo_http_requests_total{${route},status="401"} 1`);
    expect(text).toContain(`centavo_http_request_duration_seconds_count{${route}} 2`);
    expect(text).toContain('centavo_http_requests_under_way 1');
    expect(text).toMatch(/^centavo_database_connections\{state="idle"\} [1-9]/m);
    expect(text).toMatch(/^centavo_database_connections\{state="opening"\} \d/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  });

  // @proves contract 10: GET /metrics
  it('contains no ids, secrets, query strings, amounts or unknown paths', async () => {
    const tracker = await server.newTracker(user);
    const query = { from: '2019-03-14' };
    await server.call('listMovements', { token: user.token, tracker: tracker.id, query });
    await server.call('getCategory', { token: user.token, tracker: tracker.id, params: { categoryId: 'cat_made_up' } });
    await fetch(`${server.origin}/v1/financial/nowhere-at-all`);
    await fetch(`${server.origin}/v1/financial/nowhere-at-all`, { method: 'PROPFIND' });
    const response = await fetch(`${server.origin}/metrics`);
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    const text = await response.text();
    expect(text).toContain('route="unmatched",method="other",status="404"');
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/i);
    for (const secret of [
      user.token,
      user.email,
      tracker.id,
      'made_up',
      'nowhere',
      '2019-03-14',
      '31.07',
      'centavo_live',
    ]) {
      expect(text).not.toContain(secret);
    }
    const labels = new Set([...text.matchAll(/(\w+)="/g)].map(([, name]) => name));
    const own = ['route', 'method', 'status', 'le', 'state'];
    expect([...labels].filter((name) => !own.includes(name ?? '')).sort()).toEqual([
      'kind',
      'major',
      'minor',
      'patch',
      'space',
      'type',
      'version',
    ]);
  });
});

describe('the check of responses against the OpenAPI document', () => {
  const path = '/v1/financial/movements';
  const requestId = '0190f2a0-0000-4000-8000-000000000001';
  const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'X-Request-Id': requestId, 'WWW-Authenticate': 'Bearer', ...headers },
    });
  const refusal = (code: string, details: object = {}) => ({
    error: { code, message: 'No.', details },
    meta: { apiVersion: 1, requestId },
  });
  const check = (response: Response) => checkResponse({ method: 'GET', path, response });

  // @proves contract 1: JSON
  it('accepts a documented response', async () => {
    await check(answer(401, refusal('CREDENTIAL_REVOKED')));
  });

  it.each([
    ['a status', answer(402, refusal('UNAUTHENTICATED'))],
    ['a code', answer(401, refusal('STEP_UP_REQUIRED', { method: 'totp', maxAgeSeconds: 600 }))],
    ['a detail', answer(401, refusal('UNAUTHENTICATED', { userId: requestId }))],
    ['a field', answer(401, { ...refusal('UNAUTHENTICATED'), trace: 'x' })],
    ['a header', answer(401, refusal('UNAUTHENTICATED'), { ETag: '"1"' })],
    ['a header format', answer(401, refusal('UNAUTHENTICATED'), { 'WWW-Authenticate': 'Basic' })],
  ])('rejects a response with %s that the OpenAPI document lacks', async (_, response) => {
    await expect(check(response)).rejects.toThrow(/OpenAPI document/);
  });
});
