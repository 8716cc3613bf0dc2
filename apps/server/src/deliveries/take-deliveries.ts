import { allScopes, matchesEventType, toWebhookBody } from '@centavo/contracts';
import type { Transactions } from '../database/pool.js';
import type { Transaction } from '../database/transaction.js';
import {
  type EventPageRequest,
  type EventRow,
  indexEventRecords,
  readableResourceTypes,
  readEventPage,
  readEventRecords,
  toChangeView,
} from '../resources/events/index.js';
import { isFailing } from './decide-attempt.js';
import {
  type AuthorizedEndpoint,
  actAsOwner,
  authorizeEndpoint,
  type DueDelivery,
  type EventBody,
  findWaiting,
  type Lease,
  listDue,
  storeBodies,
  takeEvents,
  workerTransaction,
} from './deliveries.queries.js';

/** The worker creates deliveries of new events for an endpoint only while the endpoint has fewer pending deliveries than this. */
const pendingMax = 1_000;
const eventsAtOnce = 100;

/** An endpoint, the rights of its owner, and the deliveries of the endpoint that are due. */
export interface Taken {
  readonly endpoint: AuthorizedEndpoint;
  readonly due: readonly DueDelivery[];
  /** True if there are more new events, and the worker may create their deliveries immediately. */
  readonly hasMore: boolean;
}

/**
 * Creates the deliveries of the next events of an endpoint, and returns the deliveries that are due. Checks the rights of the owner, and
 * advances the endpoint's cursor. Also creates the missing request bodies of pending deliveries. A pending delivery has no body if a replay
 * created it, if it succeeded or was dropped before a retry or replay made it pending again, or if the endpoint got a new owner. Bodies,
 * deliveries and cursor are committed together.
 * @param except the ids of events whose delivery is in progress or has a result that is not recorded yet; these deliveries are not returned
 * @returns `lost` if the lease was lost or the endpoint is not active, `owner_lost_access` if the owner has lost access
 * @source decision 0050
 */
export async function takeDeliveries(
  database: Transactions,
  lease: Lease,
  except: readonly string[],
): Promise<Taken | 'lost' | 'owner_lost_access'> {
  return workerTransaction(database, async (tx) => {
    const endpoint = await authorizeEndpoint(tx, lease);
    if (endpoint === null) return 'lost';
    if (endpoint.owner === null) return 'owner_lost_access';
    await actAsOwner(tx);
    const { endpointId } = lease;
    const { trackerId } = endpoint;
    const { pendingCount, firstWithoutBody } = await findWaiting(tx, { trackerId, endpointId });
    if (firstWithoutBody !== null) {
      const after = firstWithoutBody - 1;
      const { bodies, lastSequence } = await makeBodies(tx, { endpoint, after, isNew: false });
      await storeBodies(tx, {
        trackerId,
        endpointId,
        bodies,
        fromSequence: firstWithoutBody,
        toSequence: Math.max(firstWithoutBody, lastSequence),
      });
    }
    let hasMore = false;
    if (pendingCount < pendingMax) {
      const after = endpoint.cursorSequence;
      const { bodies, lastSequence, headSequence } = await makeBodies(tx, { endpoint, after, isNew: true });
      hasMore = lastSequence < headSequence && pendingCount + bodies.length < pendingMax;
      if (lastSequence > after) await takeEvents(tx, { trackerId, endpointId, bodies, cursorSequence: lastSequence });
    }
    const failing = isFailing(endpoint);
    if (failing && !endpoint.mayRetry) return { endpoint, due: [], hasMore };
    const limit = failing ? 1 : eventsAtOnce;
    const due = await listDue(tx, { trackerId, endpointId, isFailing: failing, except, limit });
    return { endpoint, due, hasMore };
  });
}

/**
 * Returns the bodies of the next events after the number `after`, without events that the owner may not read. If `isNew` is true, also
 * omits the events that {@link isDelivered} excludes.
 */
async function makeBodies(
  tx: Transaction,
  {
    endpoint,
    after,
    isNew,
  }: { readonly endpoint: AuthorizedEndpoint; readonly after: number; readonly isNew: boolean },
): Promise<{ readonly bodies: readonly EventBody[]; readonly lastSequence: number; readonly headSequence: number }> {
  const { trackerId, payload, owner } = endpoint;
  if (owner === null) throw new Error('The owner has lost access.');
  const page: EventPageRequest = { trackerId, after, limit: eventsAtOnce };
  const readsRecords = payload === 'record';
  // Both reads are sent together, and PostgreSQL reads the events first. So a body never contains a record as it was before the event.
  const [{ events, head }, rows] = await Promise.all([
    readEventPage(tx, page),
    readsRecords ? readEventRecords(tx, page) : undefined,
  ]);
  const principal = {
    type: owner.credentialId === null ? ('user' as const) : ('integration_client' as const),
    scopes: owner.scopes ?? allScopes,
    activeTrackerId: null,
    defaultTrackerId: null,
  };
  const reader = { principal, role: owner.role };
  const readable = readableResourceTypes(reader);
  const recordOf = rows === undefined ? () => null : indexEventRecords(rows, reader);
  const chosen = events.filter((event) => readable.has(event.resourceType) && (!isNew || isDelivered(event, endpoint)));
  const bodies = chosen.map((event) => ({
    eventId: event.id,
    sequence: event.sequence,
    type: event.type,
    body: toWebhookBody(toChangeView(event, recordOf(event)), { trackerId, payload }),
  }));
  // The events of a tracker are numbered without gaps. So the page is empty only if there are no newer events, or if retention removed all
  // events in the page's range of numbers. In the second case, the next page begins after the newest removed event, whose number is
  // `head.floorSequence`.
  const lastSequence = events.at(-1)?.sequence ?? Math.max(after, Math.min(head.floorSequence, head.sequence));
  return { bodies, lastSequence, headSequence: head.sequence };
}

/**
 * Returns whether an endpoint gets an event. The endpoint must select the type of the event. If `excludeOwnWrites` is true, the owner of
 * the endpoint must not have caused the event.
 */
function isDelivered(event: EventRow, { eventTypes, excludeOwnWrites, owner }: AuthorizedEndpoint): boolean {
  if (!eventTypes.some((pattern) => matchesEventType(pattern, event.type))) return false;
  if (!excludeOwnWrites || owner === null) return true;
  if (owner.credentialIds !== null) {
    return event.credentialId === null || !owner.credentialIds.includes(event.credentialId);
  }
  return event.credentialId !== null || event.userId !== owner.userId;
}
