import { addDays } from '@centavo/contracts';
import { type CallResult, startTestServer, type TestServer, type TestUser } from './start-test-server.js';

/** A server with one user and one tracker, and functions that create budgets. */
export interface BudgetFixture {
  readonly server: TestServer;
  readonly user: TestUser;
  readonly tracker: { readonly id: string; readonly accountId: string; readonly cashboxId: string };
  /** The current date in the tracker's time zone. */
  readonly today: string;
  readonly newCategory: (name: string, kind: string) => Promise<string>;
  /** Creates a budget of twenty days with today in its middle. `fields` override the defaults of the body. */
  readonly create: (
    fields?: Record<string, unknown>,
    options?: { key?: string },
  ) => Promise<CallResult<'createBudget'>>;
}

/** Starts the fixture. */
export async function startBudgetFixture(): Promise<BudgetFixture> {
  const server = await startTestServer();
  const user = await server.newUser();
  const tracker = await server.newTracker(user);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Madrid' }).format(new Date());
  return {
    server,
    user,
    tracker,
    today,
    async newCategory(name, kind) {
      const { data } = await server.call('createCategory', { token: user.token, body: { name, kind } });
      return data.id;
    },
    create: (fields = {}, options = {}) =>
      server.call('createBudget', {
        token: user.token,
        body: {
          name: 'Month',
          mode: 'tracking',
          periodStart: addDays(today, -9),
          periodEnd: addDays(today, 10),
          ...fields,
        },
        ...(options.key === undefined ? {} : { idempotencyKey: options.key }),
      }),
  };
}
