import { routes } from '@centavo/contracts';
import { notFound } from '../../api-error.js';
import { requireRole } from '../../auth/authorize.js';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { type Effect, recordAudit } from '../../idempotency/audit.queries.js';
import {
  decideMembership,
  leastRoleForMembership,
  requireInvitable,
  requireOwnedTrackerQuota,
} from './context.rules.js';
import { toInvitationView, toMemberView } from './context.view.js';
import {
  acceptInvitation,
  countOpenInvitations,
  countOwnedTrackers,
  deleteInvitation,
  deleteMember,
  findInvitedRole,
  findMember,
  findUserIdByEmail,
  insertInvitation,
  listInvitations,
  listMembers,
  lockMembership,
  lockOwners,
  type MembershipKey,
  updateInvitationRole,
  updateMemberRole,
} from './members.queries.js';

/** The operations with which a user lists, accepts and declines invitations. */
export const invitationsEndpoints: readonly Endpoint[] = [
  endpoint(routes.listInvitations, async ({ tx }) => {
    const rows = await listInvitations(tx);
    return { data: rows.map(toInvitationView) };
  }),

  endpoint(routes.acceptInvitation, async ({ tx, pathParameters, principal }) => {
    const key = { trackerId: pathParameters.trackerId.toLowerCase(), userId: principal.userId };
    await lockMembership(tx, key);
    const role = await findInvitedRole(tx, key);
    if (role === undefined) throw notFound();
    if (role === 'owner') requireOwnedTrackerQuota(await countOwnedTrackers(tx, key.userId));
    if (!(await acceptInvitation(tx, key.trackerId))) throw notFound();
    const member = await findMember(tx, key);
    if (member === undefined) throw new Error('The accepted invitation created no member');
    return {
      data: toMemberView(member),
      isNew: true,
      effect: {
        action: 'member.added',
        resourceType: 'member',
        resourceId: key.userId,
        trackerId: key.trackerId,
        change: { role: [null, role] },
      },
    };
  }),

  endpoint(routes.declineInvitation, async ({ tx, pathParameters, principal }) => {
    const key = { trackerId: pathParameters.trackerId.toLowerCase(), userId: principal.userId };
    await lockMembership(tx, key);
    if (!(await deleteInvitation(tx, key))) throw notFound();
    return {
      data: null,
      // The audit event belongs to the user, not to the tracker. Only members can write into a tracker, and this user is not a member.
      effect: {
        action: 'invitation.declined',
        resourceType: 'invitation',
        resourceId: key.trackerId,
        trackerId: null,
      },
    };
  }),
];

/** The operations with which members list, invite, change and remove members. */
export const membersEndpoints: readonly Endpoint[] = [
  endpoint(routes.listMembers, async ({ tx, tracker }) => {
    const rows = await listMembers(tx, tracker.id);
    return { data: rows.map(toMemberView) };
  }),

  endpoint(routes.addMember, async ({ tx, body, principal, tracker }) => {
    const { role } = body;
    requireRole(tracker.role, leastRoleForMembership({ before: null, after: role, isSelf: false }));
    const userId = await findUserIdByEmail(tx, body.email);
    if (userId === null) throw notFound({ resource: 'user', path: 'email' });
    const key = { trackerId: tracker.id, userId };
    await lockMembership(tx, key);
    const openInvitationCount = await countOpenInvitations(tx, userId);
    requireInvitable({ member: await findMember(tx, key), openInvitationCount });
    await insertInvitation(tx, { ...key, role, invitedBy: principal.userId });
    const row = await findMember(tx, key);
    if (row === undefined) throw new Error('The inserted invitation was not found');
    return {
      data: toMemberView(row),
      effect: effectOn(key, { action: 'member.invited', change: { role: [null, role] } }),
    };
  }),

  endpoint(routes.changeMemberRole, async ({ tx, body, pathParameters, principal, tracker }) => {
    const { role } = body;
    const key = { trackerId: tracker.id, userId: pathParameters.userId.toLowerCase() };
    const isSelf = key.userId === principal.userId;
    // The first check runs before the lock, so that viewers and editors cannot lock the memberships of other users.
    requireRole(tracker.role, leastRoleForMembership({ before: null, after: role, isSelf }));
    await lockMembership(tx, key);
    await lockOwners(tx, tracker.id);
    const found = await findMember(tx, key);
    requireRole(tracker.role, leastRoleForMembership({ before: found?.role ?? null, after: role, isSelf }));
    const { member, change } = decideMembership({ member: found, after: role });
    if (Object.keys(change).length === 0) return { data: toMemberView(member) };
    const isInvited = member.status === 'invited';
    if (isInvited) {
      await updateInvitationRole(tx, { ...key, role });
    } else {
      if (role === 'owner') requireOwnedTrackerQuota(await countOwnedTrackers(tx, key.userId));
      await updateMemberRole(tx, { ...key, role });
    }
    const action = isInvited ? 'member.invited' : 'member.role_changed';
    return {
      data: toMemberView({ ...member, role }),
      effect: effectOn(key, { action, change }),
    };
  }),

  endpoint(routes.removeMember, async ({ tx, pathParameters, principal, tracker, requestId, newId }) => {
    const key = { trackerId: tracker.id, userId: pathParameters.userId.toLowerCase() };
    const isSelf = key.userId === principal.userId;
    // The first check runs before the lock, as in changeMemberRole.
    requireRole(tracker.role, leastRoleForMembership({ before: null, after: null, isSelf }));
    await lockMembership(tx, key);
    await lockOwners(tx, tracker.id);
    const found = await findMember(tx, key);
    requireRole(tracker.role, leastRoleForMembership({ before: found?.role ?? null, after: null, isSelf }));
    const { member, change } = decideMembership({ member: found, after: null });
    const isInvited = member.status === 'invited';
    const effect = effectOn(key, { action: 'member.removed', change });
    // The audit event is recorded before the delete: a caller who leaves is not a member afterwards, and cannot write into the tracker.
    await recordAudit(tx, { id: newId(), effect, principal, requestId });
    await (isInvited ? deleteInvitation : deleteMember)(tx, key);
    return { data: null };
  }),
];

function effectOn(
  { trackerId, userId }: MembershipKey,
  { action, change }: Required<Pick<Effect, 'action' | 'change'>>,
): Effect {
  return { action, resourceType: 'member', resourceId: userId, trackerId, change };
}
