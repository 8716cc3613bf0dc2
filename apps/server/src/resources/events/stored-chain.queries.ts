import type { ChainedEvent } from '@centavo/contracts';
import { query } from '../../database/query.js';
import type { Transaction } from '../../database/transaction.js';

// The check of the stored hash chains reads whole tables, and no request waits for it. So each statement of the check may run for a day.
const oneDay = { answerMsMax: 86_400_000 };

/**
 * The stored head of a tracker's hash chain: the number and hash of the newest numbered event, and of the last removed event (the floor).
 * Hashes are hex.
 */
export interface StoredHead {
  readonly trackerId: string;
  readonly sequence: number;
  readonly hash: string;
  readonly floorSequence: number;
  readonly floorHash: string;
}

/**
 * Lists the trackers that have a head or a numbered event, each with its head, in the order of their ids. The list begins after the
 * tracker id `page.after`. `sequence` is null for a tracker without a head.
 */
export async function listStoredHeads(
  tx: Transaction,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<(StoredHead | { readonly trackerId: string; readonly sequence: null })[]> {
  const { after, limit } = page;
  const isAfter = (column: string) => (after === undefined ? 'true' : `${column} > cast(:after as uuid)`);
  return query(
    tx,
    `select t.tracker_id as "trackerId", h.sequence::float8 as sequence, encode(h.hash, 'hex') as hash,
       h.floor_sequence::float8 as "floorSequence", encode(h.floor_hash, 'hex') as "floorHash"
     from (
       select h.tracker_id from app.event_heads h where ${isAfter('h.tracker_id')}
       union
       select e.tracker_id from app.events e where ${isAfter('e.tracker_id')}
     ) t left join app.event_heads h on h.tracker_id = t.tracker_id
     order by t.tracker_id limit cast(:limit as integer)`,
    { ...(after === undefined ? {} : { after }), limit },
    oneDay,
  );
}

/** Reads the events of a tracker after the sequence number `page.after`, in order. */
export async function readStoredEvents(
  tx: Transaction,
  page: { readonly trackerId: string; readonly after: number; readonly limit: number },
): Promise<ChainedEvent[]> {
  const rows = await query<
    Omit<ChainedEvent, 'resource'> & { readonly resourceType: string; readonly resourceId: string }
  >(
    tx,
    `select sequence::float8 as sequence, encode(hash, 'hex') as hash, id, action as type,
       to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt", resource_type as "resourceType",
       resource_id as "resourceId", user_id as "userId", credential_id as "credentialId", request_id as "requestId", change,
       encode(salt, 'hex') as salt, encode(change_digest, 'hex') as "changeDigest", encode(state_digest, 'hex') as "stateDigest"
     from app.events where tracker_id = :trackerId and sequence > :after
     order by sequence limit cast(:limit as integer)`,
    { ...page },
    oneDay,
  );
  return rows.map(({ resourceType, resourceId, ...event }) => ({
    ...event,
    resource: { type: resourceType, id: resourceId },
  }));
}

/**
 * The record that a pending event names, with the salt and the digest of the record's state after the event. A pending event has no
 * sequence number yet. Salt and digest are hex.
 */
export interface PendingState {
  readonly trackerId: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly salt: string | null;
  readonly stateDigest: string | null;
}

/** Reads the last pending event of each record. The result fits in memory, because few events are pending while a server runs. */
export async function readPendingStates(tx: Transaction): Promise<PendingState[]> {
  return query(
    tx,
    `select distinct on (tracker_id, resource_type, resource_id) tracker_id as "trackerId", resource_type as "resourceType",
       resource_id as "resourceId", encode(salt, 'hex') as salt, encode(state_digest, 'hex') as "stateDigest"
     from app.audit_events
     order by tracker_id, resource_type, resource_id, insert_order desc nulls last, id desc`,
    {},
    oneDay,
  );
}

/** Finds event ids that occur more than once among the numbered and pending events. */
export async function findRepeatedEvents(
  tx: Transaction,
): Promise<{ readonly id: string; readonly trackerId: string; readonly count: number }[]> {
  return query(
    tx,
    `select id, min(tracker_id::text) as "trackerId", count(*)::int as count
     from (select id, tracker_id from app.events union all select id, tracker_id from app.audit_events) e
     group by id having count(*) > 1 order by id`,
    {},
    oneDay,
  );
}

/**
 * For each tracker that has events without salt and digests, returns the time of the newest one. Versions of Centavo that did not store
 * salts and digests recorded these events. Those versions also recorded no event for a cashbox that was created together with its account,
 * or for a budget line that was created together with its budget.
 */
export async function readEarlierVersionEnds(tx: Transaction): Promise<ReadonlyMap<string, string>> {
  const rows = await query<{ tracker_id: string; end: string }>(
    tx,
    `select tracker_id, max(occurred_at) as "end" from (
       select tracker_id, occurred_at from app.events where salt is null and change_digest is null and state_digest is null
       union all
       select tracker_id, occurred_at from app.audit_events where salt is null and change_digest is null and state_digest is null
     ) e group by tracker_id`,
    {},
    oneDay,
  );
  return new Map(rows.map(({ tracker_id, end }) => [tracker_id, end]));
}
