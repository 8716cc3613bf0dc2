import { routes } from '@centavo/contracts';
import { trackerForbidden } from '../../api-error.js';
import { openRequestContext } from '../../auth/auth.queries.js';
import type { Principal } from '../../auth/principal.js';
import type { Transaction } from '../../database/database.js';
import { type Endpoint, type EndpointRequest, endpoint } from '../../http/endpoint.js';
import { findPrincipalKeys, storeTrackerChoice, type TrackerChoice } from './context.queries.js';
import { toContextView } from './context.view.js';
import { invitationsEndpoints } from './invitations.endpoints.js';
import { membersEndpoints } from './members.endpoints.js';
import { trackersEndpoints } from './trackers.endpoints.js';

/** Context, trackers, members and invitations over HTTP. */
export const contextEndpoints: readonly Endpoint[] = [
  endpoint(routes.getContext, async ({ principal, tracker }) => ({ data: toContextView({ principal, tracker }) })),
  endpoint(routes.setActiveTracker, (request) => chooseTracker(request, 'active')),
  endpoint(routes.setDefaultTracker, (request) => chooseTracker(request, 'default')),
  ...trackersEndpoints,
  ...membersEndpoints,
  ...invitationsEndpoints,
];

/** @throws TRACKER_FORBIDDEN (403) for a tracker that is not eligible. Source: contract, section 10a */
async function chooseTracker(
  request: EndpointRequest<typeof routes.setActiveTracker | typeof routes.setDefaultTracker>,
  choice: TrackerChoice,
) {
  const { tx, body, principal } = request;
  const { trackerId } = body;
  if (!request.eligibleTrackerIds.includes(trackerId)) throw trackerForbidden([trackerId]);
  const { userId, credentialId } = principal;
  await storeTrackerChoice(tx, { userId, credentialId, choice, trackerId });
  const { defaultTrackerId, tracker } = await enterWithoutHeader(tx, principal);
  const field = `${choice}TrackerId` as const;
  const change = { [field]: [principal[field], trackerId] as const };
  const effect = {
    action: `context.${choice}_tracker_chosen`,
    resourceType: 'tracker',
    resourceId: trackerId,
    trackerId: null,
    change,
  };
  return {
    data: toContextView({ principal: { ...principal, defaultTrackerId }, tracker }),
    trackerId: tracker?.id ?? null,
    ...(principal[field] === trackerId ? {} : { effect }),
  };
}

/**
 * Enters again as the same principal, as its next request without the tracker header would: in which tracker that acts is
 * reckoned in one place for all. The locks of the write are held already.
 */
async function enterWithoutHeader(tx: Transaction, principal: Principal) {
  const { userId, credentialId } = principal;
  const keys = await findPrincipalKeys(tx, { userId, credentialId });
  const facts = await openRequestContext(tx, {
    ...keys,
    sessionId: null,
    trackerId: null,
    isWrite: false,
    idempotencyKey: null,
  });
  const stored = facts.credential ?? facts.user;
  return { defaultTrackerId: stored?.defaultTrackerId ?? null, tracker: facts.tracker };
}
