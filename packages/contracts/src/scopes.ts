/** The thirteen scopes, as the specification's Authentication section lists them. */
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

export type Scope = (typeof scopes)[number];

/** Roles in a tracker, from the least to the most capable. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const;

export type Role = (typeof roles)[number];

/**
 * The least role that a scope asks for in its tracker, or `null` for scopes that need no role.
 * Source: contract, section 2: a viewer reads; an editor also records; `catalog:write:user` and `context:*` need no role.
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
};

/** Whether `role` is `least` or more. */
export function roleReaches(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}
