import { randomBytes } from 'node:crypto';
import { formatSecret } from '@centavo/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../test-support/start-test-server.js';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Returns the statements that the server sends for a refused secret, in their order. */
async function statementsFor(secret: string): Promise<string[]> {
  const before = server.statements.length;
  expect((await server.call('listAccounts', { token: secret })).status).toBe(401);
  return server.statements.slice(before);
}

// @proves contract 5: Order of checks
it('the server sends the same SQL statements for an unknown API key as for a revoked one', async () => {
  const { token } = await server.newSteppedUpUser();
  const body = { name: 'Key', scopes: ['accounts:read'], access: { mode: 'all_managed' } };
  const { data: revoked } = await server.call('createApiKey', { token, body });
  const { status } = await server.call('revokeApiKey', { token, params: { clientId: revoked.clientId } });
  expect(status).toBe(204);

  const unknown = await statementsFor(formatSecret(randomBytes(32)));
  expect(unknown.length).toBeGreaterThan(0);
  expect(await statementsFor(revoked.secret)).toEqual(unknown);
});
