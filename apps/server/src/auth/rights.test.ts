import { type CallContract, calls, type Role, roles, type Scope, scopes } from '@centavo/contracts';
import { describe, expect, test } from 'vitest';
import { decide, facts, kinds, refused } from '../../test-support/decide-by-facts.js';

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
