import { randomUUID } from 'node:crypto';
import type { LargeDatabaseIds } from './fill-large-database.js';

/** A user with a session on a server. */
interface SessionUser {
  readonly origin: string;
  readonly token: string;
  readonly password: string;
  readonly email: string;
}

interface RequestFields {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Calls the operations whose statements read tables that grow with use. Calls each list operation with each of its filters.
 * @param options.onOperation called with a title before each request
 * @throws Error when a response is not a success
 */
export async function runEveryOperation(options: {
  readonly user: SessionUser;
  readonly ids: LargeDatabaseIds;
  readonly onOperation: (title: string) => void;
}): Promise<void> {
  const { user, ids, onOperation } = options;
  let bearer = user.token;

  async function send(title: string, methodAndPath: string, fields: RequestFields = {}) {
    onOperation(title);
    const [method = '', path = ''] = methodAndPath.split(' ');
    const response = await fetch(`${user.origin}/v1/${path.startsWith('identity/') ? '' : 'financial/'}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${bearer}`,
        'X-Service-Tracker-Id': ids.trackerId,
        ...(fields.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...fields.headers,
      },
      ...(fields.body === undefined ? {} : { body: JSON.stringify(fields.body) }),
    });
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${methodAndPath}: ${response.status} ${text}`);
    return { etag: response.headers.get('etag') ?? '', ...(text === '' ? {} : JSON.parse(text)) };
  }
  const keyed = () => ({ 'Idempotency-Key': randomUUID() });
  const list = (title: string, query: string) => send(`movements, ${title}`, `GET movements${query}`);

  const account = ids.account(1);
  const category = ids.category(3);
  const several = [3, 4, 5].map(ids.category).join(',');
  const { meta } = await list('the newest', '');
  await list('after a cursor', `?cursor=${meta.pagination.nextCursor}`);
  await list('from an offset', '?offset=500');
  await list('of a type', '?type=income');
  await list('transfers', '?kind=transfer');
  await list('no transfers', '?kind=regular');
  await list('of a category', `?categoryId=${category}`);
  await list('of several categories', `?categoryIds=${several}`);
  await list('of several categories after a cursor', `?categoryIds=${several}&cursor=${meta.pagination.nextCursor}`);
  await list('of an account', `?accountId=${account}`);
  await list('of an account after a cursor', `?accountId=${account}&cursor=${meta.pagination.nextCursor}`);
  await list('of an account and a type', `?accountId=${account}&type=income`);
  await list('of an account and a category', `?accountId=${account}&categoryId=${category}`);
  await list('of a cashbox', `?cashboxId=${ids.cashbox(1)}`);
  await list('of an account and a cashbox', `?accountId=${account}&cashboxId=${ids.cashbox(1)}`);
  await list('of an external id', '?externalId=row-1');
  await list('of an external id with the total', '?externalId=row-1&includeVoided=true&includeTotal=true');
  await list('voided ones included', '?includeVoided=true&includeTotal=true');
  await list('from a day on', '?from=2025-12-01');
  await list('until a day', '?to=2023-06-30');
  await list('of a month and an account', `?from=2025-05-01&to=2025-05-31&accountId=${account}`);
  await list('with the total', '?includeTotal=true');
  await list('of an account with the total', `?accountId=${account}&includeTotal=true`);
  await list('of several categories with the total', `?categoryIds=${several}&includeTotal=true`);
  await list('of a month with the total', '?from=2025-05-01&to=2025-05-31&includeTotal=true');

  await send('a movement', `GET movements/${ids.movement(2)}`);
  await send('a transfer', `GET transfers/${ids.transfer(50)}`);
  await send('the balances', 'GET balances');
  await send('the balances on a day', 'GET balances?asOf=2025-12-01');
  for (const groupBy of ['category', 'month', 'merchant', 'account']) {
    await send(`a month by ${groupBy}`, `GET movements/summary?groupBy=${groupBy}&from=2025-05-01&to=2025-05-31`);
  }
  await send('the changes', 'GET changes');
  await send('the changes of a type', 'GET changes?resourceTypes=movement');
  await send('the changes with their records', 'GET changes?include=record');
  await send('the audit trail', 'GET audit-events');
  await send('the audit trail from its beginning', 'GET audit-events?order=asc&limit=1');
  await send('the audit trail of a record', `GET audit-events?resourceType=movement&resourceId=${ids.movement(2)}`);
  await send(
    'the audit trail of an actor',
    `GET audit-events?actorId=${ids.movement(2)}&type=movement.*&from=2025-01-01&to=2025-01-31`,
  );
  await send('the head of the audit trail', 'GET audit-events/head');
  const events = await send('the events of a user', 'GET security-events?limit=1');
  await send('the events of a user after a cursor', `GET security-events?cursor=${events.meta.pagination.nextCursor}`);
  await send('the accounts', 'GET accounts');
  await send('the cashboxes of an account', `GET accounts/${account}/cashboxes`);
  await send('the categories', 'GET categories');
  await send('a category of another user', 'GET categories/cat_of_4_1');
  await send('the budgets', 'GET budgets');
  await send('a budget', `GET budgets/${ids.budget(1)}`);
  await send('the context', 'GET context');
  await send('the trackers', 'GET trackers');
  const members = await send('the members', `GET trackers/${ids.trackerId}/members`);
  await send('the api keys', 'GET api-keys');
  await send('the integration clients', 'GET integration-clients');
  await send('the current user', 'GET identity/me');

  const movement = { type: 'expense', amountDecimal: '1.00', accountId: account, cashboxId: ids.cashbox(1) };
  const headers = keyed();
  const recorded = await send('record a movement', 'POST movements', { headers, body: movement });
  await send('record a movement again', 'POST movements', { headers, body: movement });
  await send('record a movement of a category', 'POST movements', {
    headers: keyed(),
    body: { ...movement, categoryId: 'cat_of_4_1' },
  });
  await send('correct a movement', `PATCH movements/${recorded.data.id}`, {
    headers: { ...keyed(), 'If-Match': recorded.etag },
    body: { amountDecimal: '2.00', categoryId: category },
  });
  const identified = await send('record a movement with an external id', 'POST movements', {
    headers: keyed(),
    body: { ...movement, externalId: 'row-1' },
  });
  await send('void a movement', `POST movements/${identified.data.id}/void`, {
    headers: { ...keyed(), 'If-Match': identified.etag },
  });
  await send('record movements in bulk', 'POST movements/bulk', {
    headers: keyed(),
    body: { movements: [{ ...movement, categoryId: category, externalId: randomUUID() }] },
  });
  await send('record movements of several keys', 'POST movements/bulk', {
    body: { mode: 'independent', movements: [{ ...movement, idempotencyKey: randomUUID() }] },
  });
  const transferred = await send('record a transfer', 'POST transfers', {
    headers: keyed(),
    body: {
      amountDecimal: '1.00',
      fromAccountId: account,
      fromCashboxId: ids.cashbox(1),
      toAccountId: ids.account(2),
      toCashboxId: ids.cashbox(2),
    },
  });
  await send('void a transfer', `POST transfers/${transferred.data.groupId}/void`, {
    headers: { ...keyed(), 'If-Match': transferred.etag },
  });
  const name = randomUUID();
  await send('make a category', 'POST categories', { headers: keyed(), body: { name } });
  await send('make a category of my own', 'POST categories', { headers: keyed(), body: { name, scope: 'user' } });
  const line = { categoryId: category, plannedDecimal: '10.00' };
  const budget = { name, mode: 'tracking', periodStart: '2025-10-01', periodEnd: '2025-10-31', lines: [line] };
  const made = await send('make a budget', 'POST budgets', { headers: keyed(), body: budget });
  await send('add a line to a budget', `POST budgets/${made.data.id}/lines`, {
    headers: keyed(),
    body: { ...line, categoryId: ids.category(4) },
  });
  const opened = await send('open an account', 'POST accounts', { body: { name, type: 'checking' } });
  await send('rename an account', `PATCH accounts/${opened.data.id}`, { body: { name: 'Renamed' } });
  const cashbox = await send('open a cashbox', `POST accounts/${opened.data.id}/cashboxes`, { body: { name } });
  await send('rename a cashbox', `PATCH cashboxes/${cashbox.data.id}`, { body: { name: 'Renamed' } });
  await send('rename a tracker', `PATCH trackers/${ids.trackerId}`, { body: { name: 'Renamed' } });
  await send('choose a tracker', 'PUT context/active-tracker', { body: { trackerId: ids.trackerId } });
  const invited = await send('invite a member', `POST trackers/${ids.trackerId}/members`, {
    body: { email: 'other20@example.org', role: 'viewer' },
  });
  const invitation = `trackers/${ids.trackerId}/members/${invited.data.userId}`;
  await send('change the role of an invitation', `PATCH ${invitation}`, { body: { role: 'editor' } });
  await send('withdraw an invitation', `DELETE ${invitation}`);
  const editor = members.data.find(({ role }: { role: string }) => role === 'editor');
  const member = `trackers/${ids.trackerId}/members/${editor.userId}`;
  await send('change a role', `PATCH ${member}`, { body: { role: 'owner' } });
  await send('remove a member', `DELETE ${member}`);
  const [first, second] = (await send('the invitations', 'GET invitations')).data;
  await send('accept an invitation', `POST invitations/${first.trackerId}/accept`);
  await send('decline an invitation', `DELETE invitations/${second.trackerId}`);
  await send('make a tracker', 'POST trackers', { body: { name, currencyCode: 'EUR', timeZone: 'UTC' } });
  const client = await send('make an integration client', 'POST integration-clients', {
    body: { name, scopes: ['movements:read', 'webhooks:read', 'webhooks:write'] },
  });
  bearer = client.data.secret;
  await send('list movements with a secret', 'GET movements');
  const webhook = await send('make an endpoint', 'POST webhooks', { body: { url: 'https://example.org/' } });
  const endpoint = `webhooks/${webhook.data.id}`;
  await send('the endpoints', 'GET webhooks');
  await send('an endpoint', `GET ${endpoint}`);
  await send('move an endpoint', `PATCH ${endpoint}`, { body: { url: 'https://example.com/' } });
  await send('pause an endpoint', `PATCH ${endpoint}`, { body: { status: 'paused' } });
  await send('resume an endpoint', `PATCH ${endpoint}`, { body: { status: 'active', resumeFrom: 'now' } });
  await send('rotate the secret of an endpoint', `POST ${endpoint}/rotate-secret`);
  const tested = await send('test an endpoint', `POST ${endpoint}/test`);
  await send('the deliveries', `GET ${endpoint}/deliveries`);
  await send('the failed deliveries', `GET ${endpoint}/deliveries?status=failed`);
  await send('retry a delivery', `POST ${endpoint}/deliveries/${tested.data.id}/retry`);
  await send('replay events', `POST ${endpoint}/replay`, { body: { fromSequence: 1, toSequence: 1000 } });
  await send('replay failed events', `POST ${endpoint}/replay`, {
    body: { fromSequence: 1, toSequence: 1000, onlyFailed: true },
  });
  await send('delete an endpoint', `DELETE ${endpoint}`);
  bearer = user.token;
  await send('revoke an integration client', `DELETE integration-clients/${client.data.clientId}`);
  const session = await send('log in', 'POST identity/sessions', {
    body: { email: user.email, password: user.password },
  });
  await send('refresh a session', 'POST identity/sessions/refresh', {
    body: { refreshToken: session.data.refreshToken },
  });
  bearer = session.data.accessToken;
  await send('log out', 'DELETE identity/sessions/current');
}
