import { randomUUID } from 'node:crypto';
import type { LargeDatabaseIds } from './fill-large-database.js';

/** Somebody who asks a server. */
interface Asker {
  readonly origin: string;
  readonly token: string;
  readonly password: string;
  readonly email: string;
}

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Makes every call that asks the database for more than who is calling, and the lists with each of their filters.
 * @param options.onOperation told what is asked, before it is
 * @throws Error when one is refused
 */
export async function runEveryOperation(options: {
  readonly asker: Asker;
  readonly books: LargeDatabaseIds;
  readonly onOperation: (title: string) => void;
}): Promise<void> {
  const { asker, books, onOperation } = options;
  let bearer = asker.token;

  async function ask(title: string, methodAndPath: string, asked: Asked = {}) {
    onOperation(title);
    const [method = '', path = ''] = methodAndPath.split(' ');
    const response = await fetch(`${asker.origin}/v1/${path.startsWith('identity/') ? '' : 'financial/'}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${bearer}`,
        'X-Service-Tracker-Id': books.trackerId,
        ...(asked.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...asked.headers,
      },
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
    });
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${methodAndPath}: ${response.status} ${text}`);
    return { etag: response.headers.get('etag') ?? '', ...(text === '' ? {} : JSON.parse(text)) };
  }
  const keyed = () => ({ 'Idempotency-Key': randomUUID() });
  const list = (title: string, query: string) => ask(`movements, ${title}`, `GET movements${query}`);

  const account = books.account(1);
  const category = books.category(3);
  const several = [3, 4, 5].map(books.category).join(',');
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
  await list('of a cashbox', `?cashboxId=${books.cashbox(1)}`);
  await list('of an account and a cashbox', `?accountId=${account}&cashboxId=${books.cashbox(1)}`);
  await list('from a day on', '?from=2025-12-01');
  await list('until a day', '?to=2023-06-30');
  await list('of a month and an account', `?from=2025-05-01&to=2025-05-31&accountId=${account}`);
  await list('with the total', '?includeTotal=true');
  await list('of an account with the total', `?accountId=${account}&includeTotal=true`);
  await list('of several categories with the total', `?categoryIds=${several}&includeTotal=true`);
  await list('of a month with the total', '?from=2025-05-01&to=2025-05-31&includeTotal=true');

  await ask('a movement', `GET movements/${books.movement(2)}`);
  await ask('a transfer', `GET transfers/${books.transfer(50)}`);
  await ask('the balances', 'GET balances');
  await ask('the accounts', 'GET accounts');
  await ask('the cashboxes of an account', `GET accounts/${account}/cashboxes`);
  await ask('the categories', 'GET categories');
  await ask('a category of somebody else', 'GET categories/cat_of_4_1');
  await ask('the budgets', 'GET budgets');
  await ask('a budget', `GET budgets/${books.budget(1)}`);
  await ask('the context', 'GET context');
  await ask('the trackers', 'GET trackers');
  const members = await ask('the members', `GET trackers/${books.trackerId}/members`);
  await ask('the api keys', 'GET api-keys');
  await ask('the integration clients', 'GET integration-clients');
  await ask('who I am', 'GET identity/me');

  const movement = { type: 'expense', amountDecimal: '1.00', accountId: account, cashboxId: books.cashbox(1) };
  const headers = keyed();
  const recorded = await ask('record a movement', 'POST movements', { headers, body: movement });
  await ask('record a movement again', 'POST movements', { headers, body: movement });
  await ask('record a movement of a category', 'POST movements', {
    headers: keyed(),
    body: { ...movement, categoryId: 'cat_of_4_1' },
  });
  await ask('correct a movement', `PATCH movements/${recorded.data.id}`, {
    headers: { ...keyed(), 'If-Match': recorded.etag },
    body: { amountDecimal: '2.00', categoryId: category },
  });
  await ask('record a transfer', 'POST transfers', {
    headers: keyed(),
    body: {
      amountDecimal: '1.00',
      fromAccountId: account,
      fromCashboxId: books.cashbox(1),
      toAccountId: books.account(2),
      toCashboxId: books.cashbox(2),
    },
  });
  const name = randomUUID();
  await ask('make a category', 'POST categories', { headers: keyed(), body: { name } });
  await ask('make a category of my own', 'POST categories', { headers: keyed(), body: { name, scope: 'user' } });
  const line = { categoryId: category, plannedDecimal: '10.00' };
  const budget = { name, mode: 'tracking', periodStart: '2025-10-01', periodEnd: '2025-10-31', lines: [line] };
  const made = await ask('make a budget', 'POST budgets', { headers: keyed(), body: budget });
  await ask('add a line to a budget', `POST budgets/${made.data.id}/lines`, {
    headers: keyed(),
    body: { ...line, categoryId: books.category(4) },
  });
  const opened = await ask('open an account', 'POST accounts', { body: { name, type: 'checking' } });
  await ask('rename an account', `PATCH accounts/${opened.data.id}`, { body: { name: 'Renamed' } });
  const cashbox = await ask('open a cashbox', `POST accounts/${opened.data.id}/cashboxes`, { body: { name } });
  await ask('rename a cashbox', `PATCH cashboxes/${cashbox.data.id}`, { body: { name: 'Renamed' } });
  await ask('rename a tracker', `PATCH trackers/${books.trackerId}`, { body: { name: 'Renamed' } });
  await ask('choose a tracker', 'PUT context/active-tracker', { body: { trackerId: books.trackerId } });
  const invited = await ask('invite a member', `POST trackers/${books.trackerId}/members`, {
    body: { email: 'stranger20@example.org', role: 'viewer' },
  });
  const invitation = `trackers/${books.trackerId}/members/${invited.data.userId}`;
  await ask('change the role of an invitation', `PATCH ${invitation}`, { body: { role: 'editor' } });
  await ask('withdraw an invitation', `DELETE ${invitation}`);
  const editor = members.data.find(({ role }: { role: string }) => role === 'editor');
  const member = `trackers/${books.trackerId}/members/${editor.userId}`;
  await ask('change a role', `PATCH ${member}`, { body: { role: 'owner' } });
  await ask('remove a member', `DELETE ${member}`);
  const [first, second] = (await ask('the invitations', 'GET invitations')).data;
  await ask('accept an invitation', `POST invitations/${first.trackerId}/accept`);
  await ask('decline an invitation', `DELETE invitations/${second.trackerId}`);
  await ask('make a tracker', 'POST trackers', { body: { name, currencyCode: 'EUR', timeZone: 'UTC' } });
  const client = await ask('make an integration client', 'POST integration-clients', {
    body: { name, scopes: ['movements:read'] },
  });
  bearer = client.data.secret;
  await ask('ask with a secret', 'GET movements');
  bearer = asker.token;
  await ask('revoke an integration client', `DELETE integration-clients/${client.data.clientId}`);
  const session = await ask('log in', 'POST identity/sessions', {
    body: { email: asker.email, password: asker.password },
  });
  await ask('refresh a session', 'POST identity/sessions/refresh', {
    body: { refreshToken: session.data.refreshToken },
  });
  bearer = session.data.accessToken;
  await ask('log out', 'DELETE identity/sessions/current');
}
