import { routes } from '@centavo/contracts';
import { trackerForbidden } from '../../api-error.js';
import { openRequestContext } from '../../auth/auth.queries.js';
import type { Principal } from '../../auth/principal.js';
import type { Transaction } from '../../database/database.js';
import { type Endpoint, type EndpointRequest, endpoint } from '../../http/endpoint.js';
import {
  findPrincipalKeys,
  getTrackerForUpdate,
  insertTracker,
  listTrackers,
  storeTrackerChoice,
  type TrackerChoice,
  updateTracker,
} from './context.queries.js';
import { decideTrackerChange, requireRoomForOwnedTracker } from './context.rules.js';
import { toContextView, toTrackerView } from './context.view.js';
import { invitationsEndpoints, membersEndpoints } from './members.endpoints.js';
import { countOwnedTrackers } from './members.queries.js';

/** Trackers over HTTP. */
const trackersEndpoints: readonly Endpoint[] = [
  endpoint(routes.listTrackers, async ({ tx, principal, eligibleTrackerIds }) => {
    const { userId, credentialId } = principal;
    const rows = await listTrackers(tx, { userId, credentialId, trackerIds: eligibleTrackerIds });
    return { data: rows.map(toTrackerView) };
  }),

  endpoint(routes.createTracker, async ({ tx, body, principal, newId }) => {
    const { userId, credentialId } = principal;
    requireRoomForOwnedTracker(await countOwnedTrackers(tx, userId));
    const tracker = { ...body, id: newId() };
    await insertTracker(tx, tracker);
    const [row] = await listTrackers(tx, { userId, credentialId, trackerIds: [tracker.id] });
    if (row === undefined) throw new Error('A tracker was inserted without a row');
    return {
      data: toTrackerView(row),
      // Among the acts of the user: this transaction entered another tracker or none, and cannot write into the new one.
      effect: { action: 'tracker.created', resourceType: 'tracker', resourceId: row.id, trackerId: null },
    };
  }),

  endpoint(routes.updateTracker, async ({ tx, body, principal, tracker }) => {
    const { userId, credentialId } = principal;
    const current = await getTrackerForUpdate(tx, { userId, credentialId, trackerId: tracker.id });
    const { change, name, timeZone } = decideTrackerChange({ body, current });
    if (Object.keys(change).length === 0) return { data: toTrackerView(current) };
    const { updated_at } = await updateTracker(tx, { trackerId: tracker.id, name, timeZone });
    return {
      data: toTrackerView({ ...current, name, time_zone: timeZone, updated_at }),
      effect: {
        action: 'tracker.updated',
        resourceType: 'tracker',
        resourceId: tracker.id,
        trackerId: tracker.id,
        change,
      },
    };
  }),
];

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
