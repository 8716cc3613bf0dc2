import { type CallContract, calls, type ErrorCode, pathOf } from '@centavo/contracts/calls';
import * as testing from '../src/testing/index.js';
import { type CallName, errorAnswer, successAnswer } from '../src/testing/index.js';
import { anAuditEvent, anAuditHead } from './an-audit-event.js';

const tracker = testing.aTracker();
const account = testing.anAccount();
const credential = testing.aCreatedCredential();
const steppedUp = { accessToken: 'stepped-up', expiresAt: testing.sharedMoment };
const user = { userId: testing.sharedUserId, email: 'ana@example.com', displayName: 'Ana' };

/** The data that the server returns for each API operation. */
const answers: Readonly<Record<CallName, unknown>> = {
  getContext: testing.aContext(),
  setActiveTracker: testing.aContext(),
  setDefaultTracker: testing.aContext(),
  listTrackers: [tracker],
  createTracker: tracker,
  updateTracker: tracker,
  listMembers: [testing.aMember()],
  addMember: testing.aMember({ role: 'editor', status: 'invited' }),
  changeMemberRole: testing.aMember({ role: 'viewer' }),
  removeMember: undefined,
  listInvitations: [testing.anInvitation()],
  acceptInvitation: testing.aMember({ role: 'editor' }),
  declineInvitation: undefined,
  listAccounts: [account],
  listCashboxes: [testing.aCashbox()],
  listBalances: [testing.aBalance()],
  createAccount: { ...account, cashboxes: [testing.aCashbox({ accountId: account.id })] },
  updateAccount: account,
  createCashbox: testing.aCashbox(),
  updateCashbox: testing.aCashbox(),
  listCategories: [testing.theUnknownCategory()],
  getCategory: testing.theUnknownCategory(),
  createCategory: testing.aCategory(),
  listMovements: [testing.aMovement()],
  createMovement: testing.aMovement(),
  createMovements: [testing.aMovement(), testing.aMovement()],
  getMovement: testing.aMovement(),
  correctMovement: testing.aMovement({ version: 2 }),
  summarizeMovements: [],
  voidMovement: testing.aMovement({ version: 2, voidedAt: '2026-02-01T12:00:00.000Z' }),
  voidTransfer: testing.aTransfer({ voidedAt: '2026-02-01T12:00:00.000Z' }),
  createTransfer: testing.aTransfer(),
  getTransfer: testing.aTransfer(),
  listBudgets: [testing.aBudget()],
  getBudget: testing.aBudgetDetail(),
  createBudget: testing.aBudgetDetail(),
  addBudgetLine: testing.aBudgetLine(),
  listChanges: [],
  listAuditEvents: [anAuditEvent],
  getAuditHead: anAuditHead,
  listSecurityEvents: [],
  listApiKeys: [testing.aCredential()],
  createApiKey: credential,
  rotateApiKey: credential,
  revokeApiKey: undefined,
  listIntegrationClients: [testing.aCredential({ kind: 'integration_client' })],
  createIntegrationClient: { ...credential, kind: 'integration_client' },
  revokeIntegrationClient: undefined,
  listWebhooks: [testing.aWebhook()],
  getWebhook: testing.aWebhook(),
  createWebhook: testing.aCreatedWebhook(),
  updateWebhook: testing.aWebhook({ status: 'paused' }),
  deleteWebhook: undefined,
  rotateWebhookSecret: testing.aCreatedWebhook(),
  testWebhook: testing.aWebhookDelivery({ type: 'webhook.test', sequence: null, status: 'pending', attempts: 0 }),
  listWebhookDeliveries: [testing.aWebhookDelivery()],
  retryWebhookDelivery: testing.aWebhookDelivery({ status: 'pending' }),
  replayWebhook: { count: 1 },
  createUser: { ...user, createdAt: testing.sharedMoment },
  createSession: testing.aSession(),
  refreshSession: testing.aSession(),
  endSession: undefined,
  getMe: { ...user, totpEnrolled: false },
  enrolTotp: { secret: 'JBSWY3DPEHPK3PXP', otpauthUri: 'otpauth://totp/Centavo:ana@example.com' },
  confirmTotp: steppedUp,
  verifyTotp: steppedUp,
};

/** The failure of an example's first request: an error response, an unusable response, no response, or a failed connection. */
export type FirstFailure = ErrorCode | CursorReason | 'refused' | 'lost' | 'silent' | 'not-json' | 'redirect';
type CursorReason = 'cursor_diverged' | 'cursor_expired';

/**
 * Returns a `fetch` that responds to each operation with fixed data. A write does not change later responses. If `first` is given,
 * the first request fails in this way.
 */
export function exampleServer(first?: FirstFailure): (url: string, init: RequestInit) => Promise<Response> {
  let requests = 0;
  return async (url, init) => {
    requests += 1;
    if (requests === 1 && first !== undefined) return fail(first);
    const { pathname, searchParams } = new URL(url);
    const [name, call] = find(init.method ?? 'GET', pathname);
    // The tracker has one audit event, so the page after a cursor is empty.
    const data = name === 'listAuditEvents' && searchParams.has('cursor') ? [] : answers[name];
    return successAnswer(data, {
      status: call.status,
      ...(/(Movement|Transfer)$/.test(name) && { etag: '"version-1"' }),
    });
  };
}

function find(method: string, path: string): readonly [CallName, CallContract] {
  const all = Object.entries(calls) as [CallName, CallContract][];
  const found = all.find(([, call]) => {
    const anyIds = new Proxy({}, { get: () => 'ID' });
    const pattern = new RegExp(`^${pathOf(call, anyIds).replaceAll('ID', '[^/]+')}$`);
    return call.method === method && pattern.test(path);
  });
  if (found === undefined) throw new Error(`No API operation matches ${method} ${path}`);
  return found;
}

function fail(failure: FirstFailure): Response | Promise<Response> {
  if (failure === 'silent') return new Promise(() => {});
  if (failure === 'refused' || failure === 'lost') {
    const [code, syscall] = failure === 'refused' ? ['ECONNREFUSED', 'connect'] : ['ECONNRESET', 'read'];
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, syscall }) });
  }
  if (failure === 'not-json') return new Response('<html>Sign in to the Wi-Fi</html>');
  if (failure === 'redirect') return new Response(null, { status: 302, headers: { location: 'https://example.org/' } });
  if (failure === 'cursor_diverged' || failure === 'cursor_expired')
    return errorAnswer('STATE_CONFLICT', { details: { reason: failure, restart: true } });
  return errorAnswer(failure, { retryAfterSeconds: 3600 });
}
