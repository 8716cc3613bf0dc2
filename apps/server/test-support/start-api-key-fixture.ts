import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type CallResult, startTestServer, type TestServer, type TestUser } from './start-test-server.js';

/** A server, somebody with a tracker who may make API keys, and what is done with those. */
export interface ApiKeyFixture {
  readonly server: TestServer;
  readonly user: TestUser;
  readonly tracker: { readonly id: string; readonly accountId: string; readonly cashboxId: string };
  /** Looks into the tables as their owner. */
  readonly client: pg.Client;
  /** A key that records movements in the tracker, unless told otherwise. */
  readonly newKey: (fields?: Record<string, unknown>) => Promise<CallResult<'createApiKey'>['data']>;
  readonly rotate: (
    clientId: string,
    options?: { body?: unknown; token?: string },
  ) => Promise<CallResult<'rotateApiKey'>>;
  readonly revoke: (clientId: string, token?: string) => Promise<CallResult<'revokeApiKey'>>;
  /** Records a movement with a secret. */
  readonly movement: (token: string, key?: string) => Promise<CallResult<'createMovement'>>;
  close(): Promise<void>;
}

/** Starts it, with connections for many writers at once. */
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
