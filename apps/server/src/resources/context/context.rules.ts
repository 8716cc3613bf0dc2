import type { Role } from '@centavo/contracts';
import { notFound, stateConflict } from '../../api-error.js';
import type { MemberRow } from './member-view.js';

/** At most so many trackers that a user owns. Source: contract, section 10a. */
export const ownedTrackersMax = 200;

/** At most so many open invitations of a user. Source: contract, section 10a. */
export const openInvitationsMax = 100;

/** A member or an invited user as a decision needs them, with the number of active owners of the tracker. */
export type MemberFacts = MemberRow & { readonly owner_count: number };

/** A membership decided, with what that changes; nothing when `change` is empty. */
export interface MembershipChange {
  readonly member: MemberFacts;
  readonly change: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
}

/**
 * Decides another role for a member or an invited user, or none: a removal. Pure; who may ask for it is settled before.
 * A tracker without an owner could be given to nobody any more, so the last active one stays.
 * @throws NOT_FOUND (404) for a user who is neither a member nor invited
 * @throws STATE_CONFLICT (409) `last_owner`. Source: contract, sections 9 and 10a
 */
export function decideMembership(request: {
  readonly member: MemberFacts | undefined;
  readonly after: Role | null;
}): MembershipChange {
  const { member, after } = request;
  if (member === undefined) throw notFound();
  const isOwner = member.status === 'active' && member.role === 'owner';
  if (isOwner && after !== 'owner' && member.owner_count <= 1) {
    throw stateConflict('last_owner', 'The tracker would be left without an owner. Make somebody else an owner first.');
  }
  return { member, change: member.role === after ? {} : { role: [member.role, after] } };
}

/**
 * Requires that a user can be invited to a tracker. Pure.
 * @param request.member the user as a member of the tracker or as invited to it; undefined for neither
 * @throws STATE_CONFLICT (409) `already_member` or `limit_reached`. Source: contract, section 10a
 */
export function requireInvitable(request: {
  readonly member: MemberFacts | undefined;
  readonly openInvitationCount: number;
}): void {
  const { member, openInvitationCount } = request;
  if (member !== undefined) {
    const isInvited = member.status === 'invited';
    throw stateConflict(
      'already_member',
      isInvited ? 'This user is invited to the tracker already.' : 'This user is a member of the tracker already.',
    );
  }
  if (openInvitationCount >= openInvitationsMax) {
    throw stateConflict(
      'limit_reached',
      `This user has ${openInvitationsMax} open invitations. Invite them after they have accepted or declined some.`,
    );
  }
}

/**
 * Requires that a user may own one more tracker. Pure.
 * @throws STATE_CONFLICT (409) `limit_reached`. Source: contract, section 10a
 */
export function requireRoomForOwnedTracker(ownedCount: number): void {
  if (ownedCount < ownedTrackersMax) return;
  throw stateConflict('limit_reached', `A user owns at most ${ownedTrackersMax} trackers; this user owns that many.`);
}
