import { allScopes, type CallContract, calls, type Role, roles, type Scope } from '@centavo/contracts';
import { describe, expect, test } from 'vitest';
import { decide, facts, here, kinds, nowSeconds, refused } from '../../test-support/access-facts.js';
import { requireRole } from './authorize.js';

const there = '0190f2a0-0000-7000-8000-00000000000b';
const elsewhere = '0190f2a0-0000-7000-8000-00000000000c';
const headerRequired = ['header.X-Service-Tracker-Id TRACKER_HEADER_REQUIRED'];

describe('requirePrincipal', () => {
  // @proves spec, Authentication: User session JWT
  // @proves contract 10a: Rights
  test('returns every scope for a user, and the stored scopes for an API key', () => {
    expect(decide(calls.listMovements, facts({})).principal).toEqual({
      type: 'user',
      id: 'u1',
      name: 'ana@example.org',
      kind: null,
      scopes: allScopes,
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

  test.each(kinds.slice(1))(
    'throws CREDENTIAL_REVOKED for a revoked %s credential, even if it has also expired, and CREDENTIAL_EXPIRED if it has only expired',
    (kind) => {
      expect(refused(calls.listMovements, facts({ kind, isRevoked: true }))).toEqual({ code: 'CREDENTIAL_REVOKED' });
      expect(refused(calls.listMovements, facts({ kind, isExpired: true }))).toEqual({ code: 'CREDENTIAL_EXPIRED' });
      expect(refused(calls.listMovements, facts({ kind, isRevoked: true, isExpired: true }))).toEqual({
        code: 'CREDENTIAL_REVOKED',
      });
    },
  );

  test('throws SESSION_INACTIVE for an ended session, and accepts a session of an external issuer, whose state is not stored', () => {
    expect(refused(calls.listMovements, facts({ sessionActive: false }))).toEqual({ code: 'SESSION_INACTIVE' });
    expect(decide(calls.listMovements, { ...facts({}), sessionActive: null }).principal.type).toBe('user');
  });
});

describe('choice of the tracker: decideAccess', () => {
  const header = '0190F2A0-0000-7000-8000-00000000000A';

  // @proves spec, Endpoints: X-Service-Tracker-Id
  test.each(kinds)('selects the tracker in the header, even if its id is in upper case (principal: %s)', (kind) => {
    expect(decide(calls.listMovements, facts({ kind, eligible: [here, there] }), { header }).tracker?.id).toBe(here);
  });

  // @proves contract 2: With X-Service-Tracker-Id
  test.each(kinds)(
    'throws a 400 error for a malformed tracker header, also when the operation requires no tracker (principal: %s)',
    (kind) => {
      const malformed = ['header.X-Service-Tracker-Id INVALID_FORMAT'];
      for (const text of ['home', '', `${here} `]) {
        expect(refused(calls.listMovements, facts({ kind, tracker: null }), { header: text })).toEqual(malformed);
        expect(refused(calls.listTrackers, facts({ kind, tracker: null }), { header: text })).toEqual(malformed);
      }
    },
  );

  // @proves contract 2: With X-Service-Tracker-Id
  test.each(kinds)(
    'throws TRACKER_FORBIDDEN for an unknown or ineligible tracker in the header, and selects no other tracker (principal: %s)',
    (kind) => {
      const forbidden = { code: 'TRACKER_FORBIDDEN', trackerIds: [elsewhere] };
      expect(refused(calls.listMovements, facts({ kind, tracker: null }), { header: elsewhere })).toEqual(forbidden);
      expect(refused(calls.listTrackers, facts({ kind, tracker: null }), { header: elsewhere })).toEqual(forbidden);
      expect(refused(calls.listMovements, facts({ kind, tracker: null }), { header: elsewhere.toUpperCase() })).toEqual(
        forbidden,
      );
    },
  );

  // @proves contract 2: A secure key without the header
  test.each(kinds)('selects the only eligible tracker when the header is missing (principal: %s)', (kind) => {
    expect(decide(calls.listMovements, facts({ kind })).tracker?.id).toBe(here);
  });

  // @proves contract 2: A secure key without the header
  test.each(kinds)(
    'throws TRACKER_FORBIDDEN with an empty list of trackers when there is no header and no eligible tracker (principal: %s)',
    (kind) => {
      expect(refused(calls.listMovements, facts({ kind, tracker: null, eligible: [] }))).toEqual({
        code: 'TRACKER_FORBIDDEN',
        trackerIds: [],
      });
    },
  );

  // @proves contract 2: A JWT, legacy or integration_client credential without the header
  test.each(kinds)(
    'throws TRACKER_HEADER_REQUIRED when the header is missing, several trackers are eligible and none was chosen (principal: %s)',
    (kind) => {
      expect(refused(calls.listMovements, facts({ kind, tracker: null, eligible: [here, there] }))).toEqual(
        headerRequired,
      );
    },
  );

  // @proves spec, Endpoints: X-Service-Tracker-Id
  // @proves spec, Authentication: rule 3
  test('throws TRACKER_HEADER_REQUIRED for a secure API key with several trackers and no tracker header, even if an active tracker is set', () => {
    const chosen = facts({ kind: 'secure', tracker: null, eligible: [here, there], chosen: here });
    expect(refused(calls.listMovements, chosen)).toEqual(headerRequired);
    const stale = facts({ kind: 'secure', tracker: null, eligible: [here, there], chosen: elsewhere });
    expect(refused(calls.listMovements, stale)).toEqual(headerRequired);
  });

  // @proves spec, Authentication: rule 1 › throws TRACKER_FORBIDDEN when the chosen tracker is no longer eligible, and selects no other tracker (principal: %s)
  // @proves contract 2: A JWT, legacy or integration_client credential without the header › throws TRACKER_FORBIDDEN when the chosen tracker is no longer eligible, and selects no other tracker (principal: %s)
  test.each(['user', 'legacy', 'integration_client'] as const)(
    'throws TRACKER_FORBIDDEN when the chosen tracker is no longer eligible, and selects no other tracker (principal: %s)',
    (kind) => {
      const stale = facts({ kind, tracker: null, eligible: [here], chosen: elsewhere });
      expect(refused(calls.listMovements, stale)).toEqual({ code: 'TRACKER_FORBIDDEN', trackerIds: [elsewhere] });
    },
  );

  // @proves contract 2: A JWT, legacy or integration_client credential without the header
  test('allows an operation that requires no tracker when no tracker is selected', () => {
    const none = facts({ tracker: null, eligible: [here, there] });
    for (const call of [calls.listTrackers, calls.setActiveTracker, calls.listApiKeys, calls.createTracker]) {
      expect(decide(call, none).tracker).toBeNull();
    }
  });

  test('throws NOT_FOUND when the caller may not use the tracker in the path', () => {
    expect(refused(calls.updateTracker, facts({ tracker: null, eligible: [here] }))).toEqual({ code: 'NOT_FOUND' });
    expect(refused(calls.listMembers, facts({ tracker: null, eligible: [] }))).toEqual({ code: 'NOT_FOUND' });
  });
});

describe('recent one-time code: decideAccess', () => {
  const stale = { code: 'STEP_UP_REQUIRED', method: 'totp', maxAgeSeconds: 600 };

  // @proves spec, Authentication: rule 4
  test('throws STEP_UP_REQUIRED for creating or rotating an API key without a one-time code of the last 600 seconds', () => {
    for (const call of [calls.createApiKey, calls.rotateApiKey]) {
      expect(refused(call, facts({}))).toEqual(stale);
      expect(refused(call, facts({}), { totpAtSeconds: nowSeconds - 601 })).toEqual(stale);
      expect(decide(call, facts({}), { totpAtSeconds: nowSeconds - 600 }).principal.type).toBe('user');
    }
  });

  // An integration client is a credential for a program, as an API key is. But the contract requires a code only to create or rotate an
  // API key.
  // @proves spec, Authentication: rule 4
  test('requires no one-time code to list or revoke API keys, or to create integration clients', () => {
    for (const call of [calls.listApiKeys, calls.revokeApiKey, calls.createIntegrationClient]) {
      expect(decide(call, facts({})).principal.type).toBe('user');
    }
  });

  test('throws USER_SESSION_REQUIRED, not STEP_UP_REQUIRED, when an API key is used to create another one', () => {
    expect(refused(calls.createApiKey, facts({ kind: 'secure' }))).toEqual({ code: 'USER_SESSION_REQUIRED' });
  });
});

describe('order of checks: decideAccess', () => {
  // @proves contract 10a: Sessions
  test('reports an ended session before a missing one-time code', () => {
    expect(refused(calls.createApiKey, facts({ sessionActive: false }))).toEqual({ code: 'SESSION_INACTIVE' });
  });

  // @proves spec, Authentication: rule 1
  test('checks the credential and the one-time code before the tracker', () => {
    expect(refused(calls.listMovements, facts({ kind: 'secure', isRevoked: true }), { header: 'x' })).toEqual({
      code: 'CREDENTIAL_REVOKED',
    });
    expect(refused(calls.createApiKey, facts({}), { header: 'x' })).toMatchObject({ code: 'STEP_UP_REQUIRED' });
  });

  // @proves spec, Authentication: rule 1
  // @proves contract 5: Order of checks
  test('checks the tracker before scope and role', () => {
    const without = facts({ kind: 'secure', scopes: [], tracker: null, eligible: [here, there] });
    expect(refused(calls.createMovement, without)).toEqual(headerRequired);
    expect(refused(calls.createMovement, without, { header: elsewhere })).toMatchObject({ code: 'TRACKER_FORBIDDEN' });
  });

  // @proves contract 5: Order of checks
  test('checks the scope before the role', () => {
    const loaded = facts({ kind: 'legacy', scopes: ['catalog:read'], role: 'viewer' });
    expect(refused(calls.createMovement, loaded)).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });

  test('checks the kind of principal before the tracker in the path', () => {
    const secret = facts({ kind: 'secure', tracker: null });
    expect(refused(calls.updateTracker, secret)).toEqual({ code: 'USER_SESSION_REQUIRED' });
  });
});

describe('scopes and roles: decideAccess', () => {
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

  // @proves spec, Authentication: User session JWT
  // @proves contract 2: Roles in a tracker
  test.each(table)(
    'allows $name to users with the required role or a higher one, and throws INSUFFICIENT_ROLE for lower roles',
    (call, least) => {
      for (const role of roles) {
        const loaded = facts({ role });
        if (least === null || roles.indexOf(role) >= roles.indexOf(least)) {
          expect(decide(call, loaded).tracker?.role).toBe(role);
        } else {
          expect(refused(call, loaded)).toEqual({ code: 'INSUFFICIENT_ROLE', requiredRole: least });
        }
      }
    },
  );

  // @proves spec, Authentication: context:read
  // @proves spec, Authentication: context:write
  // @proves spec, Authentication: trackers:read
  // @proves spec, Authentication: catalog:read
  // @proves spec, Authentication: catalog:write:tracker
  // @proves spec, Authentication: catalog:write:user
  // @proves spec, Authentication: accounts:read
  // @proves spec, Authentication: balances:read
  // @proves spec, Authentication: budgets:read
  // @proves spec, Authentication: budgets:write
  // @proves spec, Authentication: movements:read
  // @proves spec, Authentication: movements:write
  // @proves spec, Authentication: transfers:write
  // @proves spec, Authentication: rule 7
  // @proves spec, Errors: 403
  // @proves contract 5: 403
  // @proves contract 10a: Rights
  test.each(table)(
    'allows $name to an API key with the required scopes, and throws INSUFFICIENT_SCOPE for a key with all scopes except these',
    (call) => {
      const others = allScopes.filter((scope) => !call.scopes.includes(scope));
      expect(decide(call, facts({ kind: 'secure', scopes: call.scopes })).principal.scopes).toEqual(call.scopes);
      expect(refused(call, facts({ kind: 'secure', scopes: others }))).toEqual({
        code: 'INSUFFICIENT_SCOPE',
        requiredScopes: call.scopes,
      });
    },
  );

  // @proves contract 2: Roles in a tracker
  // @proves contract 10a: Rights
  test('throws INSUFFICIENT_ROLE for an API key with the required scope when its owner lacks the required role', () => {
    const loaded = facts({ kind: 'legacy', scopes: ['movements:write'], role: 'viewer' });
    expect(refused(calls.createMovement, loaded)).toEqual({ code: 'INSUFFICIENT_ROLE', requiredRole: 'editor' });
  });

  test.each([
    ['viewer', 'editor', 'This request requires the role editor or a higher role in the tracker.'],
    ['admin', 'owner', 'This request requires the role owner in the tracker.'],
  ] as const)('reports to a caller with the role %s that the request requires the role %s', (role, least, message) => {
    expect(() => requireRole(role, least)).toThrow(message);
  });

  // @proves spec, Authentication: catalog:write:tracker
  // @proves spec, Authentication: catalog:write:user
  test('lets a key of an editor create categories with catalog:write:tracker, but a key of a viewer only with catalog:write:user', () => {
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
  ] as readonly CallContract[])('allows $name to an admin, and not to an editor', (call) => {
    expect(decide(call, facts({ role: 'admin' })).tracker?.role).toBe('admin');
    expect(refused(call, facts({ role: 'editor' }))).toEqual({ code: 'INSUFFICIENT_ROLE', requiredRole: 'admin' });
  });

  // @proves spec, Authentication: rule 4 › refuses $name to every secret
  // @proves contract 5: 403 › refuses $name to every secret
  test.each(Object.values(calls).filter(({ caller }) => caller === 'user') as readonly CallContract[])(
    'refuses $name to every secret',
    (call) => {
      for (const kind of kinds.slice(1)) {
        expect(refused(call, facts({ kind }))).toEqual({ code: 'USER_SESSION_REQUIRED' });
      }
    },
  );
});
