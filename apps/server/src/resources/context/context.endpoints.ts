import { routes } from '@centavo/contracts';
import { trackerForbidden } from '../../api-error.js';
import { type Endpoint, type EndpointRequest, endpoint } from '../../http/endpoint.js';
import {
  getTrackerForUpdate,
  insertTracker,
  listTrackers,
  storeTrackerChoice,
  type TrackerChoice,
  updateTracker,
} from './context.queries.js';
import { decideTrackerChange, requireOwnedTrackerQuota, resolveStoredTracker } from './context.rules.js';
import { toContextView, toTrackerState, toTrackerView } from './context.view.js';
import { invitationsEndpoints, membersEndpoints } from './members.endpoints.js';
import { countOwnedTrackers } from './members.queries.js';

/** The operations on trackers. */
const trackersEndpoints: readonly Endpoint[] = [
  endpoint(routes.listTrackers, async ({ tx, principal, eligibleTrackerIds }) => {
    const { userId, credentialId } = principal;
    const rows = await listTrackers(tx, { userId, credentialId, trackerIds: eligibleTrackerIds });
    return { data: rows.map(toTrackerView) };
  }),

  endpoint(routes.createTracker, async ({ tx, body, principal, newId }) => {
    const { userId, credentialId } = principal;
    requireOwnedTrackerQuota(await countOwnedTrackers(tx, userId));
    const tracker = { ...body, id: newId() };
    await insertTracker(tx, tracker);
    const [row] = await listTrackers(tx, { userId, credentialId, trackerIds: [tracker.id] });
    if (row === undefined) throw new Error('The inserted tracker is not in the list of trackers');
    return {
      data: toTrackerView(row),
      // `effect` is the audit event. It belongs to the user, not to the new tracker. A transaction can write only into the tracker that the
      // request selected, and no request can select a tracker before it exists.
      effect: { action: 'tracker.created', resourceType: 'tracker', resourceId: row.id, trackerId: null },
    };
  }),

  endpoint(routes.updateTracker, async ({ tx, body, principal, tracker }) => {
    const { userId, credentialId } = principal;
    const current = await getTrackerForUpdate(tx, { userId, credentialId, trackerId: tracker.id });
    const { change, name, timeZone } = decideTrackerChange({ body, current });
    if (Object.keys(change).length === 0) return { data: toTrackerView(current) };
    const { updated_at } = await updateTracker(tx, { trackerId: tracker.id, name, timeZone });
    const data = toTrackerView({ ...current, name, time_zone: timeZone, updated_at });
    return {
      data,
      effect: {
        action: 'tracker.updated',
        resourceType: 'tracker',
        resourceId: tracker.id,
        trackerId: tracker.id,
        change,
        state: toTrackerState(data),
      },
    };
  }),
];

/** The operations on context, trackers, members and invitations. */
export const contextEndpoints: readonly Endpoint[] = [
  endpoint(routes.getContext, async ({ principal, tracker }) => ({ data: toContextView({ principal, tracker }) })),
  endpoint(routes.setActiveTracker, (request) => chooseTracker(request, 'active')),
  endpoint(routes.setDefaultTracker, (request) => chooseTracker(request, 'default')),
  ...trackersEndpoints,
  ...membersEndpoints,
  ...invitationsEndpoints,
];

/**
 * Stores the principal's choice of an active or default tracker. The request body names the tracker. A request without a tracker header
 * uses the active tracker, or the default tracker if there is no active one (see `resolveStoredTracker`). Returns the new context: the
 * context of a request without a tracker header.
 * @throws TRACKER_FORBIDDEN (403) when the principal has no access to the tracker
 * @source docs/contract.md, section 10a
 */
async function chooseTracker(
  request: EndpointRequest<typeof routes.setActiveTracker | typeof routes.setDefaultTracker>,
  choice: TrackerChoice,
) {
  const { tx, principal, eligibleTrackerIds } = request;
  const { userId, credentialId } = principal;
  const { trackerId } = request.body;
  if (!eligibleTrackerIds.includes(trackerId)) throw trackerForbidden([trackerId]);
  const stored = await storeTrackerChoice(tx, { userId, credentialId, choice, trackerId });
  const tracker = resolveStoredTracker({ kind: principal.kind, ...stored, eligibleTrackerIds });
  const field = `${choice}TrackerId` as const;
  const effect = {
    action: `context.${choice}_tracker_chosen`,
    resourceType: 'tracker',
    resourceId: trackerId,
    trackerId: null,
    change: { [field]: [principal[field], trackerId] as const },
  };
  return {
    data: toContextView({ principal: { ...principal, ...stored }, tracker }),
    trackerId: tracker?.id ?? null,
    ...(principal[field] === trackerId ? {} : { effect }),
  };
}
