import type { Role, Scope } from '@centavo/contracts';
import type { Sweep } from '../database/hourly-sweeps.js';
import type { Transactions } from '../database/pool.js';
import { assumeJobRole, assumeRole, query } from '../database/query.js';
import type { Transaction } from '../database/transaction.js';
import type { DeliveryState, EndpointState } from './decide-attempt.js';

/**
 * The lease of an endpoint. `epoch` is the number of the lease: each new lease of the endpoint has a higher one. Results of attempts are
 * recorded only if the endpoint has no newer lease.
 */
export interface Lease {
  readonly endpointId: string;
  readonly worker: string;
  readonly epoch: number;
}

/** Runs a transaction as the database role that may call the worker's SQL functions. */
export async function workerTransaction<Result>(
  database: Transactions,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction({ readOnly: false }, async (tx) => {
    await assumeJobRole(tx);
    return work(tx);
  });
}

/** Leases up to `max` due endpoints for 30 seconds. Returns each lease with the seconds since its endpoint became due. */
export async function leaseEndpoints(
  tx: Transaction,
  { worker, max }: { readonly worker: string; readonly max: number },
): Promise<readonly (Lease & { readonly lateSeconds: number })[]> {
  const rows = await query<{ endpoint_id: string; epoch: string; late_seconds: number }>(
    tx,
    'select * from app.lease_webhooks(cast(:worker as uuid), cast(:max as integer))',
    { worker, max },
  );
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    worker,
    epoch: Number(row.epoch),
    lateSeconds: row.late_seconds,
  }));
}

/** Renews a lease. @returns false if the lease was lost */
export async function renewLease(tx: Transaction, lease: Lease): Promise<boolean> {
  const [row] = await query<{ renewed: boolean }>(
    tx,
    'select app.renew_webhook_lease(cast(:endpointId as uuid), cast(:worker as uuid), cast(:epoch as bigint)) as renewed',
    { ...lease },
  );
  return row?.renewed === true;
}

/** Ends a lease, and sets the time when the endpoint is due again. */
export async function releaseLease(tx: Transaction, lease: Lease): Promise<void> {
  await query(
    tx,
    'select app.release_webhook(cast(:endpointId as uuid), cast(:worker as uuid), cast(:epoch as bigint))',
    {
      ...lease,
    },
  );
}

/** An endpoint whose owner's rights were just checked. */
export interface AuthorizedEndpoint {
  readonly trackerId: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly payload: 'reference' | 'record';
  readonly excludeOwnWrites: boolean;
  readonly maxInFlight: number;
  readonly cursorSequence: number;
  readonly failureCount: number;
  readonly isThrottled: boolean;
  /** False while a failing endpoint waits for its next attempt. */
  readonly mayRetry: boolean;
  /** The current secret as the database stores it, usually encrypted. */
  readonly secret: string | null;
  /** The secret that the last rotation replaced, as the database stores it (usually encrypted); null if it no longer signs deliveries. */
  readonly previousSecret: string | null;
  /** Null if the owner has lost access. */
  readonly owner: {
    readonly userId: string;
    readonly role: Role;
    /** The newest active credential in the owner's chain of rotations; null if the owner is a user. */
    readonly credentialId: string | null;
    /** All credentials of this chain, whose writes are the endpoint's own writes; null if the owner is a user. */
    readonly credentialIds: readonly string[] | null;
    readonly scopes: readonly Scope[] | null;
  } | null;
}

/**
 * Takes the same locks as a write by the endpoint's owner, and then checks the rights of the owner. Renews the lease. If the owner has
 * access, also sets the context of the transaction for {@link actAsOwner}: the owner and the tracker.
 * @returns null if the lease was lost or the endpoint is not active
 */
export async function authorizeEndpoint(tx: Transaction, lease: Lease): Promise<AuthorizedEndpoint | null> {
  const [row] = await query<{ endpoint: AuthorizedEndpoint | null }>(
    tx,
    `select app.authorize_webhook(cast(:endpointId as uuid), cast(:worker as uuid), cast(:epoch as bigint)) as endpoint`,
    { ...lease },
  );
  return row?.endpoint ?? null;
}

/**
 * Assumes `centavo_app`, the database role of requests. {@link authorizeEndpoint} must have set the context of the transaction before. In a
 * sharded database, this function sends the context to the other PostgreSQL servers.
 */
export async function actAsOwner(tx: Transaction): Promise<void> {
  await Promise.all([assumeRole(tx, 'centavo_app'), query(tx, 'select app.carry_context()')]);
}

/** Returns the number of pending deliveries, at most 1,000, and the lowest event number among the pending deliveries without a body. */
export async function findWaiting(
  tx: Transaction,
  endpoint: { readonly trackerId: string; readonly endpointId: string },
): Promise<{ readonly pendingCount: number; readonly firstWithoutBody: number | null }> {
  const [row] = await query<{ pending_count: number; first_without_body: string | null }>(
    tx,
    `select
       (select count(*)::int from (select 1 from app.webhook_deliveries d
         where d.tracker_id = :trackerId and d.endpoint_id = :endpointId and d.status = 'pending' limit 1000) as p)
         as pending_count,
       (select min(d.sequence) from app.webhook_deliveries d
         where d.tracker_id = :trackerId and d.endpoint_id = :endpointId and d.status = 'pending' and d.body is null)
         as first_without_body`,
    { ...endpoint },
  );
  return {
    pendingCount: row?.pending_count ?? 0,
    firstWithoutBody: row?.first_without_body == null ? null : Number(row.first_without_body),
  };
}

/** An event, with the body of the request that delivers it to an endpoint. */
export interface EventBody {
  readonly eventId: string;
  readonly sequence: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Inserts the deliveries of new events, and advances the endpoint's cursor, which is the event number up to which the worker has processed
 * events for the endpoint. A delivery that already exists stays unchanged.
 */
export async function takeEvents(
  tx: Transaction,
  taken: {
    readonly trackerId: string;
    readonly endpointId: string;
    readonly bodies: readonly EventBody[];
    readonly cursorSequence: number;
  },
): Promise<void> {
  const { trackerId, endpointId, bodies, cursorSequence } = taken;
  await query(
    tx,
    `with taken as (
       insert into app.webhook_deliveries (tracker_id, endpoint_id, event_id, sequence, type, next_attempt_at, body)
       select cast(:trackerId as uuid), cast(:endpointId as uuid), b."eventId", b.sequence, b.type, now(), b.body
       from json_to_recordset(cast(:bodies as json)) as b ("eventId" uuid, sequence bigint, type text, body text)
       order by b.sequence
       on conflict (endpoint_id, event_id) do nothing)
     update app.webhook_endpoints set cursor_sequence = :cursorSequence
     where tracker_id = :trackerId and id = :endpointId`,
    { trackerId, endpointId, cursorSequence, bodies: JSON.stringify(bodies) },
  );
}

/**
 * Stores the missing bodies of the pending deliveries whose event numbers are in a range. Drops a delivery if the owner may not read its
 * event, or if retention has removed the event.
 */
export async function storeBodies(
  tx: Transaction,
  made: {
    readonly trackerId: string;
    readonly endpointId: string;
    readonly bodies: readonly EventBody[];
    readonly fromSequence: number;
    readonly toSequence: number;
  },
): Promise<void> {
  const { bodies, ...range } = made;
  await query(
    tx,
    `with made as (
       select b."eventId" as event_id, b.body
       from json_to_recordset(cast(:bodies as json)) as b ("eventId" uuid, body text))
     update app.webhook_deliveries d
     set body = m.body,
       status = case when m.body is null then 'dropped' else d.status end,
       completed_at = case when m.body is null then now() end
     from app.webhook_deliveries w left join made m on m.event_id = w.event_id
     where w.tracker_id = :trackerId and w.endpoint_id = :endpointId and w.status = 'pending' and w.body is null
       and w.sequence between :fromSequence and :toSequence
       and d.endpoint_id = w.endpoint_id and d.event_id = w.event_id`,
    { ...range, bodies: JSON.stringify(bodies) },
  );
}

/** A delivery to attempt now. */
export interface DueDelivery {
  readonly eventId: string;
  readonly body: string;
  readonly countedAttempts: number;
  /** A number that increases when a client requests a retry or replay. Automatic attempts do not change it. */
  readonly round: number;
  readonly isFirstAttempt: boolean;
  readonly createdAt: string;
}

/**
 * Lists due deliveries: test deliveries first, then the others in the order of their events. For a failing endpoint, also lists deliveries
 * that are not due yet, and uses another order: test deliveries, then deliveries for which a client requested a retry or replay, then the
 * others.
 */
export async function listDue(
  tx: Transaction,
  endpoint: {
    readonly trackerId: string;
    readonly endpointId: string;
    readonly isFailing: boolean;
    readonly except: readonly string[];
    readonly limit: number;
  },
): Promise<readonly DueDelivery[]> {
  const { isFailing, ...bindings } = endpoint;
  return query<DueDelivery>(
    tx,
    `select event_id as "eventId", body, counted_attempts as "countedAttempts", round, attempts = 0 as "isFirstAttempt",
       created_at as "createdAt"
     from app.webhook_deliveries
     where tracker_id = :trackerId and endpoint_id = :endpointId and status = 'pending' and body is not null
       and event_id <> all (cast(:except as uuid[])) ${isFailing ? '' : 'and next_attempt_at <= now()'}
     order by sequence is not null, ${isFailing ? 'round desc, ' : ''}sequence, position limit :limit`,
    bindings,
  );
}

/**
 * Locks a leased endpoint before the results of its attempts are recorded, and returns its state.
 * @returns null if the lease was lost; the results must then not be recorded
 */
export async function lockState(
  tx: Transaction,
  lease: Lease,
): Promise<(EndpointState & { readonly nowMs: number }) | null> {
  const [row] = await query<{ state: (EndpointState & { nowMs: number }) | null }>(
    tx,
    'select app.lock_webhook(cast(:endpointId as uuid), cast(:worker as uuid), cast(:epoch as bigint)) as state',
    { ...lease },
  );
  return row?.state ?? null;
}

/** The result of an attempt, as it is stored. */
export type SettledDelivery = DeliveryState & {
  readonly eventId: string;
  readonly round: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
};

/**
 * Stores the state of a locked endpoint and the results of its deliveries. Records the event `webhook.disabled` if the endpoint becomes
 * disabled.
 */
export async function settle(
  tx: Transaction,
  settled: {
    readonly endpointId: string;
    readonly state: EndpointState;
    readonly deliveries: readonly SettledDelivery[];
    readonly event: { readonly id: string; readonly requestId: string; readonly salt: Buffer };
  },
): Promise<void> {
  const { endpointId, state, deliveries, event } = settled;
  await query(
    tx,
    `select app.settle_webhook(cast(:endpointId as uuid), cast(:state as jsonb), cast(:deliveries as jsonb),
       cast(:eventId as uuid), cast(:requestId as uuid), :salt)`,
    {
      endpointId,
      state: JSON.stringify(state),
      deliveries: JSON.stringify(deliveries),
      eventId: event.id,
      requestId: event.requestId,
      salt: event.salt,
    },
  );
}

const oldDeliveries: Sweep = {
  name: 'old webhook deliveries',
  async removeBatch(tx, batch) {
    await assumeJobRole(tx);
    const [row] = await query<{ count: number }>(
      tx,
      'select app.remove_old_webhook_deliveries(cast(:batch as integer)) as count',
      { batch },
    );
    return row?.count ?? 0;
  },
};

/** The hourly cleanup of deliveries. Removes succeeded deliveries after 7 days, and failed and dropped deliveries after 30 days. */
export const deliverySweeps: readonly Sweep[] = [oldDeliveries];
