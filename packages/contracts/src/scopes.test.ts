import { expect, test } from 'vitest';
import { additionalScopes, allScopes, type Role, roleOfScope, roleReaches, roles, scopes } from './scopes.js';

test('the scopes are the thirteen of the specification, in the same order', () => {
  expect(scopes.join(' ')).toBe(
    'context:read context:write trackers:read catalog:read catalog:write:tracker catalog:write:user accounts:read ' +
      'balances:read budgets:read budgets:write movements:read movements:write transfers:write',
  );
});

// @proves contract 2: Roles in a tracker
test('every scope of the specification requires the role that the contract names', () => {
  const scopesOfRole = (role: Role | null) => scopes.filter((scope) => roleOfScope[scope] === role);
  expect({ none: scopesOfRole(null), viewer: scopesOfRole('viewer'), editor: scopesOfRole('editor') }).toEqual({
    none: ['context:read', 'context:write', 'trackers:read', 'catalog:write:user'],
    viewer: ['catalog:read', 'accounts:read', 'balances:read', 'budgets:read', 'movements:read'],
    editor: ['catalog:write:tracker', 'budgets:write', 'movements:write', 'transfers:write'],
  });
});

test('the additional scope changes:read requires the role viewer, and the other additional scopes require admin', () => {
  expect(additionalScopes.map((scope) => [scope, roleOfScope[scope]])).toEqual([
    ['changes:read', 'viewer'],
    ['audit:read', 'admin'],
    ['webhooks:read', 'admin'],
    ['webhooks:write', 'admin'],
  ]);
  expect(allScopes).toHaveLength(17);
});

test('a viewer can use all read scopes of the specification, and no scope that writes to the tracker', () => {
  for (const scope of scopes) {
    const least = roleOfScope[scope];
    const open = least === null || roleReaches('viewer', least);
    expect([scope, open]).toEqual([scope, scope.endsWith(':read') || least === null]);
  }
});

test('a role includes the rights of all lower roles', () => {
  const reached = roles.map((role) => roles.filter((least) => roleReaches(role, least)));
  expect(reached).toEqual([
    ['viewer'],
    ['viewer', 'editor'],
    ['viewer', 'editor', 'admin'],
    ['viewer', 'editor', 'admin', 'owner'],
  ]);
});
