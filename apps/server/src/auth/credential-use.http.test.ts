import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;
let client: pg.Client;

beforeAll(async () => {
  server = await startTestServer();
  user = await server.newSteppedUpUser();
  await server.newTracker(user);
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.close();
});

async function newKey() {
  const { data } = await server.call('createApiKey', {
    token: user.token,
    body: { name: 'Key', scopes: ['accounts:read'], access: { mode: 'all_managed' } },
  });
  return data;
}

async function lastUsedAt(clientId: string): Promise<string | null | undefined> {
  const { data } = await server.call('listApiKeys', { token: user.token });
  return data.find((key) => key.clientId === clientId)?.lastUsedAt;
}

describe('lastUsedAt of an API key', () => {
  // @proves contract 3: credential
  it('is null until the first request with the key', async () => {
    const key = await newKey();
    expect(await lastUsedAt(key.clientId)).toBeNull();
    await server.call('listAccounts', { token: key.secret });
    await expect.poll(() => lastUsedAt(key.clientId), { timeout: 60_000 }).not.toBeNull();
  });

  it('changes after a request for which the key lacks the scope, but not after a request with an expired key', async () => {
    const [used, unused] = [await newKey(), await newKey()];
    await client.query(`update app.credentials set expires_at = now() - interval '1 second' where id = $1`, [
      unused.clientId,
    ]);
    expect((await server.call('listAccounts', { token: unused.secret })).error?.code).toBe('CREDENTIAL_EXPIRED');
    expect((await server.call('listMovements', { token: used.secret })).error?.code).toBe('INSUFFICIENT_SCOPE');
    await expect.poll(() => lastUsedAt(used.clientId), { timeout: 60_000 }).not.toBeNull();
    expect(await lastUsedAt(unused.clientId)).toBeNull();
  });

  it('is updated by app.note_credential_use at most once a minute', async () => {
    const key = await newKey();
    const note = async () => {
      const { rows } = await client.query(
        `with noted as materialized (select app.note_credential_use($1)) select 1 from noted`,
        [key.clientId],
      );
      expect(rows).toHaveLength(1);
      const { rows: found } = await client.query('select last_used_at from app.credentials where id = $1', [
        key.clientId,
      ]);
      return Date.parse(found[0].last_used_at);
    };
    const first = await note();
    expect(await note()).toBe(first);
    await client.query(`update app.credentials set last_used_at = now() - interval '61 seconds' where id = $1`, [
      key.clientId,
    ]);
    expect(await note()).toBeGreaterThanOrEqual(first);
  });
});
