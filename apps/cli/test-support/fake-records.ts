import { randomUUID } from 'node:crypto';
import { aSecret } from '@centavo/sdk/testing';
import { HttpResponse } from 'msw';
import { refusal, success, tracker, trackerId, trackerIdOf } from './fake-responses.js';

type Json = Record<string, unknown>;

interface FakeRequest {
  readonly route: string;
  readonly body: Json;
  readonly url: URL;
  readonly headers: Headers;
}

const createdAt = '2026-01-01T00:00:00.000Z';

/**
 * Resources of the API, in memory: members, invitations, keys, clients, cashboxes, balances, budgets and transfers. `FakeApi`
 * handles some requests itself, and passes the others to this class. This class also creates and changes trackers, and changes
 * accounts. It computes no sums; a test sets the sums of a budget.
 */
export class FakeRecords {
  readonly members: Json[] = [];
  readonly invitations: Json[] = [];
  readonly keys: Json[] = [];
  readonly clients: Json[] = [];
  readonly cashboxes: Json[] = [];
  readonly balances: Json[] = [];
  readonly budgets: Json[] = [];
  readonly transfers: Json[] = [];

  reset(): void {
    for (const list of Object.values(this)) if (Array.isArray(list)) list.length = 0;
  }

  addMember(fields: Json): Json {
    return add(this.members, {
      userId: randomUUID(),
      displayName: null,
      role: 'viewer',
      status: 'active',
      createdAt,
      registeredAt: '2025-06-01T00:00:00.000Z',
      ...fields,
    });
  }

  addInvitation(fields: Json): Json {
    return add(this.invitations, {
      trackerId: randomUUID(),
      role: 'editor',
      invitedBy: { userId: randomUUID(), email: 'eva@example.com', displayName: 'Eva' },
      createdAt,
      expiresAt: '2026-01-31T00:00:00.000Z',
      ...fields,
    });
  }

  addKey(fields: Json): Json {
    return add(this.keys, credential(fields));
  }

  addClient(fields: Json): Json {
    return add(this.clients, { ...credential(fields), kind: 'integration_client' });
  }

  addCashbox(fields: Json): Json {
    const base = { id: randomUUID(), trackerId, currencyCode: 'USD', isEligible: true, status: 'active' };
    return add(this.cashboxes, { ...base, createdAt, updatedAt: createdAt, ...fields });
  }

  addBalance(fields: Json): Json {
    const ids = { accountId: randomUUID(), cashboxId: randomUUID(), currencyCode: 'USD', asOf: createdAt };
    return add(this.balances, { ...ids, ...fields });
  }

  addBudget(fields: Json): Json {
    const totals = {
      plannedDecimal: '0.00',
      actualDecimal: '0.00',
      remainingDecimal: '0.00',
      unplannedDecimal: '0.00',
    };
    return add(this.budgets, {
      id: randomUUID(),
      trackerId,
      mode: 'tracking',
      status: 'active',
      currencyCode: 'USD',
      periodStart: '2026-01-01',
      periodEnd: '2026-01-31',
      lineCount: Array.isArray(fields.lines) ? fields.lines.length : 0,
      createdAt,
      updatedAt: createdAt,
      lines: [],
      summary: { expense: totals, income: totals },
      progress: { daysTotal: 31, daysElapsed: 10, elapsedRatio: '0.3225', expenseRatio: null },
      ...fields,
    });
  }

  /** Returns the response to a request. If the record is unknown, the response is a 404. For unknown routes, returns undefined. */
  respond(
    { route, body, url, headers }: FakeRequest,
    known: { accounts: Json[]; categories: Json[]; trackers: Json[] },
  ) {
    const [method = '', path = ''] = route.split(' ');
    const [, resource = '', id = '', subresource = '', lastId = ''] = path.split('/');
    switch (
      `${method} ${[resource, id === '' ? '' : ':id', subresource, lastId === '' ? '' : ':id'].filter(Boolean).join('/')}`
    ) {
      case 'GET context':
        return success(contextOf(trackerIdOf(headers)));
      case 'PUT context/:id':
        return success(contextOf(String(body.trackerId)));
      case 'POST trackers':
        return success(tracker({ id: randomUUID(), ...body }), { status: 201 });
      case 'PATCH trackers/:id':
        return patch(known.trackers, 'id', id, body);
      case 'GET trackers/:id/members':
        return success(this.members);
      case 'POST trackers/:id/members':
        return success(this.addMember({ ...body, status: 'invited' }), { status: 201 });
      case 'PATCH trackers/:id/members/:id':
        return patch(this.members, 'userId', lastId, body);
      case 'DELETE trackers/:id/members/:id':
        return remove(this.members, 'userId', lastId);
      case 'GET invitations':
        return success(this.invitations);
      case 'POST invitations/:id/accept': {
        const role = this.invitations.find(({ trackerId }) => trackerId === id)?.role;
        const removal = remove(this.invitations, 'trackerId', id);
        return removal.ok ? success(this.addMember({ email: 'ana@example.com', role })) : removal;
      }
      case 'DELETE invitations/:id':
        return remove(this.invitations, 'trackerId', id);
      case 'PATCH accounts/:id':
        return patch(known.accounts, 'id', id, body);
      case 'GET accounts/:id/cashboxes':
        return success(this.cashboxes.filter(({ accountId }) => accountId === id));
      case 'POST accounts/:id/cashboxes':
        return success(this.addCashbox({ accountId: id, ...body }), { status: 201 });
      case 'PATCH cashboxes/:id':
        return patch(this.cashboxes, 'id', id, body);
      case 'GET balances':
        return success(this.balances);
      case 'GET categories/:id':
        return find(known.categories, 'id', id);
      case 'GET api-keys':
        return success(this.keys);
      case 'POST api-keys/:id/rotate':
        return rotate(this.keys, id, body);
      case 'DELETE api-keys/:id':
        return revoke(this.keys, id);
      case 'GET integration-clients':
        return success(this.clients);
      case 'POST integration-clients':
        return success({ ...this.addClient(body), secret: aSecret() }, { status: 201 });
      case 'DELETE integration-clients/:id':
        return revoke(this.clients, id);
      case 'GET budgets':
        return success(this.budgets.filter((budget) => matches(budget, url.searchParams)).map(withoutLines));
      case 'POST budgets':
        return success(this.addBudget({ ...body, lines: linesOf(body.lines, randomUUID()) }), { status: 201 });
      case 'GET budgets/:id':
        return find(this.budgets, 'id', id);
      case 'POST budgets/:id/lines':
        return success(linesOf([body], id)[0], { status: 201 });
      case 'GET transfers/:id':
        return find(this.transfers, 'groupId', id, { etag: '"1"' });
      case 'POST transfers/:id/void':
        for (const leg of legsOf(this.transfers, id)) Object.assign(leg, { voidedAt: createdAt });
        return patch(this.transfers, 'groupId', id, { voidedAt: createdAt });
      default:
        return undefined;
    }
  }
}

function add(list: Json[], record: Json): Json {
  list.push(record);
  return record;
}

function find(list: readonly Json[], key: string, id: string, options: { etag?: string } = {}): Response {
  const record = list.find((candidate) => candidate[key] === id);
  return record === undefined ? refusal(404, 'NOT_FOUND') : success(record, options);
}

function patch(list: readonly Json[], key: string, id: string, body: Json): Response {
  Object.assign(list.find((candidate) => candidate[key] === id) ?? {}, body);
  return find(list, key, id);
}

function legsOf(transfers: readonly Json[], id: string): readonly Json[] {
  return (transfers.find(({ groupId }) => groupId === id)?.movements ?? []) as Json[];
}

function remove(list: Json[], key: string, id: string): Response {
  const index = list.findIndex((candidate) => candidate[key] === id);
  if (index === -1) return refusal(404, 'NOT_FOUND');
  list.splice(index, 1);
  return new HttpResponse(null, { status: 204 });
}

function rotate(keys: Json[], id: string, body: Json): Response {
  const old = keys.find(({ clientId }) => clientId === id);
  if (old === undefined) return refusal(404, 'NOT_FOUND');
  const fresh = add(keys, { ...old, clientId: randomUUID(), secretLast4: 'wxyz', rotatedFrom: id, ...body });
  return success({ ...fresh, secret: aSecret() }, { status: 201 });
}

function revoke(list: readonly Json[], id: string): Response {
  const record = list.find(({ clientId }) => clientId === id);
  if (record === undefined) return refusal(404, 'NOT_FOUND');
  Object.assign(record, { status: 'revoked', revokedAt: createdAt });
  return new HttpResponse(null, { status: 204 });
}

function matches(record: Json, filters: URLSearchParams): boolean {
  return [...filters].every(([name, value]) => record[name] === value);
}

function withoutLines({ lines: _lines, summary: _summary, progress: _progress, ...budget }: Json): Json {
  return budget;
}

function linesOf(lines: unknown, budgetId: string): Json[] {
  return ((lines ?? []) as Json[]).map((line) => ({
    id: randomUUID(),
    budgetId,
    type: 'expense',
    actualDecimal: '0.00',
    remainingDecimal: line.plannedDecimal,
    note: null,
    createdAt,
    ...line,
  }));
}

function contextOf(id: string): Json {
  const principal = { type: 'user', id: randomUUID(), name: 'Ana', kind: null, scopes: [], expiresAt: null };
  return { activeTrackerId: id, defaultTrackerId: id, resolvedBy: 'active', principal };
}

function credential(fields: Json): Json {
  return {
    clientId: randomUUID(),
    kind: 'secure',
    scopes: ['movements:read'],
    access: { mode: 'all_managed', trackerIds: [] },
    defaultTrackerId: null,
    secretPrefix: 'centavo_live_',
    secretLast4: 'abcd',
    status: 'active',
    expiresAt: '2026-04-01T00:00:00.000Z',
    lastUsedAt: null,
    rotatedFrom: null,
    createdAt,
    revokedAt: null,
    ...fields,
  };
}
