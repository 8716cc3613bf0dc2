import { FinancialClient, isOutcomeUnknownError, type RetryEvent } from '@centavo/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCommitCutter } from '../../apps/server/test-support/start-commit-cutter.js';
import { createHousehold } from './support/household.js';
import { getPostgresOf } from './support/postgres-of.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { type Cut, type ResponseCutter, startResponseCutter } from './support/start-response-cutter.js';

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let server: Server;
let cutter: ResponseCutter;
let token: string;
let client: FinancialClient;
let retries: RetryEvent[];
let accountId: string;

beforeAll(async () => {
  server = await sandbox.startServer({ dataDir });
  cutter = await startResponseCutter(server.origin);
  ({ token } = await createHousehold(sandbox, { origin: server.origin, currencyCode: 'EUR' }));
});
afterAll(() => cutter.close());

beforeEach(() => createTrackerAndClient(cutter.origin));

/** Creates a tracker with one account, and a client that sends its requests to `origin`. */
async function createTrackerAndClient(origin: string): Promise<void> {
  retries = [];
  const userClient = new FinancialClient({
    baseUrl: origin,
    token,
    hooks: { onRetry: (event) => void retries.push(event) },
  });
  const tracker = await userClient.trackers.create({
    name: 'Household',
    currencyCode: 'EUR',
    timeZone: 'Europe/Madrid',
  });
  client = userClient.forTracker(tracker.id);
  ({ id: accountId } = await client.accounts.create({ name: 'Checking', type: 'checking' }));
}

const balance = async () => (await client.accounts.balances()).data[0]?.balanceDecimal;

describe.each<Cut>(['nothing', 'half'])(
  'a write of the SDK whose response is cut off after the commit (%s of it arrives)',
  (arrives) => {
    it('is recorded once if it is an expense, and its retry returns the recorded movement', async () => {
      cutter.cut(arrives, 2);
      const { data, replayed } = await client.movements
        .create({ type: 'expense', amountDecimal: '12.50', accountId })
        .withResponse();

      expect(retries).toHaveLength(2);
      expect(replayed).toBe(true);
      const { data: rows, pagination } = await client.movements.list({ includeTotal: true });
      expect(rows).toEqual([data]);
      expect(pagination.total).toBe(1);
      expect(await balance()).toBe('-12.50');
    });

    it('moves money once if it is a transfer', async () => {
      const { id: toAccountId } = await client.accounts.create({
        name: 'Savings',
        currencyCode: 'EUR',
        type: 'savings',
      });
      cutter.cut(arrives);
      const transfer = await client.transfers.create({ amountDecimal: '5.00', fromAccountId: accountId, toAccountId });

      expect(await client.transfers.get(transfer.groupId)).toEqual(transfer);
      expect((await client.movements.list({ includeTotal: true })).pagination.total).toBe(2);
      const balances = (await client.accounts.balances()).data.map((row) => row.balanceDecimal);
      expect(balances.sort()).toEqual(['-5.00', '5.00']);
    });

    it('makes one new version if it is a correction', async () => {
      const { data, etag } = await client.movements
        .create({ type: 'income', amountDecimal: '1.00', accountId })
        .withResponse();
      cutter.cut(arrives);
      const corrected = await client.movements.correct(data.id, { amountDecimal: '2.00' }, { etag: etag ?? '' });

      expect(corrected.version).toBe(data.version + 1);
      expect(await client.movements.get(data.id)).toEqual(corrected);
      expect(await balance()).toBe('2.00');
    });

    it('is executed once if it creates a category, a budget or a budget line', async () => {
      cutter.cut(arrives);
      const category = await client.categories.create({ name: 'Food', kind: 'expense' });
      cutter.cut(arrives);
      const budget = await client.budgets.create({
        name: 'March',
        mode: 'planning',
        periodStart: '2026-03-01',
        periodEnd: '2026-03-31',
        currencyCode: 'EUR',
      });
      cutter.cut(arrives);
      await client.budgets.addLine(budget.id, {
        categoryId: category.id,
        plannedDecimal: '50.00',
      });

      const named = (await client.categories.list()).data.filter(({ name }) => name === 'Food');
      expect(named).toEqual([category]);
      expect((await client.budgets.list()).data.map(({ id }) => id)).toEqual([budget.id]);
      expect((await client.budgets.get(budget.id)).lines).toHaveLength(1);
      expect(retries).toHaveLength(3);
    });

    it('is not repeated if it creates an account without an idempotency key, and its outcome is reported as unknown', async () => {
      const before = cutter.cutCount();
      cutter.cut(arrives, 2);
      const error: unknown = await client.accounts
        .create({ name: 'Wallet', type: 'cash' })
        .catch((reason: unknown) => reason);
      cutter.cut(arrives, 0);

      expect(isOutcomeUnknownError(error) && error.idempotencyKey === null).toBe(true);
      expect(cutter.cutCount() - before).toBe(1);
      const named = (await client.accounts.list()).data.filter(({ name }) => name === 'Wallet');
      expect(named).toHaveLength(1);
    });
  },
);

describe('a write whose COMMIT is not acknowledged to the server', () => {
  it.each(['before', 'after'] as const)(
    'is recorded once, and the client gets the recorded movement, when the connection to PostgreSQL is cut %s the COMMIT',
    async (where) => {
      const { connectionString } = await getPostgresOf(dataDir);
      const commitCutter = await startCommitCutter(connectionString);
      const behind = await sandbox.startServer({ env: { DATABASE_URL: commitCutter.connectionString } });
      await createTrackerAndClient(behind.origin);
      commitCutter.cut(where);
      const movement = await client.movements.create({ type: 'expense', amountDecimal: '3.00', accountId });

      expect(commitCutter.cutCount()).toBe(1);
      expect((await client.movements.list()).data).toEqual([movement]);
      expect(await balance()).toBe('-3.00');
      await behind.kill('SIGTERM');
      await commitCutter.close();
    },
  );
});

describe('an SDK list that is iterated while movements are created', () => {
  it('returns each movement that existed before the iteration exactly once', async () => {
    const create = (day: number) =>
      client.movements.create({
        type: 'expense',
        amountDecimal: '1.00',
        accountId,
        occurredOn: `2026-03-${String(day).padStart(2, '0')}`,
      });
    const present: string[] = [];
    // Several rows share a date, so that pages end between rows of one date.
    for (let row = 0; row < 24; row += 1) present.push((await create((row % 6) * 2 + 2)).id);

    const seen: string[] = [];
    for await (const { id } of client.movements.list({ limit: 4 })) {
      seen.push(id);
      // Some of the new rows have a later date than the current row, some an earlier date, and some the same date.
      if (seen.length % 5 === 1) await Promise.all([1, 2, 7, 12, 13].map(create));
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => present.includes(id)).sort()).toEqual([...present].sort());
  });
});
