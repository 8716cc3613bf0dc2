import { auditWindow } from '@centavo/contracts';
import { query } from '../../database/query.js';
import type { ContextValue } from '../../database/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { EventHead, EventRow } from './event-page.queries.js';

/** Filters and position of a page of the audit trail, already validated. */
export interface AuditPageRequest {
  readonly trackerId: string | ContextValue;
  readonly order: 'asc' | 'desc';
  /** The sequence number after which the page begins. In descending order, the page has smaller numbers. Undefined for the first page. */
  readonly cursorSequence: number | undefined;
  readonly limit: number;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  /** The id of the user or the credential that acted. */
  readonly actorId?: string | undefined;
  /** An event type, or a prefix of event types, such as `movement.*`. */
  readonly type?: string | undefined;
  /** `from` and `to` are days in the tracker's time zone. Both days are included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** An event with its sequence number and all fields that its hash covers. */
export interface AuditRow extends EventRow {
  readonly previousHash: string;
  readonly changeDigest: string | null;
  readonly stateDigest: string | null;
  readonly salt: string | null;
}

/** A page of the audit trail and the head of the hash chain (its newest event), from one snapshot. */
export interface AuditPage {
  readonly head: EventHead & { readonly occurredAt: string | null };
  /** The hash of the event at the cursor; null if there is no cursor, or no event with the cursor's number. */
  readonly hashBefore: string | null;
  /**
   * The last sequence number that the query examines for this page, with the hash of its event; null if no event has this number. Also
   * null if `resourceId` is set, because the query then examines all numbers.
   */
  readonly windowEnd: { readonly sequence: number; readonly hash: string } | null;
  /** The events of the page, and the next matching event if it is not beyond `windowEnd`. */
  readonly events: readonly AuditRow[];
}

/**
 * Reads a page of the audit trail. Without the filter `resourceId`, it examines at most {@link auditWindow} sequence numbers.
 * @source docs/additions.md, section 4.2
 */
export async function readAuditPage(tx: Transaction, page: AuditPageRequest): Promise<AuditPage> {
  const isAscending = page.order === 'asc';
  // The query examines the sequence numbers between `start` and `end`, both excluded. Under row-level security, PostgreSQL uses an index
  // only for leakproof conditions. A condition with `coalesce` is not leakproof, but a comparison with the result of a scalar subquery is.
  // So both bounds are scalar subqueries.
  const start = isAscending ? startOfAscending : startOfDescending;
  const end = `(select ${start} ${isAscending ? '+ :window + 1' : '- :window - 1'})`;
  const [lower, upper] = isAscending ? [start, end] : [end, start];
  const isBounded = page.resourceId === undefined;
  const range = isBounded
    ? `e.sequence > ${lower} and e.sequence < ${upper}`
    : `e.sequence ${isAscending ? '>' : '<'} ${start}`;
  const lastInWindow = isAscending ? `${end} - 1` : `${end} + 1`;
  const [row] = await query<Omit<AuditPage, 'head'> & { head: AuditPage['head'] | null; genesis: string }>(
    tx,
    `select ${headSql} as head, encode(app.genesis_hash(cast(:trackerId as uuid)), 'hex') as genesis,
       (select encode(e.hash, 'hex') from app.events e
         where e.tracker_id = :trackerId and e.sequence = cast(:cursorSequence as bigint)) as "hashBefore",
       ${
         isBounded
           ? `(select json_build_object('sequence', e.sequence, 'hash', encode(e.hash, 'hex')) from app.events e
         where e.tracker_id = :trackerId and e.sequence = ${lastInWindow})`
           : 'null'
       } as "windowEnd",
       (select coalesce(json_agg(${eventJson} order by p.sequence ${page.order}), '[]')
         from (select e.* from app.events e
           where e.tracker_id = :trackerId and ${[range, ...conditionsOf(page)].join(' and ')}
           order by e.sequence ${page.order} limit cast(:rows as integer)) p) as events`,
    {
      trackerId: page.trackerId,
      cursorSequence: page.cursorSequence ?? null,
      window: auditWindow,
      rows: page.limit + 1,
      resourceType: page.resourceType ?? null,
      resourceId: page.resourceId ?? null,
      actorId: page.actorId ?? null,
      type: page.type ?? null,
      typePrefix: page.type?.slice(0, -1) ?? null,
      from: page.from ?? null,
      to: page.to ?? null,
    },
    { isLastRead: true },
  );
  if (row === undefined) throw new Error('The read of a page of the audit trail returned no row');
  const { head, genesis, ...rest } = row;
  return { ...rest, head: head ?? headAtGenesis(genesis) };
}

/** Reads the head of a tracker's hash chain. */
export async function readAuditHead(tx: Transaction, trackerId: string | ContextValue): Promise<AuditPage['head']> {
  const [row] = await query<{ head: AuditPage['head'] | null; genesis: string }>(
    tx,
    `select ${headSql} as head, encode(app.genesis_hash(cast(:trackerId as uuid)), 'hex') as genesis`,
    { trackerId },
    { isLastRead: true },
  );
  if (row === undefined) throw new Error('The read of the head of a hash chain returned no row');
  return row.head ?? headAtGenesis(row.genesis);
}

/** Returns the head of the hash chain of a tracker in which no event has a sequence number yet: number 0 and the genesis hash. */
function headAtGenesis(genesis: string): AuditPage['head'] {
  return { sequence: 0, hash: genesis, occurredAt: null, floorSequence: 0, floorHash: genesis };
}

const startOfAscending = `(select coalesce(cast(:cursorSequence as bigint),
  (select h.floor_sequence from app.event_heads h where h.tracker_id = :trackerId)))`;

const startOfDescending = `(select coalesce(cast(:cursorSequence as bigint),
  (select h.sequence + 1 from app.event_heads h where h.tracker_id = :trackerId)))`;

const timestampJson = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const headSql = `(select json_build_object('sequence', h.sequence, 'hash', encode(h.hash, 'hex'),
       'floorSequence', h.floor_sequence, 'floorHash', encode(h.floor_hash, 'hex'), 'occurredAt', (
         select ${timestampJson('l.occurred_at')} from app.events l
         where l.tracker_id = :trackerId and l.sequence = h.sequence))
     from app.event_heads h where h.tracker_id = :trackerId)`;

// `previousHash` is the hash of the previous event. If retention removed that event, or the event is the first one, `previousHash` is
// `floor_hash` in `app.event_heads`: the hash of the newest removed event, or the genesis hash.
const eventJson = `json_build_object('sequence', p.sequence, 'id', p.id, 'type', p.action,
       'occurredAt', ${timestampJson('p.occurred_at')}, 'resourceType', p.resource_type, 'resourceId', p.resource_id,
       'userId', p.user_id, 'credentialId', p.credential_id, 'requestId', p.request_id, 'change', p.change,
       'hash', encode(p.hash, 'hex'), 'previousHash', encode(coalesce(
         (select b.hash from app.events b where b.tracker_id = :trackerId and b.sequence = p.sequence - 1),
         (select h.floor_hash from app.event_heads h where h.tracker_id = :trackerId)), 'hex'),
       'changeDigest', encode(p.change_digest, 'hex'), 'stateDigest', encode(p.state_digest, 'hex'),
       'salt', encode(p.salt, 'hex'))`;

const timeZoneSql = '(select t.time_zone from app.trackers t where t.id = :trackerId)';

function conditionsOf({ resourceType, resourceId, actorId, type, from, to }: AuditPageRequest): readonly string[] {
  return [
    resourceType !== undefined && 'e.resource_type = :resourceType',
    resourceId !== undefined && 'e.resource_id = :resourceId',
    actorId !== undefined && 'coalesce(e.credential_id, e.user_id) = cast(:actorId as uuid)',
    type !== undefined && (type.endsWith('*') ? 'starts_with(e.action, :typePrefix)' : 'e.action = :type'),
    from !== undefined && `e.occurred_at >= cast(cast(:from as date) as timestamp) at time zone ${timeZoneSql}`,
    to !== undefined && `e.occurred_at < cast(cast(:to as date) + 1 as timestamp) at time zone ${timeZoneSql}`,
  ].filter((condition) => condition !== false);
}
