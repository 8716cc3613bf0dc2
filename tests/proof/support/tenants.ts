import { randomBytes, randomUUID } from 'node:crypto';
import { type Answer, type Call, type CallOptions, callsTo } from '../../acceptance/support/call-api.js';

type Headers = Readonly<Record<string, string>>;

/** A user with a tracker. */
export interface Tenant {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly trackerId: string;
  /** The headers of requests as the user, valid for a quarter of an hour. */
  readonly asUser: Headers;
  /** The headers of requests as an integration client of the user, valid longer than any proof. */
  readonly asProgram: Headers;
}

const programScopes = [
  'accounts:read',
  'balances:read',
  'budgets:read',
  'budgets:write',
  'catalog:read',
  'catalog:write:tracker',
  'changes:read',
  'movements:read',
  'movements:write',
  'transfers:write',
];

/** Registers a user, and creates a tracker in euros and an integration client for this user. */
export async function createTenant(origin: string): Promise<Tenant> {
  const user = await registerUser(origin);
  const { id: trackerId } = await succeed(callsTo(origin, user.headers), 'POST /v1/financial/trackers', {
    body: { name: 'Household', currencyCode: 'EUR', timeZone: 'Europe/Madrid' },
  });
  const asUser = { ...user.headers, 'X-Service-Tracker-Id': trackerId };
  const asProgram = { ...(await openProgram(origin, user.headers)), 'X-Service-Tracker-Id': trackerId };
  return { ...user, trackerId, asUser, asProgram };
}

/** Registers a user and logs the user in. */
export async function registerUser(
  origin: string,
): Promise<{ readonly userId: string; readonly email: string; readonly password: string; readonly headers: Headers }> {
  // Each user has its own IP address and thus its own rate limits, if the server trusts a proxy (`TRUST_PROXY`).
  const call = callsTo(origin, { 'X-Forwarded-For': `10.${[...randomBytes(3)].join('.')}` });
  const body = { email: `${randomUUID()}@example.org`, password: 'correct horse battery' };
  const { userId } = await succeed(call, 'POST /v1/identity/users', { body });
  const { accessToken } = await succeed(call, 'POST /v1/identity/sessions', { body });
  return { ...body, userId, headers: { Authorization: `Bearer ${accessToken}` } };
}

/** Creates an integration client with access to all trackers of the user. */
export async function openProgram(
  origin: string,
  asUser: Headers,
  scopes: readonly string[] = programScopes,
): Promise<{ readonly Authorization: string }> {
  const { secret } = await succeed(callsTo(origin, asUser), 'POST /v1/financial/integration-clients', {
    body: { name: 'Program', scopes },
  });
  return { Authorization: `Bearer ${secret}` };
}

/** Invites a user to a tracker, and accepts as that user. */
export async function addMember(
  origin: string,
  member: {
    readonly asOwner: Headers;
    readonly trackerId: string;
    readonly user: { readonly email: string; readonly headers: Headers };
    readonly role: string;
  },
): Promise<void> {
  const { asOwner, trackerId, user, role } = member;
  await succeed(callsTo(origin, asOwner), `POST /v1/financial/trackers/${trackerId}/members`, {
    body: { email: user.email, role },
  });
  await succeed(callsTo(origin, user.headers), `POST /v1/financial/invitations/${trackerId}/accept`);
}

/** Sends a request that must succeed, and returns its data. @throws Error if it is refused */
export async function succeed(call: Call, methodAndPath: string, options?: CallOptions): Promise<Answer['data']> {
  const { status, data, error } = await call(methodAndPath, options);
  if (status >= 300) throw new Error(`${methodAndPath}: ${status} ${JSON.stringify(error)}`);
  return data;
}
