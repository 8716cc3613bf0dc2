/**
 * The thirteen scopes of the specification.
 * @source docs/financial-integration-api.md, Authentication
 */
export const scopes = [
  'context:read',
  'context:write',
  'trackers:read',
  'catalog:read',
  'catalog:write:tracker',
  'catalog:write:user',
  'accounts:read',
  'balances:read',
  'budgets:read',
  'budgets:write',
  'movements:read',
  'movements:write',
  'transfers:write',
] as const;

/**
 * The scopes that the specification does not define. They belong to operations that Centavo adds.
 * @source docs/additions.md, section 0.3
 */
export const additionalScopes = ['changes:read', 'audit:read', 'webhooks:read', 'webhooks:write'] as const;

export const allScopes = [...scopes, ...additionalScopes] as const;

export type Scope = (typeof allScopes)[number];

/** Roles in a tracker, ordered from the fewest rights to the most. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const;

export type Role = (typeof roles)[number];

/**
 * The lowest role that each scope requires in the tracker, or `null` for scopes that require no role.
 * @source docs/contract.md, section 2; docs/additions.md, section 0.3
 */
export const roleOfScope: Readonly<Record<Scope, Role | null>> = {
  'context:read': null,
  'context:write': null,
  'trackers:read': null,
  'catalog:read': 'viewer',
  'catalog:write:tracker': 'editor',
  'catalog:write:user': null,
  'accounts:read': 'viewer',
  'balances:read': 'viewer',
  'budgets:read': 'viewer',
  'budgets:write': 'editor',
  'movements:read': 'viewer',
  'movements:write': 'editor',
  'transfers:write': 'editor',
  'changes:read': 'viewer',
  'audit:read': 'admin',
  'webhooks:read': 'admin',
  'webhooks:write': 'admin',
};

/** Returns whether `role` has at least the rights of `least`. */
export function roleReaches(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}
