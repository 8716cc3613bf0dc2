import type { Role, updateTrackerBody } from '@centavo/contracts';
import type * as z from 'zod';
import { notFound, stateConflict } from '../../api-error.js';
import type { EffectiveTracker, Principal } from '../../auth/principal.js';
import type { MemberRow, TrackerRow } from './context.view.js';

/** Maximum number of trackers that a user may own. Source: docs/contract.md, section 10a. */
export const ownedTrackersMax = 200;

/** Maximum number of open invitations of a user. Source: docs/contract.md, section 10a. */
export const openInvitationsMax = 100;

/** A member or invited user of a tracker, with the number of owners of this tracker. */
export type MemberFacts = MemberRow & { readonly owner_count: number };

/** A membership or an invitation before a change, and the change. `change` is empty if nothing changes. */
export interface MembershipChange {
  readonly member: MemberFacts;
  readonly change: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
}

/**
 * Returns the change of a membership or an invitation. Pure. The endpoint has already checked the caller's role. The last owner
 * must stay an owner, because a tracker without an owner cannot get a new owner.
 * @param request.after the new role; null for a removal
 * @throws NOT_FOUND (404) when the user is neither a member nor invited
 * @throws STATE_CONFLICT (409) `last_owner` when the last owner would lose the role
 * @source docs/contract.md, sections 9 and 10a
 */
export function decideMembership(request: {
  readonly member: MemberFacts | undefined;
  readonly after: Role | null;
}): MembershipChange {
  const { member, after } = request;
  if (member === undefined) throw notFound();
  const isOwner = member.status === 'active' && member.role === 'owner';
  if (isOwner && after !== 'owner' && member.owner_count <= 1) {
    throw stateConflict('last_owner', 'The tracker needs at least one owner. Make another member an owner first.');
  }
  return { member, change: member.role === after ? {} : { role: [member.role, after] } };
}

/**
 * Requires that a user can be invited to a tracker. Pure.
 * @param request.member the member or invited user; undefined if the user is neither
 * @throws STATE_CONFLICT (409) `already_member` for a member or an invited user, `limit_reached` at the maximum number of open invitations.
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
      isInvited ? 'This user is already invited to the tracker.' : 'This user is already a member of the tracker.',
    );
  }
  if (openInvitationCount >= openInvitationsMax) {
    throw stateConflict(
      'limit_reached',
      `This user has ${openInvitationsMax} open invitations, the maximum. Invite the user again after the user has accepted or declined an invitation.`,
    );
  }
}

/**
 * Requires that a user may own one more tracker. Pure.
 * @throws STATE_CONFLICT (409) `limit_reached`
 * @source docs/contract.md, section 10a
 */
export function requireOwnedTrackerQuota(ownedCount: number): void {
  if (ownedCount < ownedTrackersMax) return;
  throw stateConflict('limit_reached', `This user owns ${ownedTrackersMax} trackers, the maximum.`);
}

/**
 * Returns the lowest role that may make a change to a membership. Only owners add, change and remove owners. Owners and admins add,
 * change and remove all other members. Every member may leave. Pure.
 * @param membership.before the current role of the member or of the invitation; null if there is neither
 * @param membership.after the new role; null for a removal
 * @param membership.isSelf true if the caller changes their own membership
 * @source docs/contract.md, sections 2, 9 and 10a
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

/** The new name and time zone of a tracker. `change` is empty if nothing changes. */
export interface TrackerChange {
  readonly name: string;
  readonly timeZone: string;
  readonly change: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
}

/**
 * Returns the new name and time zone of a tracker. Pure. The currency cannot change, because existing accounts and budgets may have
 * received this currency as their default.
 * @source docs/contract.md, section 9
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

/** The stored active and default tracker: those of the credential or, if a request has no credential, those of the user. */
export interface StoredTrackers {
  readonly activeTrackerId: string | null;
  readonly defaultTrackerId: string | null;
}

/**
 * Returns the tracker of a request without a tracker header, by the same rule as the SQL function `app.enter_request`. Pure. A tracker is
 * eligible if the principal may access it.
 * - For an API key of the kind `secure`, behaves as if neither an active nor a default tracker is stored.
 * - If an active tracker is stored, returns it. If only a default tracker is stored, returns the default tracker. In both cases, returns
 *   null instead if the tracker is not eligible.
 * - If neither is stored, returns the only eligible tracker, or null if none or several are eligible.
 *
 * @source docs/contract.md, section 2
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
