import { type CallContract, calls, type Role, roles, type Scope, scopes } from '@centavo/contracts';
import { describe, expect, test } from 'vitest';
import { decide, facts, here, kinds, nowSeconds, refused } from '../../test-support/decide-by-facts.js';

const there = '0190f2a0-0000-7000-8000-00000000000b';
const elsewhere = '0190f2a0-0000-7000-8000-00000000000c';
const headerRequired = ['header.X-Service-Tracker-Id TRACKER_HEADER_REQUIRED'];

describe('who is calling', () => {
  test('a user has every scope, a secret its own', () => {
    expect(decide(calls.listMovements, facts({})).principal).toEqual({
      type: 'user',
      id: 'u1',
      name: 'ana@example.org',
      kind: null,
      scopes,
      expiresAt: null,
      userId: 'u1',
      credentialId: null,
      activeTrackerId: null,
      defaultTrackerId: null,
      root: 'user:u1',
    });
    const secret = facts({ kind: 'secure', scopes: ['movements:read'] });
    expect(decide(calls.listMovements, secret).principal).toMatchObject({
      type: 'integration_client',
      id: 'c1',
      kind: 'secure',
      scopes: ['movements:read'],
      userId: 'u1',
      credentialId: 'c1',
      root: 'lineage:c1',
    });
  });

  test('an unknown secret or user is 401', () => {
    expect(refused(calls.listMovements, { ...facts({}), user: null })).toEqual({ code: 'CREDENTIAL_INVALID' });
  });

  test.each(kinds.slice(1))('a revoked %s credential is 401, an expired one too, and revoked goes first', (kind) => {
    expect(refused(calls.listMovements, facts({ kind, isRevoked: true }))).toEqual({ code: 'CREDENTIAL_REVOKED' });
    expect(refused(calls.listMovements, facts({ kind, isExpired: true }))).toEqual({ code: 'CREDENTIAL_EXPIRED' });
    expect(refused(calls.listMovements, facts({ kind, isRevoked: true, isExpired: true }))).toEqual({
      code: 'CREDENTIAL_REVOKED',
    });
  });

  test('an ended session is 401 on every call; where no sessions are kept, none has ended', () => {
    expect(refused(calls.listMovements, facts({ sessionActive: false }))).toEqual({ code: 'SESSION_INACTIVE' });
    expect(decide(calls.listMovements, { ...facts({}), sessionActive: null }).principal.type).toBe('user');
  });
});

describe('in which tracker', () => {
  const header = '0190F2A0-0000-7000-8000-00000000000A';

  test.each(kinds)('%s: the one of the header, in any spelling of it', (kind) => {
    expect(decide(calls.listMovements, facts({ kind, eligible: [here, there] }), { header }).tracker?.id).toBe(here);
  });

  test.each(kinds)('%s: a malformed header is 400, on calls that need no tracker as well', (kind) => {
    const malformed = ['header.X-Service-Tracker-Id INVALID_FORMAT'];
    for (const text of ['home', '', `${here} `]) {
      expect(refused(calls.listMovements, facts({ kind, tracker: null }), { header: text })).toEqual(malformed);
      expect(refused(calls.listTrackers, facts({ kind, tracker: null }), { header: text })).toEqual(malformed);
    }
  });

  test.each(kinds)(
    '%s: a tracker in the header that is unknown or not eligible is 403, and no other takes its place',
    (kind) => {
      const forbidden = { code: 'TRACKER_FORBIDDEN', trackerIds: [elsewhere] };
      expect(refused(calls.listMovements, facts({ kind, tracker: null }), { header: elsewhere })).toEqual(forbidden);
      expect(refused(calls.listTrackers, facts({ kind, tracker: null }), { header: elsewhere })).toEqual(forbidden);
      expect(refused(calls.listMovements, facts({ kind, tracker: null }), { header: elsewhere.toUpperCase() })).toEqual(
        forbidden,
      );
    },
  );

  test.each(kinds)('%s: without a header and with one eligible, that one', (kind) => {
    expect(decide(calls.listMovements, facts({ kind })).tracker?.id).toBe(here);
  });

  test.each(kinds)('%s: without a header and with none eligible, 403 with no ids', (kind) => {
    expect(refused(calls.listMovements, facts({ kind, tracker: null, eligible: [] }))).toEqual({
      code: 'TRACKER_FORBIDDEN',
      trackerIds: [],
    });
  });

  test.each(kinds)('%s: without a header, with several and nothing chosen, 400', (kind) => {
    expect(refused(calls.listMovements, facts({ kind, tracker: null, eligible: [here, there] }))).toEqual(
      headerRequired,
    );
  });

  test('a secure key with several is asked for the header even when it has chosen one', () => {
    const chosen = facts({ kind: 'secure', tracker: null, eligible: [here, there], chosen: here });
    expect(refused(calls.listMovements, chosen)).toEqual(headerRequired);
    const gone = facts({ kind: 'secure', tracker: null, eligible: [here, there], chosen: elsewhere });
    expect(refused(calls.listMovements, gone)).toEqual(headerRequired);
  });

  test.each(['user', 'legacy', 'integration_client'] as const)(
    '%s: a chosen tracker that is no longer eligible is 403, never silently another',
    (kind) => {
      const gone = facts({ kind, tracker: null, eligible: [here], chosen: elsewhere });
      expect(refused(calls.listMovements, gone)).toEqual({ code: 'TRACKER_FORBIDDEN', trackerIds: [elsewhere] });
    },
  );

  test('calls that only use one if there is one go on without', () => {
    const none = facts({ tracker: null, eligible: [here, there] });
    for (const call of [calls.listTrackers, calls.setActiveTracker, calls.listApiKeys, calls.createTracker]) {
      expect(decide(call, none).tracker).toBeNull();
    }
  });

  test('a tracker in the path that is not mine is 404, like one that never existed', () => {
    expect(refused(calls.updateTracker, facts({ tracker: null, eligible: [here] }))).toEqual({ code: 'NOT_FOUND' });
    expect(refused(calls.listMembers, facts({ tracker: null, eligible: [] }))).toEqual({ code: 'NOT_FOUND' });
  });
});

describe('step-up', () => {
  const stale = { code: 'STEP_UP_REQUIRED', method: 'totp', maxAgeSeconds: 600 };

  test('is asked to create and rotate keys, and of a recent code', () => {
    for (const call of [calls.createApiKey, calls.rotateApiKey]) {
      expect(refused(call, facts({}))).toEqual(stale);
      expect(refused(call, facts({}), { totpAtSeconds: nowSeconds - 601 })).toEqual(stale);
      expect(decide(call, facts({}), { totpAtSeconds: nowSeconds - 600 }).principal.type).toBe('user');
    }
  });

  test('is not asked to list or revoke them, nor to create integration clients', () => {
    for (const call of [calls.listApiKeys, calls.revokeApiKey, calls.createIntegrationClient]) {
      expect(decide(call, facts({})).principal.type).toBe('user');
    }
  });

  test('is not what a secret is told: no code would help it', () => {
    expect(refused(calls.createApiKey, facts({ kind: 'secure' }))).toEqual({ code: 'USER_SESSION_REQUIRED' });
  });
});

describe('the order of checks', () => {
  test('an ended session goes before the step-up', () => {
    expect(refused(calls.createApiKey, facts({ sessionActive: false }))).toEqual({ code: 'SESSION_INACTIVE' });
  });

  test('the credential goes before the tracker', () => {
    expect(refused(calls.listMovements, facts({ kind: 'secure', isRevoked: true }), { header: 'x' })).toEqual({
      code: 'CREDENTIAL_REVOKED',
    });
    expect(refused(calls.createApiKey, facts({}), { header: 'x' })).toMatchObject({ code: 'STEP_UP_REQUIRED' });
  });

  test('the tracker goes before scope and role', () => {
    const without = facts({ kind: 'secure', scopes: [], tracker: null, eligible: [here, there] });
    expect(refused(calls.createMovement, without)).toEqual(headerRequired);
    expect(refused(calls.createMovement, without, { header: elsewhere })).toMatchObject({ code: 'TRACKER_FORBIDDEN' });
  });

  test('the scope goes before the role', () => {
    const entered = facts({ kind: 'legacy', scopes: ['catalog:read'], role: 'viewer' });
    expect(refused(calls.createMovement, entered)).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });

  test('the kind of principal goes before the tracker of the path', () => {
    const secret = facts({ kind: 'secure', tracker: null });
    expect(refused(calls.updateTracker, secret)).toEqual({ code: 'USER_SESSION_REQUIRED' });
  });
});

describe('with what right', () => {
  const table: readonly [CallContract, Role | null][] = [
    [calls.getContext, null],
    [calls.listTrackers, null],
    [calls.listMovements, 'viewer'],
    [calls.listAccounts, 'viewer'],
    [calls.listBalances, 'viewer'],
    [calls.listBudgets, 'viewer'],
    [calls.listCategories, 'viewer'],
    [calls.getTransfer, 'viewer'],
    [calls.createMovement, 'editor'],
    [calls.correctMovement, 'editor'],
    [calls.createTransfer, 'editor'],
    [calls.createBudget, 'editor'],
    [calls.addBudgetLine, 'editor'],
  ];

  test.each(table)('a user may $name from the role %s on', (call, least) => {
    for (const role of roles) {
      const entered = facts({ role });
      if (least === null || roles.indexOf(role) >= roles.indexOf(least)) {
        expect(decide(call, entered).tracker?.role).toBe(role);
      } else {
        expect(refused(call, entered)).toEqual({ code: 'INSUFFICIENT_ROLE', requiredRole: least });
      }
    }
  });

  test.each(table)('a secret may $name with its scope, and with no other', (call) => {
    const others = scopes.filter((scope) => !call.scopes.includes(scope));
    expect(decide(call, facts({ kind: 'secure', scopes: call.scopes })).principal.scopes).toEqual(call.scopes);
    expect(refused(call, facts({ kind: 'secure', scopes: others }))).toEqual({
      code: 'INSUFFICIENT_SCOPE',
      requiredScopes: call.scopes,
    });
  });

  test("a secret with the scope is held to its owner's role", () => {
    const entered = facts({ kind: 'legacy', scopes: ['movements:write'], role: 'viewer' });
    expect(refused(calls.createMovement, entered)).toEqual({ code: 'INSUFFICIENT_ROLE', requiredRole: 'editor' });
  });

  test('either scope opens the creation of categories; a viewer may still make user-wide ones', () => {
    const withScope = (scope: Scope, role: Role) => facts({ kind: 'legacy', scopes: [scope], role });
    expect(decide(calls.createCategory, withScope('catalog:write:tracker', 'editor')).tracker?.role).toBe('editor');
    expect(decide(calls.createCategory, withScope('catalog:write:user', 'viewer')).tracker?.role).toBe('viewer');
    expect(decide(calls.createCategory, facts({ role: 'viewer' })).tracker?.role).toBe('viewer');
    expect(refused(calls.createCategory, withScope('catalog:write:tracker', 'viewer'))).toEqual({
      code: 'INSUFFICIENT_ROLE',
      requiredRole: 'editor',
    });
    expect(refused(calls.createCategory, withScope('catalog:read', 'owner'))).toEqual({
      code: 'INSUFFICIENT_SCOPE',
      requiredScopes: ['catalog:write:tracker', 'catalog:write:user'],
    });
  });

  test.each([
    calls.updateTracker,
    calls.addMember,
    calls.changeMemberRole,
    calls.createAccount,
    calls.updateCashbox,
  ] as readonly CallContract[])('a user may $name as an admin, and not as an editor', (call) => {
    expect(decide(call, facts({ role: 'admin' })).tracker?.role).toBe('admin');
    expect(refused(call, facts({ role: 'editor' }))).toEqual({ code: 'INSUFFICIENT_ROLE', requiredRole: 'admin' });
  });

  test.each(Object.values(calls).filter(({ caller }) => caller === 'user') as readonly CallContract[])(
    'no secret may $name, whatever its scopes and its owner',
    (call) => {
      for (const kind of kinds.slice(1)) {
        expect(refused(call, facts({ kind }))).toEqual({ code: 'USER_SESSION_REQUIRED' });
      }
    },
  );
});
