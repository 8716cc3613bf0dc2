import type { Role, updateTrackerBody } from '@centavo/contracts';
import type * as z from 'zod';
import { notFound, stateConflict } from '../../api-error.js';
import type { EffectiveTracker, Principal } from '../../auth/principal.js';
import type { MemberRow, TrackerRow } from './context.view.js';

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
export function requireOwnedTrackerQuota(ownedCount: number): void {
  if (ownedCount < ownedTrackersMax) return;
  throw stateConflict('limit_reached', `A user owns at most ${ownedTrackersMax} trackers; this user owns that many.`);
}

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

/** What a tracker is called and where its days begin, with what that changes; nothing when `change` is empty. */
export interface TrackerChange {
  readonly name: string;
  readonly timeZone: string;
  readonly change: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
}

/**
 * Decides a new name or time zone of a tracker. Pure.
 * The currency is not among them: what was recorded without naming one would change its meaning.
 * Source: contract, section 9
 */
export function decideTrackerChange(request: {
  readonly body: z.output<typeof updateTrackerBody>;
  readonly current: Pick<TrackerRow, 'name' | 'time_zone'>;
}): TrackerChange {
  const { body, current } = request;
  const { name = current.name, timeZone = current.time_zone } = body;
  const change = {
    ...(name === current.name ? {} : { name: [current.name, name] as const }),
    ...(timeZone === current.time_zone ? {} : { timeZone: [current.time_zone, timeZone] as const }),
  };
  return { name, timeZone, change };
}

/** The stored choices of a principal: its own, if it is a credential, else the user's. */
export interface StoredTrackers {
  readonly activeTrackerId: string | null;
  readonly defaultTrackerId: string | null;
}

/**
 * Resolves the tracker of a request without a tracker header, by the same rule as `app.enter_request`: the stored choice,
 * if it is eligible, else the only eligible tracker. A stored choice that is not eligible resolves to no tracker. Stored
 * choices do not count for a secure key. Pure.
 * Source: contract, section 2
 */
export function resolveStoredTracker(
  principal: StoredTrackers & {
    readonly kind: Principal['kind'];
    readonly eligibleTrackerIds: readonly string[];
  },
): Pick<EffectiveTracker, 'id' | 'resolvedBy'> | null {
  const { kind, activeTrackerId, defaultTrackerId, eligibleTrackerIds } = principal;
  const chosenId = kind === 'secure' ? null : (activeTrackerId ?? defaultTrackerId);
  if (chosenId !== null) {
    if (!eligibleTrackerIds.includes(chosenId)) return null;
    return { id: chosenId, resolvedBy: activeTrackerId === null ? 'default' : 'active' };
  }
  const [onlyId] = eligibleTrackerIds;
  return onlyId !== undefined && eligibleTrackerIds.length === 1 ? { id: onlyId, resolvedBy: 'single' } : null;
}
