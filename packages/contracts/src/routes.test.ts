import { describe, expect, test } from 'vitest';
import { errorCodesOf, pathOf } from './call-contract.js';
import { calls } from './calls.js';
import { errorCodes } from './error-codes.js';
import { jwksPath } from './identity/identity.calls.js';
import type { RouteContract } from './route-contract.js';
import { routes } from './routes.js';

const all: readonly RouteContract[] = Object.values(routes);
const shape = (template: string) => template.replace(/\{\w+\}/g, '{}');

function findRoute(base: string, method: string, path: string): RouteContract {
  const found = all.filter(
    ({ call }) => call.base === base && call.method === method && shape(call.path) === shape(path),
  );
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`${found.length} routes for ${method} ${base}${path}`);
  return only;
}

// The tables of the specification's Endpoints section: method, path, scopes. Credential administration has no scopes.
const specified: readonly [method: string, path: string, scopes: readonly string[]][] = [
  ['GET', '/context', ['context:read']],
  ['PUT', '/context/active-tracker', ['context:write']],
  ['PUT', '/context/default-tracker', ['context:write']],
  ['GET', '/trackers', ['trackers:read']],
  ['GET', '/categories', ['catalog:read']],
  ['GET', '/categories/{categoryId}', ['catalog:read']],
  ['POST', '/categories', ['catalog:write:tracker', 'catalog:write:user']],
  ['GET', '/accounts', ['accounts:read']],
  ['GET', '/accounts/{accountId}/cashboxes', ['accounts:read']],
  ['GET', '/balances', ['balances:read']],
  ['GET', '/budgets', ['budgets:read']],
  ['GET', '/budgets/{budgetId}', ['budgets:read']],
  ['POST', '/budgets', ['budgets:write']],
  ['POST', '/budgets/{budgetId}/lines', ['budgets:write']],
  ['GET', '/movements', ['movements:read']],
  ['POST', '/movements', ['movements:write']],
  ['GET', '/movements/{movementId}', ['movements:read']],
  ['PATCH', '/movements/{movementId}', ['movements:write']],
  ['POST', '/transfers', ['transfers:write']],
  ['GET', '/transfers/{groupId}', ['movements:read']],
  ['GET', '/api-keys', []],
  ['POST', '/api-keys', []],
  ['POST', '/api-keys/{clientId}/rotate', []],
  ['DELETE', '/api-keys/{clientId}', []],
  ['GET', '/integration-clients', []],
  ['POST', '/integration-clients', []],
  ['DELETE', '/integration-clients/{clientId}', []],
];

// The operations of section 0.2 of the additions.
const added: readonly [method: string, path: string, scopes: readonly string[]][] = [
  ['POST', '/movements/bulk', ['movements:write']],
  ['GET', '/movements/summary', ['movements:read']],
  ['POST', '/movements/{movementId}/void', ['movements:write']],
  ['POST', '/transfers/{groupId}/void', ['transfers:write']],
  ['GET', '/webhooks', ['webhooks:read']],
  ['GET', '/webhooks/{webhookId}', ['webhooks:read']],
  ['POST', '/webhooks', ['webhooks:write']],
  ['PATCH', '/webhooks/{webhookId}', ['webhooks:write']],
  ['DELETE', '/webhooks/{webhookId}', ['webhooks:write']],
  ['POST', '/webhooks/{webhookId}/rotate-secret', ['webhooks:write']],
  ['POST', '/webhooks/{webhookId}/test', ['webhooks:write']],
  ['GET', '/webhooks/{webhookId}/deliveries', ['webhooks:read']],
  ['POST', '/webhooks/{webhookId}/deliveries/{deliveryId}/retry', ['webhooks:write']],
  ['POST', '/webhooks/{webhookId}/replay', ['webhooks:write']],
  ['GET', '/changes', ['changes:read']],
  ['GET', '/audit-events', ['audit:read']],
  ['GET', '/audit-events/head', ['audit:read']],
];

test('GET /security-events requires a user session, and accepts a tracker without requiring it', () => {
  const { call } = findRoute('/v1/financial', 'GET', '/security-events');
  expect(call).toMatchObject({ caller: 'user', tracker: 'optional', scopes: [], resource: 'events' });
});

test.each(added)('%s %s is declared with the scopes %j', (method, path, scopes) => {
  expect(findRoute('/v1/financial', method, path).call).toMatchObject({ path, scopes, caller: 'principal' });
});

describe('an endpoint of the specification', () => {
  test('is in the table `specified`, which has 27 rows', () => {
    expect(specified).toHaveLength(27);
  });

  // @proves spec, Context and trackers: GET · /context
  // @proves spec, Context and trackers: PUT · /context/active-tracker
  // @proves spec, Context and trackers: PUT · /context/default-tracker
  // @proves spec, Context and trackers: GET · /trackers
  // @proves spec, Catalog, accounts, balances: GET · /categories
  // @proves spec, Catalog, accounts, balances: GET · /categories/{categoryId}
  // @proves spec, Catalog, accounts, balances: POST · /categories
  // @proves spec, Catalog, accounts, balances: GET · /accounts
  // @proves spec, Catalog, accounts, balances: GET · /accounts/{accountId}/cashboxes
  // @proves spec, Catalog, accounts, balances: GET · /balances
  // @proves spec, Budgets: GET · /budgets?mode=&status=
  // @proves spec, Budgets: GET · /budgets/{budgetId}
  // @proves spec, Budgets: POST · /budgets
  // @proves spec, Budgets: POST · /budgets/{budgetId}/lines
  // @proves spec, Movements and transfers: GET · /movements
  // @proves spec, Movements and transfers: POST · /movements
  // @proves spec, Movements and transfers: GET · /movements/{movementId}
  // @proves spec, Movements and transfers: PATCH · /movements/{movementId}
  // @proves spec, Movements and transfers: POST · /transfers
  // @proves spec, Movements and transfers: GET · /transfers/{groupId}
  // @proves spec, Authentication: context:read
  // @proves spec, Authentication: context:write
  // @proves spec, Authentication: trackers:read
  // @proves spec, Authentication: catalog:read
  // @proves spec, Authentication: accounts:read
  // @proves spec, Authentication: balances:read
  // @proves spec, Authentication: budgets:read
  // @proves spec, Authentication: budgets:write
  // @proves spec, Authentication: movements:read
  // @proves spec, Authentication: movements:write
  // @proves spec, Authentication: transfers:write
  test.each(specified)('%s %s is declared with the scopes %j', (method, path, scopes) => {
    const { call } = findRoute('/v1/financial', method, path);
    expect(call.path).toBe(path);
    expect(call.scopes).toEqual(scopes);
  });

  // @proves spec, Credential administration: GET · /api-keys
  // @proves spec, Credential administration: POST · /api-keys
  // @proves spec, Credential administration: POST · /api-keys/{clientId}/rotate
  // @proves spec, Credential administration: DELETE · /api-keys/{clientId}
  // @proves spec, Credential administration: GET · /integration-clients
  // @proves spec, Credential administration: POST · /integration-clients
  // @proves spec, Credential administration: DELETE · /integration-clients/{clientId}
  test.each(specified.filter(([, , scopes]) => scopes.length === 0))(
    '%s %s requires a user session',
    (method, path) => {
      expect(findRoute('/v1/financial', method, path).call.caller).toBe('user');
    },
  );

  test.each(specified.filter(([, , scopes]) => scopes.length > 0))(
    '%s %s accepts a user session, an API key or an integration client',
    (method, path) => {
      expect(findRoute('/v1/financial', method, path).call.caller).toBe('principal');
    },
  );

  // @proves spec, Credential administration: POST · /api-keys
  test('like every other endpoint, requires `stepUp` if and only if it creates the secret of an API key or a webhook', () => {
    expect(all.filter(({ call }) => call.stepUp).map(({ call }) => `${call.method} ${call.path}`)).toEqual([
      'POST /webhooks',
      'POST /webhooks/{webhookId}/rotate-secret',
      'POST /api-keys',
      'POST /api-keys/{clientId}/rotate',
    ]);
  });

  test('requires a tracker; the tracker is optional only if the endpoint lists or chooses trackers or manages credentials', () => {
    const withoutTracker = /^\/(context\/|trackers|api-keys|integration-clients)/;
    for (const [method, path] of specified) {
      const { call } = findRoute('/v1/financial', method, path);
      expect([path, call.tracker]).toEqual([path, withoutTracker.test(path) ? 'optional' : 'required']);
    }
  });
});

// Contract, section 9: method, path, the required role.
const management: readonly [method: string, path: string, role: string | null][] = [
  ['POST', '/trackers', null],
  ['PATCH', '/trackers/{id}', 'admin'],
  ['GET', '/trackers/{id}/members', null],
  ['POST', '/trackers/{id}/members', 'admin'],
  ['PATCH', '/trackers/{id}/members/{userId}', 'admin'],
  // Members may remove themselves, so the required role depends on the member to remove.
  ['DELETE', '/trackers/{id}/members/{userId}', null],
  ['GET', '/invitations', null],
  ['POST', '/invitations/{trackerId}/accept', null],
  ['DELETE', '/invitations/{trackerId}', null],
  ['POST', '/accounts', 'admin'],
  ['PATCH', '/accounts/{id}', 'admin'],
  ['POST', '/accounts/{id}/cashboxes', 'admin'],
  ['PATCH', '/cashboxes/{id}', 'admin'],
];

describe('the management operation', () => {
  // @proves contract 9: POST /trackers
  // @proves contract 9: PATCH /trackers/{id}
  // @proves contract 9: GET, POST /trackers/{id}/members
  // @proves contract 9: POST /accounts
  // @proves contract 9: PATCH /accounts/{id}
  // @proves contract 9: POST /accounts/{id}/cashboxes
  // @proves contract 9: PATCH /cashboxes/{id}
  test.each(management)('%s %s requires a user session (role: %s)', (method, path, role) => {
    const { call } = findRoute('/v1/financial', method, path);
    expect(call).toMatchObject({ caller: 'user', role, scopes: [] });
  });

  test.each(management.filter(([, path]) => path.startsWith('/trackers/')))(
    '%s %s uses the tracker that its path names',
    (method, path) => {
      const { call } = findRoute('/v1/financial', method, path);
      expect(call.tracker).toBe('path');
      expect(call.path).toContain('{trackerId}');
    },
  );

  test.each(management.filter(([, path]) => path.startsWith('/invitations')))(
    '%s %s uses no tracker, because the caller is not a member yet',
    (method, path) => {
      expect(findRoute('/v1/financial', method, path).call.tracker).toBe('none');
    },
  );
});

// Contract, section 8: method, path, caller, the status of a success.
const identity: readonly [method: string, path: string, caller: string, status: number][] = [
  ['POST', '/users', 'anyone', 201],
  ['POST', '/sessions', 'anyone', 201],
  ['POST', '/sessions/refresh', 'anyone', 200],
  ['DELETE', '/sessions/current', 'user', 204],
  ['GET', '/me', 'user', 200],
  ['POST', '/totp', 'user', 201],
  ['POST', '/totp/confirm', 'user', 200],
  ['POST', '/totp/verify', 'user', 200],
];

describe('the identity operation', () => {
  test.each(identity)('%s %s accepts the caller "%s" and returns %i', (method, path, caller, status) => {
    const { call } = findRoute('/v1/identity', method, path);
    expect(call).toMatchObject({ caller, status, tracker: 'none', resource: 'identity' });
  });

  // @proves contract 8: GET /.well-known/jwks.json (at the root)
  test('for the public keys has a path at the root of the server', () => {
    expect(jwksPath).toBe('/.well-known/jwks.json');
  });
});

describe('the table of operations', () => {
  // @proves spec, Versioning: rule 1
  test('has exactly as many routes as the specification, the additions and the contract together', () => {
    expect(all).toHaveLength(specified.length + added.length + management.length + identity.length + 1);
  });

  test('has each route under its operation name', () => {
    for (const [name, route] of Object.entries(routes)) expect(route.call.name).toBe(name);
  });

  test('has exactly the operations that calls.ts exports', () => {
    expect(Object.keys(routes).sort()).toEqual(Object.keys(calls).sort());
    for (const route of all) expect(route.call).toBe(calls[route.call.name as keyof typeof calls]);
  });

  test('has no two routes with the same method and path pattern', () => {
    const keys = all.map(({ call }) => `${call.method} ${call.base}${shape(call.path)}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('lists only existing error codes for each operation, and no code twice', () => {
    for (const { call } of all) {
      const codes = errorCodesOf(call);
      expect(codes.filter((code) => !Object.hasOwn(errorCodes, code))).toEqual([]);
      expect(new Set(codes).size).toBe(codes.length);
    }
  });

  // @proves contract 1: create operations
  test('declares 201 for creations, 204 for DELETE operations, and 200 for other operations', () => {
    const notCreating = ['/sessions/refresh', '/totp/confirm', '/totp/verify', '/invitations/{trackerId}/accept'];
    const voids = ['/movements/{movementId}/void', '/transfers/{groupId}/void'];
    const ofWebhooks = [
      '/webhooks/{webhookId}/rotate-secret',
      '/webhooks/{webhookId}/deliveries/{deliveryId}/retry',
      '/webhooks/{webhookId}/replay',
    ];
    for (const { call } of all) {
      const creates = call.method === 'POST' && ![...notCreating, ...voids, ...ofWebhooks].includes(call.path);
      expect([call.name, call.status]).toEqual([call.name, creates ? 201 : call.method === 'DELETE' ? 204 : 200]);
    }
  });

  test('declares response data for every operation except those that return 204', () => {
    for (const { call, data } of all) expect([call.name, data === null]).toEqual([call.name, call.status === 204]);
  });

  // @proves contract 1: create operations
  // @proves contract 10a: Location
  test('declares a Location for every operation with status 201, except for identity operations', () => {
    for (const { call, location } of all) {
      const hasLocation = call.status === 201 && call.base !== '/v1/identity';
      expect([call.name, location !== null]).toEqual([call.name, hasLocation]);
    }
  });

  test('paginates the lists of movements, audit events, security events and webhook deliveries, and no other list', () => {
    expect(all.filter(({ paginated }) => paginated).map(({ call }) => call.name)).toEqual([
      'listMovements',
      'listAuditEvents',
      'listSecurityEvents',
      'listWebhookDeliveries',
    ]);
  });

  test('lets only listChanges, listAuditEvents, getAuditHead, createWebhook and updateWebhook assign the missing sequence numbers of recorded events', () => {
    expect(all.filter(({ call }) => call.numbersEvents).map(({ call }) => call.name)).toEqual([
      'listChanges',
      'listAuditEvents',
      'getAuditHead',
      'createWebhook',
      'updateWebhook',
    ]);
  });

  test('declares a body for every POST, PUT and PATCH except enrolTotp and acceptInvitation, and for no GET or DELETE', () => {
    const bodyless = ['enrolTotp', 'acceptInvitation'];
    for (const { call, body } of all) {
      const takes = ['POST', 'PUT', 'PATCH'].includes(call.method) && !bodyless.includes(call.name);
      expect([call.name, body !== null]).toEqual([call.name, takes]);
    }
  });

  test('declares an optional body only for voids, rotations of secrets and keys, and tests and retries of webhooks', () => {
    expect(all.filter(({ bodyOptional }) => bodyOptional).map(({ call }) => call.name)).toEqual([
      'voidMovement',
      'voidTransfer',
      'rotateWebhookSecret',
      'testWebhook',
      'retryWebhookDelivery',
      'rotateApiKey',
    ]);
  });
});

describe('the header', () => {
  const named = (idempotency: string) =>
    all
      .filter(({ call }) => call.idempotency === idempotency)
      .map(({ call }) => `${call.method} ${call.path}`)
      .sort();

  // @proves spec, Endpoints: Idempotency-Key
  // @proves spec, Movements and transfers: PATCH · /movements/{movementId}
  // @proves contract 6: Operations with a key
  test('Idempotency-Key is required to create, correct or void a movement, and to create or void a transfer', () => {
    expect(named('required')).toEqual([
      'PATCH /movements/{movementId}',
      'POST /movements',
      'POST /movements/{movementId}/void',
      'POST /transfers',
      'POST /transfers/{groupId}/void',
    ]);
  });

  // @proves contract 6: Operations with a key
  test('Idempotency-Key is optional to create a budget, a budget line or a category', () => {
    expect(named('accepted')).toEqual(['POST /budgets', 'POST /budgets/{budgetId}/lines', 'POST /categories']);
  });

  test('Idempotency-Key is required or rejected, depending on the mode of the request, only for POST /movements/bulk', () => {
    expect(named('by_mode')).toEqual(['POST /movements/bulk']);
  });

  // @proves contract 6: Operations with a key
  // @proves contract 10a: Smaller
  test('Idempotency-Key is ignored by all operations that the tests above do not list', () => {
    const others = [...named('required'), ...named('accepted'), ...named('by_mode')];
    expect(named('ignored')).toHaveLength(all.length - others.length);
  });

  test('If-Match is required only for corrections and voids', () => {
    expect(all.filter(({ call }) => call.ifMatch === 'required').map(({ call }) => call.name)).toEqual([
      'correctMovement',
      'voidMovement',
      'voidTransfer',
    ]);
  });
});

describe('errorCodesOf', () => {
  test('includes the error codes of each check that the operation makes, and omits those of checks that it does not make', () => {
    const correct = errorCodesOf(calls.correctMovement);
    for (const code of [
      'VALIDATION_ERROR',
      'CREDENTIAL_REVOKED',
      'TRACKER_FORBIDDEN',
      'INSUFFICIENT_SCOPE',
      'INSUFFICIENT_ROLE',
      'NOT_FOUND',
      'VERSION_CONFLICT',
      'IDEMPOTENCY_KEY_REUSED',
      'IDEMPOTENCY_IN_PROGRESS',
      'STATE_CONFLICT',
      'RATE_LIMITED',
    ] as const) {
      expect(correct).toContain(code);
    }
    expect(errorCodesOf(calls.createApiKey)).toEqual(
      expect.arrayContaining(['STEP_UP_REQUIRED', 'SESSION_INACTIVE', 'USER_SESSION_REQUIRED']),
    );
    expect(errorCodesOf(calls.listMovements)).not.toContain('IDEMPOTENCY_KEY_REUSED');
    expect(errorCodesOf(calls.createUser)).not.toContain('UNAUTHENTICATED');
  });
});

describe('the paths', () => {
  test('of requests have percent-encoded parameters, so that an id cannot leave its path segment', () => {
    expect(pathOf(calls.getCategory, { categoryId: '../a b?c' })).toBe('/v1/financial/categories/..%2Fa%20b%3Fc');
    expect(pathOf(calls.removeMember, { trackerId: 't', userId: 'u' })).toBe('/v1/financial/trackers/t/members/u');
    expect(pathOf(calls.getMe, {})).toBe('/v1/identity/me');
  });

  // @proves contract 10a: Location
  test('in Location headers lead to the created record, its collection or its budget', () => {
    const id = '0190f2a0-0000-7000-8000-000000000001';
    const locations: readonly [RouteContract, object, Record<string, string>, string][] = [
      [routes.createMovement, { id }, {}, `/v1/financial/movements/${id}`],
      [routes.createMovements, [{ id }], {}, '/v1/financial/movements'],
      [routes.createTransfer, { groupId: id }, {}, `/v1/financial/transfers/${id}`],
      [routes.createCategory, { id: 'cat_1' }, {}, '/v1/financial/categories/cat_1'],
      [routes.createBudget, { id }, {}, `/v1/financial/budgets/${id}`],
      [routes.addBudgetLine, { budgetId: id }, {}, `/v1/financial/budgets/${id}`],
      [routes.createWebhook, { id }, {}, `/v1/financial/webhooks/${id}`],
      [routes.testWebhook, {}, { webhookId: id }, `/v1/financial/webhooks/${id}/deliveries`],
      [routes.createApiKey, {}, {}, '/v1/financial/api-keys'],
      [routes.rotateApiKey, {}, { clientId: id }, '/v1/financial/api-keys'],
      [routes.createIntegrationClient, {}, {}, '/v1/financial/integration-clients'],
      [routes.createTracker, { id }, {}, '/v1/financial/trackers'],
      [routes.addMember, {}, { trackerId: id }, `/v1/financial/trackers/${id}/members`],
      [routes.createAccount, { id }, {}, '/v1/financial/accounts'],
      [routes.createCashbox, { accountId: id }, {}, `/v1/financial/accounts/${id}/cashboxes`],
    ];
    for (const [route, data, parameters, location] of locations) {
      expect(route.location?.(data as never, parameters)).toBe(location);
    }
    expect(locations).toHaveLength(all.filter((route) => route.location !== null).length);
  });
});
