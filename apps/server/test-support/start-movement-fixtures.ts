import pg from 'pg';
import { type CallResult, startTestServer, type TestServer, type TestUser } from './start-test-server.js';

/** A server, somebody with a tracker who records movements, and what the server has written. */
export interface Spender {
  readonly server: TestServer;
  readonly user: TestUser;
  readonly tracker: { readonly id: string; readonly accountId: string; readonly cashboxId: string };
  /** Looks into the tables as their owner. */
  readonly client: pg.Client;
  readonly create: (
    body: Record<string, unknown>,
    options?: { key?: string; token?: string; headers?: Record<string, string> },
  ) => Promise<CallResult<'createMovement'>>;
  /** The body of an expense, with other fields where they are given. */
  readonly expense: (fields?: Record<string, unknown>) => Record<string, unknown>;
  /** How much there is of all that a movement writes: rows of movements, keys and audit, and the balances. */
  readonly countRows: () => Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** Starts it. */
export async function startSpender(): Promise<Spender> {
  const server = await startTestServer();
  const user = await server.newUser();
  const tracker = await server.newTracker(user);
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  return {
    server,
    user,
    tracker,
    client,
    create: (body, options = {}) =>
      server.call('createMovement', {
        token: options.token ?? user.token,
        body,
        ...(options.key === undefined ? {} : { idempotencyKey: options.key }),
        ...(options.headers === undefined ? {} : { headers: options.headers }),
      }),
    expense: (fields = {}) => ({
      type: 'expense',
      amountDecimal: '12.50',
      accountId: tracker.accountId,
      ...fields,
    }),
    async countRows() {
      const { rows } = await client.query(
        `select (select count(*)::int from app.movements) movements, (select count(*)::int from app.idempotency_keys) keys,
           (select count(*)::int from app.audit_events) audits, (select sum(balance)::text from app.cashboxes) balances`,
      );
      return rows[0];
    },
    async close() {
      await client.end();
      await server.close();
    },
  };
}
