import { randomUUID } from 'node:crypto';
import {
  errorCodesOf,
  errorEnvelope,
  type RouteContract,
  type RouteName,
  routes,
  successEnvelope,
} from '@centavo/contracts';
import * as fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostileValues } from '../../test-support/hostile-values.js';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';

/** A failing run prints its seed. To repeat it, set FUZZ_SEED to that seed. FUZZ_RUNS sets the number of mutated requests per route. */
const seed = Number(process.env.FUZZ_SEED ?? 20_260_101);
const runsPerRoute = Number(process.env.FUZZ_RUNS ?? 60);

let server: TestServer;
let user: TestUser;
let ids: Record<string, string>;
let client: pg.Client;

beforeAll(async () => {
  const off = { RATE_LIMIT_READS_PER_MINUTE: '0', RATE_LIMIT_WRITES_PER_MINUTE: '0', RATE_LIMIT_ADMIN_PER_MINUTE: '0' };
  server = await startTestServer({ env: { ...off, RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0' } });
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  user = await server.newSteppedUpUser();
  const tracker = await server.newTracker(user);
  const savings = await server.newAccount(user, tracker.id, { name: 'Savings' });
  const { data: category } = await server.call('createCategory', { token: user.token, body: { name: 'Food' } });
  const { data: movement } = await server.call('createMovement', {
    token: user.token,
    body: { type: 'expense', amountDecimal: '1', accountId: tracker.accountId },
  });
  const period = { periodStart: '2026-01-01', periodEnd: '2026-01-31' };
  const { data: budget } = await server.call('createBudget', {
    token: user.token,
    body: { name: 'Month', mode: 'tracking', ...period },
  });
  ids = {
    trackerId: tracker.id,
    accountId: tracker.accountId,
    cashboxId: tracker.cashboxId,
    savingsId: savings.id,
    categoryId: category.id,
    movementId: movement.id,
    budgetId: budget.id,
    groupId: randomUUID(),
    clientId: randomUUID(),
    userId: user.userId,
  };
});

afterAll(async () => {
  await client.end();
  await server.close();
});

/** Returns the body of a valid request for a route. The mutations start from it. */
function validBody(name: RouteName): Record<string, unknown> | undefined {
  const { trackerId, accountId, savingsId, categoryId } = ids;
  const access = { mode: 'selected', trackerIds: [trackerId] };
  const line = { categoryId, plannedDecimal: '10.00', type: 'expense', note: 'x' };
  const bodies: Partial<Record<RouteName, Record<string, unknown>>> = {
    setActiveTracker: { trackerId },
    setDefaultTracker: { trackerId },
    createTracker: { name: 'Work', currencyCode: 'EUR', timeZone: 'Europe/Madrid' },
    updateTracker: { name: 'Home', timeZone: 'Europe/Madrid' },
    addMember: { email: 'nobody@example.org', role: 'viewer' },
    changeMemberRole: { role: 'owner' },
    createAccount: {
      name: 'A',
      type: 'cash',
      currencyCode: 'EUR',
      cashboxes: [{ name: 'a', openingBalanceDecimal: '-1.5' }],
    },
    updateAccount: { name: 'Checking' },
    createCashbox: { name: 'b', openingBalanceDecimal: '1' },
    updateCashbox: { name: 'Checking' },
    createCategory: { name: randomUUID(), kind: 'any', scope: 'tracker', parentId: categoryId },
    createMovement: {
      type: 'expense',
      amountDecimal: '12.50',
      accountId,
      categoryId,
      occurredOn: '2026-01-05',
      currencyCode: 'EUR',
      description: 'd',
      merchantName: 'm',
    },
    correctMovement: { amountDecimal: '2', categoryId: null, description: 'd', merchantName: null },
    createTransfer: { amountDecimal: '5', fromAccountId: accountId, toAccountId: savingsId, description: 'd' },
    createBudget: { name: 'B', mode: 'planning', periodStart: '2026-01-01', periodEnd: '2026-01-31', lines: [line] },
    addBudgetLine: line,
    createApiKey: {
      name: 'k',
      scopes: ['movements:read'],
      access,
      expiresAt: new Date(Date.now() + 1e6).toISOString(),
    },
    rotateApiKey: { name: 'k' },
    createIntegrationClient: { name: 'c', scopes: ['movements:read'], access },
    createUser: { email: `${randomUUID()}@example.org`, password: 'correct horse battery', displayName: 'x' },
    createSession: { email: user.email, password: user.password },
    refreshSession: { refreshToken: 'x' },
    confirmTotp: { code: '123456' },
    verifyTotp: { code: '123456' },
  };
  return bodies[name];
}

const hostileValue = fc.oneof(
  fc.constantFrom<unknown>(...hostileValues),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.json(),
);

const queryNames = [
  'type',
  'kind',
  'categoryId',
  'categoryIds',
  'accountId',
  'from',
  'to',
  'limit',
  'offset',
  'cursor',
  'x',
];

/** A mutation of a valid request. */
const mutation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('field' as const), at: fc.nat(), value: hostileValue }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), at: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('extra' as const),
      name: fc.string({ minLength: 1 }),
      value: hostileValue,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bytes' as const), at: fc.nat(), byte: fc.nat(255) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('query' as const),
      name: fc.constantFrom(...queryNames),
      value: fc.oneof(
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.constantFrom('', '0', '1', '-1', '2026-01-01', 'cat_unknown'),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('path' as const), value: fc.string({ unit: 'binary', minLength: 1 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('header' as const),
      name: fc.constantFrom(
        'Idempotency-Key',
        'If-Match',
        'X-Service-Tracker-Id',
        'Content-Type',
        'If-None-Match',
        'Authorization',
      ),
      value: fc.oneof(
        fc.string({ maxLength: 60 }),
        fc.constantFrom('*', 'W/"x"', '"x"', '""', 'x'.repeat(300), 'Bearer x'),
      ),
    }),
  },
);

interface Prepared {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
}

function prepare(name: RouteName, change: typeof mutation extends fc.Arbitrary<infer T> ? T : never): Prepared {
  const { call } = routes[name];
  const fields: Record<string, unknown> = structuredClone(validBody(name) ?? {});
  const names = Object.keys(fields);
  const path = call.path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(ids[key] ?? ''));
  const url = new URL(server.origin + call.base + path);
  const headers: Record<string, string> = {
    Authorization: `Bearer ${user.token}`,
    'Content-Type': 'application/json',
    'X-Service-Tracker-Id': ids.trackerId ?? '',
    'Idempotency-Key': randomUUID(),
    'If-Match': '"x"',
  };
  const fieldName =
    names[(change.kind === 'field' || change.kind === 'drop' ? change.at : 0) % Math.max(names.length, 1)];
  if (change.kind === 'field' && fieldName !== undefined) fields[fieldName] = change.value;
  if (change.kind === 'drop' && fieldName !== undefined) delete fields[fieldName];
  if (change.kind === 'extra') Object.defineProperty(fields, change.name, { value: change.value, enumerable: true });
  if (change.kind === 'query') url.searchParams.append(change.name, change.value);
  if (change.kind === 'header') headers[change.name] = change.value.replace(/[^\x20-\x7e]/g, '').trim();
  if (change.kind === 'path' && call.path.includes('{')) {
    const value = change.value.isWellFormed() ? encodeURIComponent(change.value) : '%ZZ';
    url.pathname = call.base + call.path.replace(/\{\w+\}/g, value);
  }
  const body = new TextEncoder().encode(JSON.stringify(fields));
  if (change.kind === 'bytes' && body.length > 0) body[change.at % body.length] = change.byte;
  return { url: url.href, headers, body: call.method === 'GET' || call.method === 'DELETE' ? undefined : body };
}

// endSession is left out, because all later requests would get 401.
const fuzzed = (Object.keys(routes) as RouteName[]).filter((name) => name !== 'endSession');

describe('when one part of a valid request is mutated,', () => {
  // @proves spec, Versioning: rule 2
  // @proves contract 1: JSON
  // @proves contract 1: lists
  // @proves contract 3: budget (list)
  it.each(fuzzed)('each response of %s has a documented error code or the documented schema', async (name) => {
    const route = routes[name] as RouteContract;
    const documented = new Set<string>([
      ...errorCodesOf(route.call),
      'NOT_FOUND',
      'UNAUTHENTICATED',
      'CREDENTIAL_INVALID',
    ]);
    const changes = fc.sample(mutation, { numRuns: runsPerRoute, seed });
    for (const change of changes) {
      const { url, headers, body } = prepare(name, change);
      const label = `FUZZ_SEED=${seed} ${route.call.method} ${JSON.stringify(change)}`;
      const response = await fetch(url, {
        method: route.call.method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      expect(response.status, label).toBeLessThan(500);
      expect(response.headers.get('x-request-id'), label).toMatch(/^[0-9a-f-]{36}$/);
      if (text === '') {
        expect([204, 304], label).toContain(response.status);
        continue;
      }
      expect(response.headers.get('content-type'), label).toBe('application/json; charset=utf-8');
      if (response.status >= 400) {
        const { error } = errorEnvelope.parse(JSON.parse(text));
        expect([...documented, 'METHOD_NOT_ALLOWED'], label).toContain(error.code);
      } else if (route.data !== null) {
        expect(successEnvelope(route.data).safeParse(JSON.parse(text)).success, label).toBe(true);
      }
    }
  });

  // @proves contract 3: Cashbox balance
  it('every balance equals the opening balance plus incomes minus expenses', async () => {
    const { rows } = await client.query(
      `select c.id from app.cashboxes c where c.balance <> c.opening_balance + coalesce((
         select sum(case when m.type = 'income' then m.amount else -m.amount end) from app.movements m
         where m.tracker_id = c.tracker_id and m.cashbox_id = c.id), 0)`,
    );
    expect(rows).toEqual([]);
  });
});
