import pg from 'pg';
import { type CallResult, startTestServer, type TestServer, type TestUser } from './start-test-server.js';

/** A server with one user and one tracker, functions that record movements, and access to the tables. */
export interface MovementFixture {
  readonly server: TestServer;
  readonly user: TestUser;
  readonly tracker: { readonly id: string; readonly accountId: string; readonly cashboxId: string };
  /** Connected as the owner of the tables. */
  readonly client: pg.Client;
  readonly create: (
    body: Record<string, unknown>,
    options?: { key?: string; token?: string; headers?: Record<string, string> },
  ) => Promise<CallResult<'createMovement'>>;
  /** Returns the request body for a new expense. `fields` override the default fields. */
  readonly expense: (fields?: Record<string, unknown>) => Record<string, unknown>;
  /**
   * Returns four values, each of which a new movement changes: the numbers of movements, idempotency keys and audit events, and the sum
   * of the balances.
   */
  readonly countRows: () => Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** Starts the fixture. */
export async function startMovementFixture(): Promise<MovementFixture> {
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
           (select count(*)::int from app.recorded_events) audits, (select sum(balance)::text from app.cashboxes) balances`,
      );
      return rows[0];
    },
    async close() {
      await client.end();
      await server.close();
    },
  };
}

/** A server with 24 movements of January 2026 in two accounts and three categories, and one transfer in February. */
export interface MovementListFixture {
  readonly server: TestServer;
  readonly user: TestUser;
  readonly tracker: { readonly id: string; readonly accountId: string; readonly cashboxId: string };
  /** The second account. */
  readonly other: { readonly id: string; readonly cashboxes: readonly { readonly id: string }[] };
  readonly categories: readonly string[];
  readonly record: (body: Record<string, unknown>) => Promise<CallResult<'createMovement'>>;
  readonly list: (query?: Record<string, string>) => Promise<CallResult<'listMovements'>>;
}

/** Starts the fixture. Several movements have the same date, so that their order depends on the sort keys after the date. */
export async function startMovementListFixture(): Promise<MovementListFixture> {
  const server = await startTestServer();
  const user = await server.newUser();
  const tracker = await server.newTracker(user);
  const other = await server.newAccount(user, tracker.id, { name: 'Card', type: 'credit_card' });
  const categories: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const { data } = await server.call('createCategory', { token: user.token, body: { name } });
    categories.push(data.id);
  }
  const record: MovementListFixture['record'] = (body) => server.call('createMovement', { token: user.token, body });
  for (let index = 0; index < 24; index += 1) {
    await record({
      type: index % 3 === 0 ? 'income' : 'expense',
      amountDecimal: `${index + 1}`,
      accountId: index % 4 === 0 ? other.id : tracker.accountId,
      categoryId: categories[index % 3],
      occurredOn: `2026-01-${String(1 + (index % 5)).padStart(2, '0')}`,
    });
  }
  await server.call('createTransfer', {
    token: user.token,
    body: { amountDecimal: '9', fromAccountId: other.id, toAccountId: tracker.accountId, occurredOn: '2026-02-01' },
  });
  return {
    server,
    user,
    tracker,
    other,
    categories,
    record,
    list: (query = {}) => server.call('listMovements', { token: user.token, query }),
  };
}
