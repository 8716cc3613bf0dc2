import { jwksPath, type RouteName, routes } from '@centavo/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../test-support/start-test-server.js';

let server: TestServer;

beforeAll(async () => {
  // No issuer listens at this address. The server starts although its issuer is unavailable.
  const unreachable = 'http://127.0.0.1:1';
  server = await startTestServer({
    env: {
      IDENTITY_ISSUER: unreachable,
      IDENTITY_JWKS_URL: unreachable,
      IDENTITY_AUDIENCE: 'https://api.example.org',
      IDENTITY_INTROSPECTION_URL: unreachable,
      IDENTITY_CLIENT_ID: 'centavo',
      IDENTITY_CLIENT_SECRET: 'a secret',
    },
  });
});

afterAll(() => server?.close());

const names = Object.keys(routes).filter(
  (name) => routes[name as RouteName].call.resource === 'identity',
) as RouteName[];

test.each(names)('with an external issuer, the server returns 404 for %s, with and without a token', async (name) => {
  const body = routes[name].call.method === 'GET' ? undefined : { email: 'ana@example.org' };
  for (const token of [undefined, 'no token', 'a.b.c']) {
    const answer = await server.call(name, { body, ...(token === undefined ? {} : { token }) });
    expect([answer.status, answer.error?.code]).toEqual([404, 'NOT_FOUND']);
  }
});

test('with an external issuer, the server returns 404 for GET and POST on the key set path of the embedded provider', async () => {
  for (const method of ['GET', 'POST']) {
    const response = await fetch(server.origin + jwksPath, { method });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  }
});

test('with an external issuer, the server omits the identity operations from the OpenAPI document', async () => {
  const { paths } = (await (await fetch(`${server.origin}/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(paths)).toContain('/v1/financial/movements');
  expect(Object.keys(paths).filter((path) => !path.startsWith('/v1/financial/'))).toEqual([]);
});
