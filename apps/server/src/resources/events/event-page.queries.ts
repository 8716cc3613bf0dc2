import { changesLimitMax, changesWindow, type EventResourceType } from '@centavo/contracts';
import { query } from '../../database/query.js';
import type { ContextValue, IdQuery } from '../../database/statement.js';
import type { SendOptions, Transaction } from '../../database/transaction.js';

/** A request for at most `limit` events of a tracker: the next ones after the sequence number `after`. */
export interface EventPageRequest {
  readonly trackerId: string | ContextValue;
  readonly after: number;
  readonly limit: number;
  /** Only events of these resource types; undefined for all types. */
  readonly resourceTypes?: readonly EventResourceType[] | undefined;
}

/** An event of a tracker, with its sequence number. */
export interface EventRow {
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  readonly occurredAt: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly userId: string | null;
  readonly credentialId: string | null;
  readonly requestId: string;
  readonly change: Readonly<Record<string, [unknown, unknown]>> | null;
  /** Hexadecimal digits. */
  readonly hash: string;
}

/**
 * The number and the hash of two events of a tracker: the newest event, and the newest event that retention removed (the floor). If one of
 * these events does not exist, its number is 0 and its hash is the genesis hash.
 */
export interface EventHead {
  readonly sequence: number;
  readonly hash: string;
  readonly floorSequence: number;
  readonly floorHash: string;
}

/** A page of events in ascending order and the head of the hash chain (its newest event), from one snapshot. */
export interface EventPage {
  readonly head: EventHead;
  /** The hash of the event with the number `after`; null if the tracker has no event with this number. */
  readonly hashBefore: string | null;
  /**
   * The hash of the event with the number `after` + {@link changesWindow}, the highest number that the query examines; null if the tracker
   * has no event with this number.
   */
  readonly hashAtWindowEnd: string | null;
  readonly events: readonly EventRow[];
}

/** Reads a page of events. The query examines only the {@link changesWindow} sequence numbers after `after`. */
export async function readEventPage(
  tx: Transaction,
  page: EventPageRequest,
  options: SendOptions = {},
): Promise<EventPage> {
  const [row] = await query<Omit<EventPage, 'head'> & { head: EventHead | null; genesis: string }>(
    tx,
    `select (
         select json_build_object('sequence', h.sequence, 'hash', encode(h.hash, 'hex'), 'floorSequence', h.floor_sequence,
           'floorHash', encode(h.floor_hash, 'hex'))
         from app.event_heads h where h.tracker_id = :trackerId) as head,
       encode(app.genesis_hash(cast(:trackerId as uuid)), 'hex') as genesis,
       (select encode(e.hash, 'hex') from app.events e
         where e.tracker_id = :trackerId and e.sequence = cast(:after as bigint)) as "hashBefore",
       (select encode(e.hash, 'hex') from app.events e
         where e.tracker_id = :trackerId and e.sequence = cast(:windowEnd as bigint)) as "hashAtWindowEnd",
       (select coalesce(json_agg(json_build_object('sequence', p.sequence, 'id', p.id, 'type', p.action,
           'occurredAt', to_char(p.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'resourceType', p.resource_type, 'resourceId', p.resource_id, 'userId', p.user_id,
           'credentialId', p.credential_id, 'requestId', p.request_id, 'change', p.change, 'hash', encode(p.hash, 'hex'))
           order by p.sequence), '[]')
         from (${pageSql(page)}) p) as events`,
    pageBindings(page),
    options,
  );
  if (row === undefined) throw new Error('The read of a page of events returned no row');
  const { head, genesis, ...rest } = row;
  return { ...rest, head: head ?? { sequence: 0, hash: genesis, floorSequence: 0, floorHash: genesis } };
}

/** Returns a subquery for the record ids of one resource type in a page of events. */
export function idsInPage(page: EventPageRequest, resourceType: EventResourceType): IdQuery {
  const id = resourceType === 'category' ? 'p.resource_id' : 'cast(p.resource_id as uuid)';
  return {
    sql: `select ${id} from (${pageSql(page)}) p where p.resource_type = '${resourceType}'`,
    bindings: pageBindings(page),
  };
}

// The constant limit of the inner query lets PostgreSQL expect few rows for all parameter values, so it reuses one plan for all requests.
function pageSql({ resourceTypes }: EventPageRequest): string {
  return `select w.* from (
      select e.* from app.events e
      where e.tracker_id = :trackerId and e.sequence > cast(:after as bigint) and e.sequence <= cast(:windowEnd as bigint)
        ${resourceTypes === undefined ? '' : 'and e.resource_type = any (cast(:resourceTypes as text[]))'}
      order by e.sequence limit ${changesLimitMax}) w
    order by w.sequence limit cast(:limit as integer)`;
}

function pageBindings({ trackerId, after, limit, resourceTypes }: EventPageRequest): IdQuery['bindings'] {
  const bindings = { trackerId, after, windowEnd: after + changesWindow, limit };
  return resourceTypes === undefined ? bindings : { ...bindings, resourceTypes };
}
