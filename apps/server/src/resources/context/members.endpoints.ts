import { routes } from '@centavo/contracts';
import { requireRole } from '../../access/decide-access.js';
import { notFound, stateConflict } from '../../api-error.js';
import { violatedConstraint } from '../../database/postgres-errors.js';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { recordAudit } from '../../writes/record-write.queries.js';
import { decideMembership } from './change-membership.js';
import { leastRoleForMembership } from './least-role-for-membership.js';
import { toMemberView } from './member-view.js';
import {
  deleteMember,
  findMember,
  findUserIdByEmail,
  holdMembership,
  insertMember,
  listMembers,
  updateMemberRole,
} from './members.queries.js';

/** Members of trackers over HTTP. */
export const membersEndpoints: readonly Endpoint[] = [
  endpoint(routes.listMembers, async ({ tx, tracker }) => {
    const rows = await listMembers(tx, tracker.id);
    return { data: rows.map(toMemberView) };
  }),

  endpoint(routes.addMember, async ({ tx, body, tracker }) => {
    const { role } = body;
    requireRole(tracker.role, leastRoleForMembership({ before: null, after: role, isSelf: false }));
    const userId = await findUserIdByEmail(tx, body.email);
    if (userId === null) throw notFound('user');
    await insertMember(tx, { trackerId: tracker.id, userId, role }).catch((error: unknown) => {
      if (violatedConstraint(error) === 'members_pkey') {
        throw stateConflict('already_member', 'This user is a member of the tracker already.');
      }
      throw error;
    });
    const row = await findMember(tx, { trackerId: tracker.id, userId });
    if (row === undefined) throw new Error('A member was inserted without a row');
    return {
      data: toMemberView(row),
      effect: {
        action: 'member.added',
        resourceType: 'member',
        resourceId: userId,
        trackerId: tracker.id,
        change: { role: [null, role] },
      },
    };
  }),

  endpoint(routes.changeMemberRole, async ({ tx, body, pathParameters, principal, tracker }) => {
    const { role } = body;
    const key = { trackerId: tracker.id, userId: pathParameters.userId.toLowerCase() };
    await holdMembership(tx, key);
    const found = await findMember(tx, key);
    const isSelf = key.userId === principal.userId;
    requireRole(tracker.role, leastRoleForMembership({ before: found?.role ?? null, after: role, isSelf }));
    const { member, change } = decideMembership({ member: found, after: role });
    if (Object.keys(change).length === 0) return { data: toMemberView(member) };
    await updateMemberRole(tx, { ...key, role });
    return {
      data: toMemberView({ ...member, role }),
      effect: {
        action: 'member.role_changed',
        resourceType: 'member',
        resourceId: key.userId,
        trackerId: tracker.id,
        change,
      },
    };
  }),

  endpoint(routes.removeMember, async ({ tx, pathParameters, principal, tracker, requestId, newId }) => {
    const key = { trackerId: tracker.id, userId: pathParameters.userId.toLowerCase() };
    await holdMembership(tx, key);
    const found = await findMember(tx, key);
    const isSelf = key.userId === principal.userId;
    requireRole(tracker.role, leastRoleForMembership({ before: found?.role ?? null, after: null, isSelf }));
    const { change } = decideMembership({ member: found, after: null });
    const effect = {
      action: 'member.removed',
      resourceType: 'member',
      resourceId: key.userId,
      trackerId: tracker.id,
      change,
    };
    // Recorded first and here: whoever leaves can write nothing into the tracker afterwards, not even that.
    await recordAudit(tx, { id: newId(), effect, principal, requestId });
    await deleteMember(tx, key);
    return { data: null };
  }),
];
