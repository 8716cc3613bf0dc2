import type { Role } from '@centavo/contracts';
import { notFound, stateConflict } from '../../api-error.js';
import type { MemberRow } from './member-view.js';

/** A member as a decision needs it, with the number of owners of the tracker. */
export type MemberFacts = MemberRow & { readonly owner_count: number };

/** A membership decided, with what that changes; nothing when `change` is empty. */
export interface MembershipChange {
  readonly member: MemberFacts;
  readonly change: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
}

/**
 * Decides another role for a member, or none: a removal. Pure; who may ask for it is settled before.
 * A tracker without an owner could be given to nobody any more, so the last one stays.
 * @throws NOT_FOUND (404) for who is not a member
 * @throws STATE_CONFLICT (409) `last_owner`. Source: contract, sections 9 and 10a
 */
export function decideMembership(request: {
  readonly member: MemberFacts | undefined;
  readonly after: Role | null;
}): MembershipChange {
  const { member, after } = request;
  if (member === undefined) throw notFound();
  if (member.role === 'owner' && after !== 'owner' && member.owner_count <= 1) {
    throw stateConflict('last_owner', 'The tracker would be left without an owner. Make somebody else an owner first.');
  }
  return { member, change: member.role === after ? {} : { role: [member.role, after] } };
}
