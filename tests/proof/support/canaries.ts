import { randomBytes, randomUUID } from 'node:crypto';
import { callsTo } from '../../acceptance/support/call-api.js';
import { type PreparedAccounts, prepareAccounts } from './prepared-writes.js';
import type { SeededRandom } from './seeded-random.js';
import { createTenant, succeed, type Tenant } from './tenants.js';

/** A tenant with a unique word, the canary, in its texts. */
export interface MarkedTenant extends Tenant {
  readonly canary: string;
  readonly accounts: PreparedAccounts;
  /** Movements for corrections, with their ETags. */
  readonly movements: { id: string; etag: string }[];
}

/** Creates a tenant with its canary in the names of its tracker, an account and a category, and in the note of a budget line. */
export async function createMarkedTenant(origin: string): Promise<MarkedTenant> {
  const canary = `canary-${randomBytes(6).toString('hex')}`;
  const tenant = await createTenant(origin);
  const call = callsTo(origin, tenant.asUser);
  await succeed(call, `PATCH /v1/financial/trackers/${tenant.trackerId}`, { body: { name: canary } });
  const accounts = await prepareAccounts(call);
  await succeed(call, `PATCH /v1/financial/accounts/${accounts.accountId}`, { body: { name: canary } });
  const headers = { 'Idempotency-Key': randomUUID() };
  await succeed(call, 'POST /v1/financial/categories', { headers, body: { name: canary } });
  const line = { categoryId: accounts.categoryId, plannedDecimal: '1.00', note: canary };
  await succeed(call, `POST /v1/financial/budgets/${accounts.budgetId}/lines`, { body: line });
  return { ...tenant, canary, accounts, movements: [] };
}

/** A request of a tenant. The body is sent unchanged. */
export interface MarkedRequest {
  readonly methodAndPath: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns a random valid or invalid request of a tenant. Each free text in the request contains the tenant's canary. */
export function requestOf(me: MarkedTenant, other: MarkedTenant, random: SeededRandom): MarkedRequest {
  const { canary, accounts } = me;
  const base = '/v1/financial';
  // Few keys, so that tenants use the same keys as other tenants, and repeat their own keys.
  const key = `key-${Math.floor(random.next() * 40)}`;
  const expense = {
    type: 'expense',
    amountDecimal: '1.00',
    accountId: accounts.accountId,
    description: `${canary} ${key}`,
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = { 'Idempotency-Key': key }) => ({
    methodAndPath: `POST ${base}${path}`,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const get = (path: string, headers: Record<string, string> = {}) => ({
    methodAndPath: `GET ${base}${path}`,
    headers,
  });
  const movement = me.movements.at(-1);
  return random.oneOf<() => MarkedRequest>([
    () => get('/movements?limit=20'),
    () => get('/movements?limit=5&includeTotal=true'),
    () => get('/balances'),
    () => get('/accounts'),
    () => get('/categories'),
    () => get('/budgets'),
    () => get(`/budgets/${accounts.budgetId}`),
    () => get('/trackers'),
    () => get('/context'),
    () => get(`/accounts/${accounts.accountId}/cashboxes`),
    () => post('/movements', expense),
    () => post('/movements', expense, { 'Idempotency-Key': randomUUID() }),
    () =>
      post(
        '/transfers',
        {
          amountDecimal: '1.00',
          fromAccountId: accounts.accountId,
          toAccountId: accounts.otherAccountId,
          description: canary,
        },
        { 'Idempotency-Key': randomUUID() },
      ),
    () => ({
      ...post('', { description: canary }, { 'Idempotency-Key': randomUUID(), 'If-Match': movement?.etag ?? '"none"' }),
      methodAndPath: `PATCH ${base}/movements/${movement?.id ?? randomUUID()}`,
    }),
    // Requests with the canary in an invalid part, and requests that name a record of another tenant.
    () => post('/movements', { ...expense, type: canary, unknown: canary }),
    () => post('/movements', `{"description": "${canary}`),
    () => post('/movements', { ...expense, accountId: other.accounts.accountId }),
    () => post('/movements', { ...expense, categoryId: canary }),
    () => get(`/movements/${other.movements.at(-1)?.id ?? randomUUID()}`),
    () => get(`/budgets/${other.accounts.budgetId}`),
    () => get('/accounts', { 'X-Service-Tracker-Id': other.trackerId }),
    () => get(`/movements?from=${canary}&${canary}=1`),
    () => get(`/${canary}`),
    () => get('/accounts', { Authorization: `Bearer ${canary}` }),
  ])();
}

/** A part of a response that belongs to another tenant. */
export type Foreign = 'canary' | 'id';

/** Returns a function that finds canaries and ids of other tenants in responses. */
export function foreignFinder(
  tenants: readonly MarkedTenant[],
): (text: string, me: MarkedTenant, sent: string) => Foreign[] {
  const ownerById = new Map(
    tenants.flatMap((tenant) => {
      const { userId, trackerId, accounts } = tenant;
      return [userId, trackerId, accounts.accountId, accounts.otherAccountId, accounts.budgetId].map(
        (id) => [id, tenant] as const,
      );
    }),
  );
  return (text, me, sent) => {
    const canaries = text.match(/canary-[0-9a-f]{12}/g) ?? [];
    const ids = text.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? [];
    const isForeign = (id: string) => ownerById.has(id) && ownerById.get(id) !== me;
    return [
      ...canaries.filter((canary) => canary !== me.canary).map((): Foreign => 'canary'),
      // A refusal may repeat the requested id.
      ...ids.filter((id) => isForeign(id) && !sent.includes(id)).map((): Foreign => 'id'),
    ];
  };
}
