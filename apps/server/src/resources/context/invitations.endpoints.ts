import { routes } from '@centavo/contracts';
import { notFound } from '../../api-error.js';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { requireRoomForOwnedTracker } from './context.rules.js';
import { toInvitationView, toMemberView } from './context.view.js';
import {
  acceptInvitation,
  countOwnedTrackers,
  deleteInvitation,
  findInvitedRole,
  findMember,
  holdMembership,
  listInvitations,
} from './members.queries.js';

/** Invitations over HTTP, as the invited user sees them. */
export const invitationsEndpoints: readonly Endpoint[] = [
  endpoint(routes.listInvitations, async ({ tx }) => {
    const rows = await listInvitations(tx);
    return { data: rows.map(toInvitationView) };
  }),

  endpoint(routes.acceptInvitation, async ({ tx, pathParameters, principal }) => {
    const key = { trackerId: pathParameters.trackerId.toLowerCase(), userId: principal.userId };
    await holdMembership(tx, key);
    const role = await findInvitedRole(tx, key);
    if (role === undefined) throw notFound();
    if (role === 'owner') requireRoomForOwnedTracker(await countOwnedTrackers(tx, key.userId));
    if (!(await acceptInvitation(tx, key.trackerId))) throw notFound();
    const member = await findMember(tx, key);
    if (member === undefined) throw new Error('An invitation was accepted without a member');
    return {
      data: toMemberView(member),
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
    await holdMembership(tx, key);
    if (!(await deleteInvitation(tx, key))) throw notFound();
    return {
      data: null,
      // Among the acts of the user, who cannot write into a tracker without being a member of it.
      effect: {
        action: 'invitation.declined',
        resourceType: 'invitation',
        resourceId: key.trackerId,
        trackerId: null,
      },
    };
  }),
];
