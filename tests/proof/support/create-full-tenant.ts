import { randomUUID } from 'node:crypto';
import { generate } from 'otplib';
import { callsTo } from '../../acceptance/support/call-api.js';
import { until } from '../../acceptance/support/until.js';
import { prepareAccounts } from './prepared-writes.js';
import { createTenant, registerUser, succeed, type Tenant } from './tenants.js';

/** A tenant with at least one record of each kind. `asUser` has verified a one-time code and may create keys. */
export interface FullTenant extends Tenant {
  readonly accountId: string;
  readonly cashboxId: string;
  readonly otherAccountId: string;
  readonly otherCashboxId: string;
  readonly categoryId: string;
  readonly movementId: string;
  readonly movementEtag: string;
  readonly externalId: string;
  readonly groupId: string;
  readonly budgetId: string;
  readonly apiKeyId: string;
  readonly clientId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  /** The secret of the user's one-time codes. */
  readonly codeSecret: string;
  /** The time step of the last used code. Each code is valid for one use. */
  readonly codeStep: number;
}

/** Creates a tenant and uses each part of the API once, so that each table has a row of the tenant. */
export async function createFullTenant(origin: string): Promise<FullTenant> {
  const tenant = await createTenant(origin);
  const { codeSecret, codeStep, accessToken } = await enrolOneTimeCodes(origin, tenant.asUser);
  const asUser = { ...tenant.asUser, Authorization: `Bearer ${accessToken}` };
  const call = callsTo(origin, asUser);
  const create = (path: string, body: unknown) =>
    succeed(call, `POST /v1/financial/${path}`, { headers: { 'Idempotency-Key': randomUUID() }, body });
  const { accountId, otherAccountId, categoryId, budgetId } = await prepareAccounts(call);
  const externalId = randomUUID();
  const movement = await call('POST /v1/financial/movements', {
    headers: { 'Idempotency-Key': randomUUID() },
    body: { type: 'expense', amountDecimal: '1.00', accountId, categoryId, description: 'Bread', externalId },
  });
  const transfer = await create('transfers', {
    amountDecimal: '2.00',
    fromAccountId: accountId,
    toAccountId: otherAccountId,
  });
  await create('categories', { name: 'Mine', scope: 'user' });
  await create(`budgets/${budgetId}/lines`, { categoryId, plannedDecimal: '5.00' });
  const apiKey = await create('api-keys', {
    name: 'Key',
    scopes: ['movements:read'],
    access: { mode: 'selected', trackerIds: [tenant.trackerId] },
  });
  // The host name resolves to no address, so no delivery succeeds.
  const webhook = await create('webhooks', { url: 'https://hooks.invalid/' });
  const delivery = await create(`webhooks/${webhook.id}/test`, {});
  const guest = await registerUser(origin);
  await create(`trackers/${tenant.trackerId}/members`, { email: guest.email, role: 'viewer' });
  const clients = await succeed(call, 'GET /v1/financial/integration-clients');
  return {
    ...tenant,
    asUser,
    codeSecret,
    codeStep,
    accountId,
    otherAccountId,
    cashboxId: transfer.from.cashboxId,
    otherCashboxId: transfer.to.cashboxId,
    categoryId,
    budgetId,
    movementId: movement.data.id,
    movementEtag: movement.headers.get('ETag') ?? '',
    externalId,
    groupId: transfer.groupId,
    apiKeyId: apiKey.clientId,
    clientId: clients[0].clientId,
    webhookId: webhook.id,
    deliveryId: delivery.id,
  };
}

/** Enrols one-time codes and verifies the first one. The returned access token proves this verification. */
async function enrolOneTimeCodes(
  origin: string,
  asUser: Tenant['asUser'],
): Promise<{ readonly codeSecret: string; readonly codeStep: number; readonly accessToken: string }> {
  const call = callsTo(origin, asUser);
  const { secret: codeSecret } = await succeed(call, 'POST /v1/identity/totp');
  const codeStep = stepNow();
  const { accessToken } = await succeed(call, 'POST /v1/identity/totp/confirm', {
    body: { code: await codeOf(codeSecret, codeStep) },
  });
  return { codeSecret, codeStep, accessToken };
}

/** Logs the user in again with a one-time code, because access tokens are valid for a quarter of an hour. */
export async function logInAgain(origin: string, tenant: FullTenant): Promise<FullTenant> {
  const { email, password, codeSecret } = tenant;
  const session = await succeed(callsTo(origin), 'POST /v1/identity/sessions', { body: { email, password } });
  const call = callsTo(origin, { Authorization: `Bearer ${session.accessToken}` });
  await until('the authenticator shows the next code', () => stepNow() > tenant.codeStep);
  const codeStep = stepNow();
  const { accessToken } = await succeed(call, 'POST /v1/identity/totp/verify', {
    body: { code: await codeOf(codeSecret, codeStep) },
  });
  return { ...tenant, codeStep, asUser: { ...tenant.asUser, Authorization: `Bearer ${accessToken}` } };
}

const stepSeconds = 30;

function stepNow(): number {
  return Math.floor(Date.now() / 1000 / stepSeconds);
}

function codeOf(secret: string, step: number): Promise<string> {
  return generate({ secret, epoch: step * stepSeconds });
}
