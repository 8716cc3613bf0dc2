import { routes } from '@centavo/contracts';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { getTrackerForUpdate, insertTracker, listTrackers, updateTracker } from './context.queries.js';
import { decideTrackerChange, requireRoomForOwnedTracker } from './context.rules.js';
import { toTrackerView } from './context.view.js';
import { countOwnedTrackers } from './members.queries.js';

/** Trackers over HTTP. */
export const trackersEndpoints: readonly Endpoint[] = [
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
