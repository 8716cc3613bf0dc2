import { type CallContract, calls, pathOf } from '@centavo/contracts/calls';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { FinancialClient } from '../index.js';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

type CallName = keyof typeof calls;

const client = new FinancialClient({ token: 'session-token' });
const id = '01890000-0000-7000-8000-00000000000a';
const ids = { accountId: id, trackerId: id, userId: id, cashboxId: id, categoryId: id, movementId: id, groupId: id };
const parameters = { ...ids, budgetId: id, clientId: id };
const day = '2026-01-31';

/** Every call of the contract, made through the client, with the body that it is to carry. */
const made: Readonly<Record<CallName, { readonly act: () => PromiseLike<unknown>; readonly body?: unknown }>> = {
  getContext: { act: () => client.context.get() },
  setActiveTracker: { act: () => client.context.setActiveTracker(id), body: { trackerId: id } },
  setDefaultTracker: { act: () => client.context.setDefaultTracker(id), body: { trackerId: id } },
  listTrackers: { act: () => client.trackers.list() },
  createTracker: bodied({ name: 'n', currencyCode: 'EUR', timeZone: 'UTC' }, (body) => client.trackers.create(body)),
  updateTracker: bodied({ name: 'n' }, (body) => client.trackers.update(id, body)),
  listMembers: { act: () => client.trackers.listMembers(id) },
  addMember: bodied({ email: 'a@b.c', role: 'editor' as const }, (body) => client.trackers.addMember(id, body)),
  changeMemberRole: bodied({ role: 'viewer' as const }, (body) => client.trackers.changeMemberRole(id, id, body)),
  removeMember: { act: () => client.trackers.removeMember(id, id) },
  listAccounts: { act: () => client.accounts.list() },
  listCashboxes: { act: () => client.accounts.cashboxes(id) },
  listBalances: { act: () => client.accounts.balances() },
  createAccount: bodied({ name: 'n', type: 'checking' as const }, (body) => client.accounts.create(body)),
  updateAccount: bodied({ status: 'archived' as const }, (body) => client.accounts.update(id, body)),
  createCashbox: bodied({ name: 'n' }, (body) => client.accounts.createCashbox(id, body)),
  updateCashbox: bodied({ name: 'n' }, (body) => client.accounts.updateCashbox(id, body)),
  listCategories: { act: () => client.categories.list() },
  getCategory: { act: () => client.categories.get(id) },
  createCategory: bodied({ name: 'n' }, (body) => client.categories.create(body)),
  listMovements: { act: () => client.movements.list({ limit: 5 }) },
  createMovement: bodied({ type: 'expense' as const, amountDecimal: '1', accountId: id }, (body) =>
    client.movements.create(body),
  ),
  getMovement: { act: () => client.movements.get(id) },
  correctMovement: bodied({ categoryId: null }, (body) => client.movements.correct(id, body, { etag: '"1"' })),
  createTransfer: bodied({ amountDecimal: '1', fromAccountId: id, toAccountId: id }, (body) =>
    client.transfers.create(body),
  ),
  getTransfer: { act: () => client.transfers.get(id) },
  listBudgets: { act: () => client.budgets.list({ status: 'active' }) },
  getBudget: { act: () => client.budgets.get(id) },
  createBudget: bodied({ name: 'n', mode: 'tracking' as const, periodStart: day, periodEnd: day }, (body) =>
    client.budgets.create(body),
  ),
  addBudgetLine: bodied({ categoryId: 'cat_a', plannedDecimal: '1' }, (body) => client.budgets.addLine(id, body)),
  listApiKeys: { act: () => client.credentials.listApiKeys() },
  createApiKey: bodied(
    { name: 'n', scopes: ['movements:read' as const], access: { mode: 'all_managed' as const } },
    (body) => client.credentials.createApiKey(body),
  ),
  rotateApiKey: { act: () => client.credentials.rotateApiKey(id), body: {} },
  revokeApiKey: { act: () => client.credentials.revokeApiKey(id) },
  listIntegrationClients: { act: () => client.credentials.listIntegrationClients() },
  createIntegrationClient: bodied({ name: 'n', scopes: ['movements:read' as const] }, (body) =>
    client.credentials.createIntegrationClient(body),
  ),
  revokeIntegrationClient: { act: () => client.credentials.revokeIntegrationClient(id) },
  createUser: bodied({ email: 'a@b.c', password: 'correct horse' }, (body) => client.identity.createUser(body)),
  createSession: bodied({ email: 'a@b.c', password: 'correct horse' }, (body) => client.identity.createSession(body)),
  refreshSession: bodied({ refreshToken: 'r' }, (body) => client.identity.refreshSession(body)),
  endSession: { act: () => client.identity.endSession() },
  getMe: { act: () => client.identity.me() },
  enrolTotp: { act: () => client.identity.enrolTotp() },
  confirmTotp: bodied({ code: '123456' }, (body) => client.identity.confirmTotp(body)),
  verifyTotp: bodied({ code: '123456' }, (body) => client.identity.verifyTotp(body)),
};

function bodied<Body>(body: Body, act: (body: Body) => PromiseLike<unknown>) {
  return { act: () => act(body), body };
}

test.each(Object.keys(calls) as CallName[])('%s is made as the contract declares it', async (name) => {
  const call: CallContract = calls[name];
  const { act, body } = made[name];
  let seen: Request | undefined;
  server.use(
    http.all('*', ({ request }) => {
      seen = request.clone();
      const data = name.startsWith('list') ? [] : { id };
      const meta = { apiVersion: 1, requestId: id, trackerId: null };
      return call.status === 204
        ? new HttpResponse(null, { status: 204 })
        : HttpResponse.json({ data, meta }, { status: call.status });
    }),
  );
  await act();
  const request = seen as Request;
  expect(request.method).toBe(call.method);
  expect(new URL(request.url).pathname).toBe(pathOf(call, parameters));
  expect(request.headers.get('authorization')).toBe(call.caller === 'anyone' ? null : 'Bearer session-token');
  expect(request.headers.has('idempotency-key')).toBe(call.idempotency !== 'ignored');
  expect(request.headers.get('if-match')).toBe(call.ifMatch === 'required' ? '"1"' : null);
  expect(request.headers.get('content-type')).toBe(body === undefined ? null : 'application/json');
  expect(await request.text()).toBe(body === undefined ? '' : JSON.stringify(body));
});
