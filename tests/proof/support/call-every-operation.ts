import { randomUUID } from 'node:crypto';
import { type Call, callsTo } from '../../acceptance/support/call-api.js';
import type { FullTenant } from './create-full-tenant.js';
import { type ApiDocument, type OwnRequest, ownRequests } from './id-slots.js';
import { type registerUser, succeed } from './tenants.js';

type Guest = Awaited<ReturnType<typeof registerUser>>;

/**
 * Sends a request for each operation of the financial API, as a tenant in its own tracker. The order is chosen so that
 * each request can succeed.
 * @param options.guest a user outside the tracker, who is invited to it, and who invites the tenant to two new trackers
 * @returns the refusals, each with name, status and error
 * @throws Error if the OpenAPI document of the server has an operation for which this function has no request
 */
export async function callEveryOperation(options: {
  readonly origin: string;
  readonly tenant: FullTenant;
  readonly guest: Guest;
}): Promise<string[]> {
  const { origin, tenant, guest } = options;
  const document = (await (await fetch(`${origin}/openapi.json`)).json()) as ApiDocument;
  const operations = new Map(
    Object.entries(document.paths)
      .filter(([template]) => template.startsWith('/v1/financial/'))
      .flatMap(([template, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => [operationId, { method, template }] as const),
      ),
  );
  const inTracker = { trackerId: tenant.trackerId, userId: guest.userId };
  const requests: Readonly<Record<string, OwnRequest>> = {
    ...ownRequests(tenant),
    addMember: { path: inTracker, body: { email: guest.email, role: 'viewer' } },
    changeMemberRole: { path: inTracker, body: { role: 'editor' } },
    removeMember: { path: inTracker },
    acceptInvitation: { path: { trackerId: await inviteToNewTracker(origin, { guest, tenant }) } },
    declineInvitation: { path: { trackerId: await inviteToNewTracker(origin, { guest, tenant }) } },
    // By now the account has a second cashbox, so the transfer must name the cashboxes.
    createTransfer: { body: transferOf(tenant) },
  };
  const unknown = [...operations.keys()].filter((name) => requests[name] === undefined);
  if (unknown.length > 0) throw new Error(`There is no request for ${unknown.join(', ')}. Add it to ownRequests.`);
  const call = callsTo(origin, tenant.asUser);
  const refusals: string[] = [];
  for (const [name, { path, query = {}, headers = {}, body }] of Object.entries(requests)) {
    const { method = '', template = '' } = operations.get(name) ?? {};
    const filled = template.replace(/\{(\w+)\}/g, (_, parameter: string) => path?.[parameter] ?? '');
    const keyed: Record<string, string> = { ...headers, 'Idempotency-Key': randomUUID() };
    if ('If-Match' in headers) keyed['If-Match'] = await etagOf(call, filled.replace(/\/void$/, ''));
    const { status, error } = await call(`${method.toUpperCase()} ${filled}?${new URLSearchParams(query)}`, {
      headers: keyed,
      body,
    });
    if (status >= 300) refusals.push(`${name}: ${status} ${JSON.stringify(error)}`);
  }
  return refusals;
}

async function etagOf(call: Call, path: string): Promise<string> {
  const { headers } = await call(`GET ${path}`);
  return headers.get('ETag') ?? '';
}

async function inviteToNewTracker(
  origin: string,
  { guest, tenant }: { readonly guest: Guest; readonly tenant: FullTenant },
): Promise<string> {
  const call = callsTo(origin, guest.headers);
  const { id } = await succeed(call, 'POST /v1/financial/trackers', {
    body: { name: 'Club', currencyCode: 'EUR', timeZone: 'UTC' },
  });
  await succeed(call, `POST /v1/financial/trackers/${id}/members`, { body: { email: tenant.email, role: 'editor' } });
  return id;
}

function transferOf({ accountId, cashboxId, otherAccountId, otherCashboxId }: FullTenant) {
  return {
    amountDecimal: '1.00',
    fromAccountId: accountId,
    fromCashboxId: cashboxId,
    toAccountId: otherAccountId,
    toCashboxId: otherCashboxId,
  };
}
