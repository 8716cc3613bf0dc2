import type { Webhook } from '@centavo/contracts';
import { query } from '../../database/query.js';
import type { Transaction } from '../../database/transaction.js';
import type { DeliveryRow, WebhookRow } from './webhooks.view.js';

/** Identifies an endpoint in the tracker of the request. */
export interface WebhookKey {
  readonly trackerId: string;
  readonly id: string;
}

/** The number of the newest event of a tracker, the number of the last removed event, and the count of endpoints. */
export interface CreateWebhookFacts {
  readonly head: number;
  readonly floor: number;
  readonly endpointCount: number;
}

/** The number of consecutive failures that makes an endpoint failing. `deliveries/decide-attempt.ts` contains the same number. */
const failuresToFailing = 5;

const columns = `e.id, e.tracker_id, e.url, e.description, e.event_types, e.payload, e.exclude_own_writes, e.max_in_flight, e.status,
  e.disabled_reason, e.owner_user_id, e.owner_credential_id, e.owner_lineage_id, e.cursor_sequence,
  case when e.failure_count >= ${failuresToFailing} then e.first_failure_at end as failing_since, e.last_success_at, e.secret_last4,
  e.created_at, e.updated_at, e.deleted_at, e.secret is not null as has_secret,
  coalesce((select h.sequence from app.event_heads h where h.tracker_id = :trackerId), 0) as head_sequence,
  coalesce((select h.floor_sequence from app.event_heads h where h.tracker_id = :trackerId), 0) as floor_sequence`;

/** Lists the endpoints of a tracker, the newest first. */
export async function listWebhooks(tx: Transaction, trackerId: string): Promise<WebhookRow[]> {
  return query<WebhookRow>(
    tx,
    `select ${columns} from app.webhook_endpoints e where e.tracker_id = :trackerId and e.deleted_at is null
     order by e.created_at desc, e.id desc`,
    { trackerId },
  );
}

/** Finds an endpoint, even if it is deleted. */
export async function findWebhook(tx: Transaction, key: WebhookKey): Promise<WebhookRow | undefined> {
  const [row] = await query<WebhookRow>(
    tx,
    `select ${columns} from app.webhook_endpoints e where e.tracker_id = :trackerId and e.id = :id`,
    { ...key },
  );
  return row;
}

/** Finds an endpoint, even if it is deleted, and locks its row until the transaction ends. */
export async function lockWebhook(tx: Transaction, key: WebhookKey): Promise<WebhookRow | undefined> {
  await query(tx, 'select from app.webhook_endpoints where tracker_id = :trackerId and id = :id for no key update', {
    ...key,
  });
  return findWebhook(tx, key);
}

/** Serializes the creation of endpoints in a tracker until the transaction ends, so that concurrent requests cannot exceed the quota. */
export async function lockCreation(tx: Transaction, trackerId: string): Promise<void> {
  await query(tx, `select pg_advisory_xact_lock(hashtextextended('webhooks ' || cast(:trackerId as text), 4))`, {
    trackerId,
  });
}

/** Loads the facts that are checked before an endpoint is created. */
export async function loadCreateFacts(tx: Transaction, trackerId: string): Promise<CreateWebhookFacts> {
  const [row] = await query<{ head: string; floor: string; endpoint_count: number }>(
    tx,
    `select coalesce((select h.sequence from app.event_heads h where h.tracker_id = :trackerId), 0) as head,
       coalesce((select h.floor_sequence from app.event_heads h where h.tracker_id = :trackerId), 0) as floor,
       (select count(*)::int from app.webhook_endpoints e where e.tracker_id = :trackerId and e.deleted_at is null)
         as endpoint_count`,
    { trackerId },
  );
  return { head: Number(row?.head), floor: Number(row?.floor), endpointCount: row?.endpoint_count ?? 0 };
}

/** The stored owner of an endpoint. */
export interface WebhookOwner {
  readonly userId: string;
  readonly credentialId: string | null;
  /** The id of the first credential in the rotation chain of `credentialId`; null if the owner is a user. */
  readonly lineageId: string | null;
}

/** Inserts an endpoint. */
export async function insertWebhook(
  tx: Transaction,
  endpoint: WebhookKey & {
    readonly url: string;
    readonly description: string | null;
    readonly eventTypes: readonly string[];
    readonly payload: Webhook['payload'];
    readonly excludeOwnWrites: boolean;
    readonly maxInFlight: number;
    readonly owner: WebhookOwner;
    readonly cursorSequence: number;
    readonly storedSecret: string;
    readonly secretLast4: string;
  },
): Promise<void> {
  const { owner, ...fields } = endpoint;
  await query(
    tx,
    `insert into app.webhook_endpoints (tracker_id, id, url, description, event_types, payload, exclude_own_writes, max_in_flight,
       owner_user_id, owner_credential_id, owner_lineage_id, cursor_sequence, secret, secret_last4)
     values (:trackerId, :id, :url, :description, :eventTypes, :payload, :excludeOwnWrites, :maxInFlight,
       :userId, :credentialId, :lineageId, :cursorSequence, :storedSecret, :secretLast4)`,
    { ...fields, ...owner },
  );
}

/** Stores the settings of an endpoint, and makes it due, so that a worker examines it at once. */
export async function updateWebhook(
  tx: Transaction,
  endpoint: WebhookKey & {
    readonly url: string;
    readonly description: string | null;
    readonly eventTypes: readonly string[];
    readonly payload: Webhook['payload'];
    readonly excludeOwnWrites: boolean;
    readonly maxInFlight: number;
    readonly status: Webhook['status'];
    readonly disabledReason: Webhook['disabledReason'];
    readonly owner: WebhookOwner;
    readonly cursorSequence: number;
    /** True if the failure count, the time of the next retry and the throttling of the endpoint are reset. */
    readonly startsAgain: boolean;
    /** True if `status` becomes `active`. */
    readonly isActivated: boolean;
  },
): Promise<void> {
  const { owner, ...fields } = endpoint;
  await query(
    tx,
    `update app.webhook_endpoints set url = :url, description = :description, event_types = :eventTypes, payload = :payload,
       exclude_own_writes = :excludeOwnWrites, max_in_flight = :maxInFlight, status = :status, disabled_reason = :disabledReason,
       owner_user_id = :userId, owner_credential_id = :credentialId, owner_lineage_id = :lineageId,
       cursor_sequence = :cursorSequence,
       failure_count = case when :startsAgain then 0 else failure_count end,
       first_failure_at = case when not :startsAgain then first_failure_at end,
       retry_at = case when not :startsAgain then retry_at end,
       is_throttled = is_throttled and not :startsAgain,
       active_since = case when :isActivated then now() else active_since end,
       updated_at = now(), due_at = now()
     where tracker_id = :trackerId and id = :id`,
    { ...fields, ...owner },
  );
}

/**
 * Deletes the bodies of an endpoint's deliveries, except those of test deliveries. Call it when the owner changes: the worker then builds
 * the bodies of pending deliveries again, with the rights of the new owner.
 */
export async function deleteBodies(tx: Transaction, { trackerId, id }: WebhookKey): Promise<void> {
  await query(
    tx,
    `update app.webhook_deliveries set body = null
     where tracker_id = :trackerId and endpoint_id = :id and sequence is not null and body is not null`,
    { trackerId, id },
  );
}

/** Drops the pending deliveries of an endpoint. */
export async function dropPendingDeliveries(tx: Transaction, { trackerId, id }: WebhookKey): Promise<void> {
  await query(
    tx,
    `update app.webhook_deliveries set status = 'dropped', completed_at = now(), body = null
     where tracker_id = :trackerId and endpoint_id = :id and status = 'pending'`,
    { trackerId, id },
  );
}

/** Marks an endpoint as deleted and erases its secrets. The row stays, so that a repeated DELETE succeeds. */
export async function deleteWebhook(tx: Transaction, key: WebhookKey): Promise<void> {
  await query(
    tx,
    `update app.webhook_endpoints set deleted_at = now(), updated_at = now(), secret = null, previous_secret = null,
       previous_secret_until = null
     where tracker_id = :trackerId and id = :id`,
    { ...key },
  );
}

/** Stores a new secret of an endpoint. For the next `overlapHours` hours, deliveries are signed with the previous secret too. */
export async function rotateSecret(
  tx: Transaction,
  secret: WebhookKey & { readonly storedSecret: string; readonly secretLast4: string; readonly overlapHours: number },
): Promise<void> {
  await query(
    tx,
    `update app.webhook_endpoints set previous_secret = case when :overlapHours > 0 then secret end,
       previous_secret_until = case when :overlapHours > 0 and secret is not null
         then now() + make_interval(hours => cast(:overlapHours as integer)) end,
       secret = :storedSecret, secret_last4 = :secretLast4, updated_at = now()
     where tracker_id = :trackerId and id = :id`,
    { ...secret },
  );
}

/** The current access of an endpoint's owner to the tracker. If the owner has no access, null is used instead of this object. */
export interface OwnerAccess {
  /** The ids of the owner's credential and of all credentials before and after it in its rotation chain; null if the owner is a user. */
  readonly credentialIds: readonly string[] | null;
}

/**
 * Returns the current rights of an endpoint's owner, and locks them: no other transaction can revoke them before this transaction ends.
 * Returns null if the endpoint does not exist, or if its owner has lost access: the user is no longer an admin or owner of the tracker,
 * or the credential is no longer valid for the tracker. Call it before {@link lockWebhook}.
 */
export async function findOwnerAccess(tx: Transaction, id: string): Promise<OwnerAccess | null> {
  const [row] = await query<{ access: OwnerAccess | null }>(
    tx,
    'select app.webhook_owner_access(cast(:id as uuid)) as access',
    { id },
  );
  return row?.access ?? null;
}

const deliveryColumns = `id, event_id, position, sequence, type, status, attempts, next_attempt_at, last_status, last_error, created_at,
  completed_at`;

/** Lists deliveries of an endpoint, the newest first. */
export async function listDeliveries(
  tx: Transaction,
  page: WebhookKey & { readonly status: string | null; readonly before: number | null; readonly limit: number },
): Promise<DeliveryRow[]> {
  return query<DeliveryRow>(
    tx,
    `select ${deliveryColumns} from app.webhook_deliveries
     where tracker_id = :trackerId and endpoint_id = :id and (cast(:status as text) is null or status = :status)
       and (cast(:before as bigint) is null or position < :before)
     order by position desc limit :limit`,
    { ...page },
  );
}

/** Inserts a test delivery that is due now, makes its endpoint due, and returns the row. */
export async function insertTestDelivery(
  tx: Transaction,
  delivery: WebhookKey & { readonly deliveryId: string; readonly body: string },
): Promise<DeliveryRow> {
  const { trackerId, id } = delivery;
  await makeDue(tx, { trackerId, id });
  const [row] = await query<DeliveryRow>(
    tx,
    `insert into app.webhook_deliveries (tracker_id, endpoint_id, event_id, id, type, next_attempt_at, body)
     values (:trackerId, :id, :deliveryId, :deliveryId, 'webhook.test', now(), :body) returning ${deliveryColumns}`,
    { ...delivery },
  );
  if (row === undefined) throw new Error('The insert of a delivery returned no row');
  return row;
}

/** Makes a stored delivery pending and due, and restarts its retries. @returns undefined if the endpoint has no delivery with this id */
export async function retryDelivery(
  tx: Transaction,
  delivery: WebhookKey & { readonly deliveryId: string },
): Promise<DeliveryRow | undefined> {
  const { trackerId, id } = delivery;
  const [row] = await query<DeliveryRow>(
    tx,
    `update app.webhook_deliveries set status = 'pending', round = round + 1, counted_attempts = 0, next_attempt_at = now(),
       completed_at = null
     where tracker_id = :trackerId and endpoint_id = :id and id = :deliveryId returning ${deliveryColumns}`,
    { ...delivery },
  );
  if (row !== undefined) await makeDue(tx, { trackerId, id });
  return row;
}

/** Makes an endpoint due: a worker examines it at once, even if its next attempt after a failure was scheduled for later. */
export async function makeDue(tx: Transaction, key: WebhookKey): Promise<void> {
  await query(
    tx,
    `update app.webhook_endpoints set due_at = now(), retry_at = case when retry_at is not null then now() end
     where tracker_id = :trackerId and id = :id`,
    { ...key },
  );
}

/** The endpoint of a replay, and the range of events to replay. */
export interface ReplayRange extends WebhookKey {
  readonly fromSequence: number;
  readonly toSequence: number;
}

/** Returns the number of events of a replay, or `max` if there are more. */
export async function countReplayedEvents(
  tx: Transaction,
  replay: ReplayRange & ReplayFilter & { readonly max: number },
): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    `select count(*)::int as count from (select 1 ${replayedEvents} limit :max) as chosen`,
    { ...replay },
  );
  return row?.count ?? 0;
}

/** The filter that an endpoint applies to events. */
export interface ReplayFilter {
  readonly types: readonly string[];
  /** Prefixes of types; `''` for all types. */
  readonly prefixes: readonly string[];
  /** Excludes the events of changes that this user made without a credential. */
  readonly exceptUserId: string | null;
  /** Excludes the events of changes that were made with these credentials. */
  readonly exceptCredentialIds: readonly string[];
}

const replayedEvents = `from app.events e
     where e.tracker_id = :trackerId and e.sequence between :fromSequence and :toSequence
       and (e.action = any (:types) or exists (select from unnest(cast(:prefixes as text[])) as p where starts_with(e.action, p)))
       and not (e.credential_id is null and e.user_id is not distinct from cast(:exceptUserId as uuid) and cast(:exceptUserId as uuid) is not null)
       and not coalesce(e.credential_id = any (cast(:exceptCredentialIds as uuid[])), false)`;

/** Schedules the events of a replay. @returns the number of deliveries */
export async function replayEvents(tx: Transaction, replay: ReplayRange & ReplayFilter): Promise<number> {
  const { trackerId, id } = replay;
  // Each retry or replay increases `round`, which begins at 1. After test deliveries, a failing endpoint
  // gets deliveries with the highest round first.
  const rows = await query(
    tx,
    `insert into app.webhook_deliveries as d (tracker_id, endpoint_id, event_id, sequence, type, next_attempt_at, round)
     select e.tracker_id, :id, e.id, e.sequence, e.action, now(), 2 ${replayedEvents} order by e.sequence
     on conflict (endpoint_id, event_id) do update
       set status = 'pending', round = d.round + 1, counted_attempts = 0, next_attempt_at = now(), completed_at = null
     returning 1`,
    { ...replay },
  );
  if (rows.length > 0) await makeDue(tx, { trackerId, id });
  return rows.length;
}

/** Returns the number of stored failed deliveries of a range of events, or `max` if there are more. */
export async function countFailedDeliveries(
  tx: Transaction,
  replay: ReplayRange & { readonly max: number },
): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    `select count(*)::int as count from (
       select 1 from app.webhook_deliveries where tracker_id = :trackerId and endpoint_id = :id and status = 'failed'
         and sequence between :fromSequence and :toSequence limit :max) as chosen`,
    { ...replay },
  );
  return row?.count ?? 0;
}

/** Schedules the stored failed deliveries of a range of events again. @returns the number of these deliveries */
export async function replayFailed(tx: Transaction, replay: ReplayRange): Promise<number> {
  const { trackerId, id } = replay;
  const rows = await query(
    tx,
    `update app.webhook_deliveries set status = 'pending', round = round + 1, counted_attempts = 0, next_attempt_at = now(),
       completed_at = null
     where tracker_id = :trackerId and endpoint_id = :id and status = 'failed' and sequence between :fromSequence and :toSequence
     returning 1`,
    { ...replay },
  );
  if (rows.length > 0) await makeDue(tx, { trackerId, id });
  return rows.length;
}
