import type { Role } from '@centavo/contracts';

/**
 * The least role that may make somebody's role `after` out of `before`: owners are made, changed and removed by owners,
 * everybody else by admins, and everybody may leave. Pure. Source: contract, sections 2, 9 and 10a
 * @param membership.before null for who is no member
 * @param membership.after null for a removal
 * @param membership.isSelf whether it is the caller's own membership
 */
export function leastRoleForMembership(membership: {
  readonly before: Role | null;
  readonly after: Role | null;
  readonly isSelf: boolean;
}): Role {
  const { before, after, isSelf } = membership;
  if (isSelf && after === null) return 'viewer';
  return before === 'owner' || after === 'owner' ? 'owner' : 'admin';
}
