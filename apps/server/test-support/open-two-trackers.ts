import pg from 'pg';
import { type SeededTracker, seedTracker } from './seed-tracker.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/**
 * Two trackers of two users, each with a row in every tenant table, and functions that use the request role: the PostgreSQL role
 * `centavo_app`, with which the server handles requests.
 */
export interface TwoTrackers {
  readonly testDatabase: TestDatabase;
  /** Connected as the owner of the cluster. */
  readonly client: pg.Client;
  readonly ours: SeededTracker;
  readonly theirs: SeededTracker;
  /** Runs `act` as the request role, with the request context `context`, in a transaction that is rolled back. */
  readonly asApp: <Result>(
    context: { userId?: string; trackerId?: string; principalRoot?: string },
    act: () => Promise<Result>,
  ) => Promise<Result>;
  /** Like `asApp`, but with the context that app.enter_request sets for a request of user `userId` to tracker `trackerId`. */
  readonly asSession: <Result>(
    session: { userId: string; trackerId: string },
    act: () => Promise<Result>,
  ) => Promise<Result>;
  /** Returns the number of affected rows, or the SQLSTATE of the error. */
  readonly outcomeOf: (statement: string, values?: unknown[]) => Promise<number | string>;
  close(): Promise<void>;
}

/**
 * Creates both trackers in a new migrated database.
 * @param options.prepare changes the database before the trackers are inserted
 */
export async function openTwoTrackers(
  options: { prepare?: (client: pg.Client) => Promise<void> } = {},
): Promise<TwoTrackers> {
  const testDatabase = await createTestDatabase();
  const client = new pg.Client({ connectionString: testDatabase.connectionString });
  await client.connect();
  await options.prepare?.(client);
  const inTransaction = async <Result>(begin: string, values: unknown[], act: () => Promise<Result>) => {
    await client.query('begin');
    try {
      await client.query(begin, values);
      return await act();
    } finally {
      await client.query('rollback');
    }
  };
  return {
    testDatabase,
    client,
    ours: await seedTracker(client, 'ours'),
    theirs: await seedTracker(client, 'theirs'),
    asApp: (context, act) =>
      inTransaction(
        `select set_config('role', 'centavo_app', true), set_config('app.user_id', $1, true),
           set_config('app.tracker_id', $2, true), set_config('app.principal_root', $3, true)`,
        [context.userId ?? '', context.trackerId ?? '', context.principalRoot ?? ''],
        act,
      ),
    asSession: (session, act) =>
      inTransaction(
        `select set_config('role', 'centavo_app', true),
           app.enter_request(null, 'urn:test', $1, null, $2, true, null)`,
        [session.userId, session.trackerId],
        act,
      ),
    outcomeOf: (statement, values = []) =>
      client.query(statement, values).then(
        (result) => result.rowCount ?? 0,
        (error: pg.DatabaseError) => error.code ?? 'no SQLSTATE',
      ),
    async close() {
      await client.end();
      await testDatabase.drop();
    },
  };
}

/** For each table whose rows belong to a tracker or a user: the column that contains the id of this tracker or user. */
export const ownerColumns: Readonly<Record<string, 'tracker_id' | 'user_id' | 'id'>> = {
  accounts: 'tracker_id',
  audit_events: 'tracker_id',
  budget_lines: 'tracker_id',
  budgets: 'tracker_id',
  cashboxes: 'tracker_id',
  categories: 'tracker_id',
  categories_in_use: 'tracker_id',
  credentials: 'user_id',
  event_heads: 'tracker_id',
  events: 'tracker_id',
  idempotency_keys: 'tracker_id',
  invitations: 'tracker_id',
  members: 'tracker_id',
  movements: 'tracker_id',
  trackers: 'id',
  transfers: 'tracker_id',
  user_audit_events: 'user_id',
  users: 'id',
  webhook_deliveries: 'tracker_id',
  webhook_endpoints: 'tracker_id',
};
