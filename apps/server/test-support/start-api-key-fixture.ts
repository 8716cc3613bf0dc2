import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type CallResult, startTestServer, type TestServer, type TestUser } from './start-test-server.js';

/** A server with one tracker and one user whose session has passed step-up authentication, and functions that use API keys. */
export interface ApiKeyFixture {
  readonly server: TestServer;
  readonly user: TestUser;
  readonly tracker: { readonly id: string; readonly accountId: string; readonly cashboxId: string };
  /** Connected as the owner of the tables. */
  readonly client: pg.Client;
  /** Creates a key that may write movements in the tracker. `fields` override the defaults of the body. */
  readonly newKey: (fields?: Record<string, unknown>) => Promise<CallResult<'createApiKey'>['data']>;
  readonly rotate: (
    clientId: string,
    options?: { body?: unknown; token?: string },
  ) => Promise<CallResult<'rotateApiKey'>>;
  readonly revoke: (clientId: string, token?: string) => Promise<CallResult<'revokeApiKey'>>;
  /** Records a movement with `token` as the credential, and `key` as the idempotency key. */
  readonly movement: (token: string, key?: string) => Promise<CallResult<'createMovement'>>;
  close(): Promise<void>;
}

/** Starts the fixture, with a pool for many concurrent writers. */
export async function startApiKeyFixture(): Promise<ApiKeyFixture> {
  const server = await startTestServer({ env: { DATABASE_POOL_MAX: '20' } });
  const user = await server.newSteppedUpUser();
  const tracker = await server.newTracker(user);
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  return {
    server,
    user,
    tracker,
    client,
    async newKey(fields = {}) {
      const { data } = await server.call('createApiKey', {
        token: user.token,
        body: {
          name: 'Key',
          scopes: ['movements:write'],
          access: { mode: 'selected', trackerIds: [tracker.id] },
          ...fields,
        },
      });
      return data;
    },
    rotate: (clientId, options = {}) =>
      server.call('rotateApiKey', {
        token: options.token ?? user.token,
        params: { clientId },
        ...(options.body === undefined ? {} : { body: options.body }),
      }),
    revoke: (clientId, token = user.token) => server.call('revokeApiKey', { token, params: { clientId } }),
    movement: (token, key = randomUUID()) =>
      server.call('createMovement', {
        token,
        idempotencyKey: key,
        body: { type: 'expense', amountDecimal: '1', accountId: tracker.accountId },
      }),
    async close() {
      await client.end();
      await server.close();
    },
  };
}
