import type { Webhook, WebhookDelivery } from '@centavo/contracts';

/** An endpoint as the queries return it, without its secret. */
export interface WebhookRow {
  readonly id: string;
  readonly tracker_id: string;
  readonly url: string;
  readonly description: string | null;
  readonly event_types: string[];
  readonly payload: Webhook['payload'];
  readonly exclude_own_writes: boolean;
  readonly max_in_flight: number;
  readonly status: Webhook['status'];
  readonly disabled_reason: Webhook['disabledReason'];
  readonly owner_user_id: string;
  readonly owner_credential_id: string | null;
  readonly owner_lineage_id: string | null;
  readonly cursor_sequence: string;
  readonly failing_since: string | null;
  readonly last_success_at: string | null;
  readonly secret_last4: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
  readonly has_secret: boolean;
  readonly head_sequence: string;
  readonly floor_sequence: string;
}

/** Returns an endpoint as the API shows it. */
export function toWebhookView(row: WebhookRow): Webhook {
  const cursorSequence = Number(row.cursor_sequence);
  return {
    id: row.id,
    trackerId: row.tracker_id,
    url: row.url,
    description: row.description,
    eventTypes: row.event_types,
    payload: row.payload,
    excludeOwnWrites: row.exclude_own_writes,
    maxInFlight: row.max_in_flight,
    status: row.status,
    disabledReason: row.disabled_reason,
    owner:
      row.owner_credential_id === null
        ? { type: 'user', id: row.owner_user_id }
        : { type: 'integration_client', id: row.owner_credential_id },
    cursorSequence,
    lagSequence: Math.max(0, Number(row.head_sequence) - cursorSequence),
    failingSince: row.failing_since,
    lastSuccessAt: row.last_success_at,
    secretLast4: row.secret_last4,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** A delivery as the database stores it, without its body. */
export interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly position: string;
  readonly sequence: string | null;
  readonly type: string;
  readonly status: WebhookDelivery['status'];
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly last_status: number | null;
  readonly last_error: WebhookDelivery['lastError'];
  readonly created_at: string;
  readonly completed_at: string | null;
}

/** Returns a delivery as the API shows it. */
export function toDeliveryView(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    eventId: row.event_id,
    sequence: row.sequence === null ? null : Number(row.sequence),
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.status === 'pending' ? row.next_attempt_at : null,
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  };
}

/**
 * Converts fields of an endpoint to the form in which the event `webhook.updated` contains them: the URL is replaced by its origin, because
 * the path may contain a secret.
 */
export function toChangeView({
  url,
  ...fields
}: Partial<Pick<Webhook, keyof Webhook>>): Readonly<Record<string, unknown>> {
  return url === undefined ? fields : { url: new URL(url).origin, ...fields };
}
