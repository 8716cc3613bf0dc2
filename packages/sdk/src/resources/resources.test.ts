import { type CallContract, calls, pathOf } from '@centavo/contracts/calls';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type CallOptions, FinancialClient } from '../index.js';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

type CallName = keyof typeof calls;
type Act = (options?: CallOptions) => PromiseLike<unknown>;

const client = new FinancialClient({ token: 'session-token' });
const id = '01890000-0000-7000-8000-00000000000a';
const ids = { accountId: id, trackerId: id, userId: id, cashboxId: id, categoryId: id, movementId: id, groupId: id };
const parameters = { ...ids, budgetId: id, clientId: id, webhookId: id, deliveryId: id };
const day = '2026-01-31';

/** For each operation of the contract: a function that calls the client's method, and the request body that the method must send. */
const clientCalls: Readonly<Record<CallName, { readonly act: Act; readonly body?: unknown }>> = {
  getContext: { act: (options) => client.context.get(options) },
  setActiveTracker: { act: (options) => client.context.setActiveTracker(id, options), body: { trackerId: id } },
  setDefaultTracker: { act: (options) => client.context.setDefaultTracker(id, options), body: { trackerId: id } },
  listTrackers: { act: (options) => client.trackers.list(options) },
  createTracker: withBody({ name: 'n', currencyCode: 'EUR', timeZone: 'UTC' }, (body, options) =>
    client.trackers.create(body, options),
  ),
  updateTracker: withBody({ name: 'n' }, (body, options) => client.trackers.update(id, body, options)),
  listMembers: { act: (options) => client.trackers.listMembers(id, options) },
  addMember: withBody({ email: 'a@b.c', role: 'editor' as const }, (body, options) =>
    client.trackers.addMember(id, body, options),
  ),
  changeMemberRole: withBody({ role: 'viewer' as const }, (body, options) =>
    client.trackers.changeMemberRole(id, id, body, options),
  ),
  removeMember: { act: (options) => client.trackers.removeMember(id, id, options) },
  listInvitations: { act: (options) => client.invitations.list(options) },
  acceptInvitation: { act: (options) => client.invitations.accept(id, options) },
  declineInvitation: { act: (options) => client.invitations.decline(id, options) },
  listAccounts: { act: (options) => client.accounts.list(options) },
  listCashboxes: { act: (options) => client.accounts.cashboxes(id, options) },
  listBalances: { act: (options) => client.accounts.balances(options) },
  createAccount: withBody({ name: 'n', type: 'checking' as const }, (body, options) =>
    client.accounts.create(body, options),
  ),
  updateAccount: withBody({ status: 'archived' as const }, (body, options) =>
    client.accounts.update(id, body, options),
  ),
  createCashbox: withBody({ name: 'n' }, (body, options) => client.accounts.createCashbox(id, body, options)),
  updateCashbox: withBody({ name: 'n' }, (body, options) => client.accounts.updateCashbox(id, body, options)),
  listCategories: { act: (options) => client.categories.list(options) },
  getCategory: { act: (options) => client.categories.get(id, options) },
  createCategory: withBody({ name: 'n' }, (body, options) => client.categories.create(body, options)),
  listMovements: { act: (options) => client.movements.list({ limit: 5 }, options) },
  createMovement: withBody({ type: 'expense' as const, amountDecimal: '1', accountId: id }, (body, options) =>
    client.movements.create(body, options),
  ),
  createMovements: {
    act: (options) => client.movements.createMany([{ type: 'expense', amountDecimal: '1', accountId: id }], options),
    body: { mode: 'atomic', movements: [{ type: 'expense', amountDecimal: '1', accountId: id }] },
  },
  getMovement: { act: (options) => client.movements.get(id, options) },
  correctMovement: withBody({ categoryId: null }, (body, options) =>
    client.movements.correct(id, body, { ...options, etag: '"1"' }),
  ),
  voidMovement: { act: (options) => client.movements.void(id, { ...options, etag: '"1"' }) },
  summarizeMovements: { act: (options) => client.movements.summary({ groupBy: 'month' }, options) },
  voidTransfer: { act: (options) => client.transfers.void(id, { ...options, etag: '"1"' }) },
  createTransfer: withBody({ amountDecimal: '1', fromAccountId: id, toAccountId: id }, (body, options) =>
    client.transfers.create(body, options),
  ),
  getTransfer: { act: (options) => client.transfers.get(id, options) },
  listBudgets: { act: (options) => client.budgets.list({ status: 'active' }, options) },
  getBudget: { act: (options) => client.budgets.get(id, options) },
  createBudget: withBody({ name: 'n', mode: 'tracking' as const, periodStart: day, periodEnd: day }, (body, options) =>
    client.budgets.create(body, options),
  ),
  addBudgetLine: withBody({ categoryId: 'cat_a', plannedDecimal: '1' }, (body, options) =>
    client.budgets.addLine(id, body, options),
  ),
  listAuditEvents: { act: (options) => client.auditEvents.list({ limit: 5 }, options) },
  getAuditHead: { act: (options) => client.auditEvents.head(options) },
  listSecurityEvents: { act: (options) => client.securityEvents.list({ limit: 5 }, options) },
  listChanges: { act: (options) => client.changes.list({ limit: 5 }, options) },
  listApiKeys: { act: (options) => client.credentials.listApiKeys(options) },
  createApiKey: withBody(
    { name: 'n', scopes: ['movements:read' as const], access: { mode: 'all_managed' as const } },
    (body, options) => client.credentials.createApiKey(body, options),
  ),
  rotateApiKey: { act: (options) => client.credentials.rotateApiKey(id, {}, options), body: {} },
  revokeApiKey: { act: (options) => client.credentials.revokeApiKey(id, options) },
  listIntegrationClients: { act: (options) => client.credentials.listIntegrationClients(options) },
  createIntegrationClient: withBody({ name: 'n', scopes: ['movements:read' as const] }, (body, options) =>
    client.credentials.createIntegrationClient(body, options),
  ),
  revokeIntegrationClient: { act: (options) => client.credentials.revokeIntegrationClient(id, options) },
  listWebhooks: { act: (options) => client.webhooks.list(options) },
  getWebhook: { act: (options) => client.webhooks.get(id, options) },
  createWebhook: withBody({ url: 'https://example.com/' }, (body, options) => client.webhooks.create(body, options)),
  updateWebhook: withBody({ status: 'paused' as const }, (body, options) => client.webhooks.update(id, body, options)),
  deleteWebhook: { act: (options) => client.webhooks.delete(id, options) },
  rotateWebhookSecret: { act: (options) => client.webhooks.rotateSecret(id, {}, options), body: {} },
  testWebhook: { act: (options) => client.webhooks.test(id, options) },
  listWebhookDeliveries: { act: (options) => client.webhooks.listDeliveries(id, { limit: 5 }, options) },
  retryWebhookDelivery: { act: (options) => client.webhooks.retryDelivery(id, id, options) },
  replayWebhook: withBody({ fromSequence: 1 }, (body, options) => client.webhooks.replay(id, body, options)),
  createUser: withBody({ email: 'a@b.c', password: 'correct horse' }, (body, options) =>
    client.identity.createUser(body, options),
  ),
  createSession: withBody({ email: 'a@b.c', password: 'correct horse' }, (body, options) =>
    client.identity.createSession(body, options),
  ),
  refreshSession: withBody({ refreshToken: 'r' }, (body, options) => client.identity.refreshSession(body, options)),
  endSession: { act: (options) => client.identity.endSession(options) },
  getMe: { act: (options) => client.identity.me(options) },
  enrolTotp: { act: (options) => client.identity.enrolTotp(options) },
  confirmTotp: withBody({ code: '123456' }, (body, options) => client.identity.confirmTotp(body, options)),
  verifyTotp: withBody({ code: '123456' }, (body, options) => client.identity.verifyTotp(body, options)),
};

function withBody<Body>(body: Body, act: (body: Body, options?: CallOptions) => PromiseLike<unknown>) {
  return { act: (options?: CallOptions) => act(body, options), body };
}

const callNames = Object.keys(calls) as CallName[];

test.each(callNames)('the SDK method for %s sends the request that the contract declares', async (name) => {
  const call: CallContract = calls[name];
  const { act, body } = clientCalls[name];
  let seen: Request | undefined;
  server.use(
    http.all('*', ({ request }) => {
      seen = request.clone();
      const data = name.startsWith('list') || name === 'createMovements' ? [] : { id };
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

test.each(callNames)('the SDK method for %s accepts request options as its last argument', async (name) => {
  const call: CallContract = calls[name];
  const options = { headers: { traceparent: '00-abc' }, idempotencyKey: 'row-7', trackerId: 'home', maxRetries: 1 };
  const seen: Request[] = [];
  server.use(
    http.all('*', ({ request }) => {
      seen.push(request.clone());
      return new HttpResponse(null, { status: 429, headers: { 'retry-after': '86400' } });
    }),
  );
  const refused = await clientCalls[name]
    .act({ ...options, timeoutMs: 10_000 })
    .then(null, (reason: unknown) => reason);
  expect(refused).toMatchObject({ name: 'RateLimitError', retryAfterMs: 86_400_000 });
  expect(seen).toHaveLength(1);
  expect(seen[0]?.headers.get('traceparent')).toBe('00-abc');
  expect(seen[0]?.headers.get('idempotency-key')).toBe(call.idempotency === 'ignored' ? null : 'row-7');
  const namesTracker = call.tracker === 'required' || call.tracker === 'optional';
  expect(seen[0]?.headers.get('x-service-tracker-id')).toBe(namesTracker ? 'home' : null);

  const reason = new Error('no longer needed');
  const stopped = clientCalls[name].act({ signal: AbortSignal.abort(reason) });
  expect(await stopped.then(null, (error: unknown) => error)).toBe(reason);
  expect(seen).toHaveLength(1);
});
