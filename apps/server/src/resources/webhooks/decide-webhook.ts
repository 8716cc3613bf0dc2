import { type CreateWebhook, type UpdateWebhook, type Webhook, webhooksPerTrackerMax } from '@centavo/contracts';
import { type ApiError, stateConflict, validationError } from '../../api-error.js';
import type { CreateWebhookFacts, OwnerAccess, WebhookOwner } from './webhooks.queries.js';
import { toChangeView, toWebhookView, type WebhookRow } from './webhooks.view.js';

/** The caller of a request. A caller becomes the owner of an endpoint by creating it, or by sending its `url` in an update. */
export interface Caller {
  readonly type: 'user' | 'integration_client';
  readonly userId: string;
  readonly credentialId: string | null;
  /** For a user, `user:` and the user's id; for a credential, `lineage:` and the id of the first credential in its rotation chain. */
  readonly root: string;
}

/** Converts the caller of a request to the owner of an endpoint. */
export function toOwner({ userId, credentialId, root }: Caller): WebhookOwner {
  return { userId, credentialId, lineageId: credentialId === null ? null : root.replace(/^lineage:/, '') };
}

/**
 * Returns the settings of a new endpoint. Pure.
 * @throws VALIDATION_ERROR (400) when `fromSequence` is greater than the number of the next event; STATE_CONFLICT (409)
 *   `cursor_expired` when the event with the number `fromSequence` was removed, `limit_reached` when the tracker has the maximum number of
 *   endpoints
 * @source docs/additions.md, section 5.1
 */
export function decideWebhook(
  body: CreateWebhook,
  { facts, caller }: { readonly facts: CreateWebhookFacts; readonly caller: Caller },
) {
  const { head, floor, endpointCount } = facts;
  const { fromSequence = head + 1 } = body;
  if (fromSequence > head + 1) {
    const message = `The newest event has the number ${head}. Send at most ${head + 1}.`;
    throw validationError([{ path: 'fromSequence', code: 'OUT_OF_RANGE', message }]);
  }
  if (fromSequence <= floor) throw eventsRemoved(floor);
  if (endpointCount >= webhooksPerTrackerMax) {
    throw stateConflict(
      'limit_reached',
      `This tracker has the maximum of ${webhooksPerTrackerMax} endpoints. Delete one first.`,
    );
  }
  return {
    url: body.url,
    description: body.description ?? null,
    eventTypes: body.eventTypes ?? ['*'],
    payload: body.payload ?? 'reference',
    excludeOwnWrites: body.excludeOwnWrites ?? caller.type !== 'user',
    maxInFlight: body.maxInFlight ?? 4,
    owner: toOwner(caller),
    cursorSequence: fromSequence - 1,
  } as const;
}

/**
 * Returns the new settings of an endpoint, and the changed fields. Pure.
 * @param facts.ownerAccess the access of the current owner; null if the owner has no access, or if the update does not depend on it
 * @throws STATE_CONFLICT (409) when the endpoint cannot become active: `webhook_disabled` if it has no secret or its owner has no access,
 *   `cursor_expired` if events after the endpoint's cursor were removed and the request does not have `resumeFrom: now`
 * @source docs/additions.md, section 5.1
 */
export function decideWebhookUpdate(
  body: UpdateWebhook,
  facts: { readonly row: WebhookRow; readonly caller: Caller; readonly ownerAccess: OwnerAccess | null },
) {
  const { row, caller, ownerAccess } = facts;
  const before = toWebhookView(row);
  const owner: WebhookOwner =
    body.url === undefined
      ? { userId: row.owner_user_id, credentialId: row.owner_credential_id, lineageId: row.owner_lineage_id }
      : toOwner(caller);
  const isOwnerChanged = owner.userId !== row.owner_user_id || owner.lineageId !== row.owner_lineage_id;
  const isActivated = body.status === 'active' && row.status !== 'active';
  if (isActivated && !row.has_secret) {
    throw webhookDisabled(
      row,
      'The secret of this endpoint was discarded. Rotate the secret, then activate the endpoint.',
    );
  }
  if (body.status === 'active' && body.url === undefined && ownerAccess === null) {
    throw webhookDisabled(
      row,
      'The owner of this endpoint no longer has access to the tracker. Send the url of the endpoint again to become the owner.',
    );
  }
  const resumesNow = body.resumeFrom === 'now';
  if (isActivated && !resumesNow && before.cursorSequence < Number(row.floor_sequence)) {
    throw eventsRemoved(Number(row.floor_sequence));
  }
  const status = body.status ?? row.status;
  const after: Webhook = {
    ...before,
    url: body.url ?? row.url,
    description: body.description === undefined ? row.description : body.description,
    eventTypes: body.eventTypes ?? row.event_types,
    payload: body.payload ?? row.payload,
    excludeOwnWrites: body.excludeOwnWrites ?? row.exclude_own_writes,
    maxInFlight: body.maxInFlight ?? row.max_in_flight,
    status,
    disabledReason: status === 'disabled' ? row.disabled_reason : null,
    owner: isOwnerChanged
      ? owner.credentialId === null
        ? { type: 'user', id: owner.userId }
        : { type: 'integration_client', id: owner.credentialId }
      : before.owner,
    cursorSequence: resumesNow ? Number(row.head_sequence) : before.cursorSequence,
  };
  return {
    settings: {
      url: after.url,
      description: after.description,
      eventTypes: after.eventTypes,
      payload: after.payload,
      excludeOwnWrites: after.excludeOwnWrites,
      maxInFlight: after.maxInFlight,
      status: after.status,
      disabledReason: after.disabledReason,
      cursorSequence: after.cursorSequence,
      owner: isOwnerChanged
        ? owner
        : { userId: row.owner_user_id, credentialId: row.owner_credential_id, lineageId: row.owner_lineage_id },
      startsAgain: isActivated || after.url !== row.url,
      isActivated,
    },
    change: changeOf(before, after),
    isOwnerChanged,
    dropsPending: resumesNow,
  };
}

/** Returns the changed fields of an endpoint, each with its old and new value; undefined if nothing changed. */
function changeOf(before: Webhook, after: Webhook): Readonly<Record<string, readonly [unknown, unknown]>> | undefined {
  const fields = (Object.keys(before) as (keyof Webhook)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  if (fields.length === 0) return undefined;
  const [shownBefore, shownAfter] = [toChangeView(before), toChangeView(after)];
  return Object.fromEntries(fields.map((field) => [field, [shownBefore[field], shownAfter[field]]]));
}

/**
 * Requires that an endpoint is active. Pure.
 * @throws STATE_CONFLICT (409) `webhook_disabled` unless the endpoint is active
 */
export function requireActive(row: WebhookRow): void {
  if (row.status === 'active') return;
  throw webhookDisabled(row, `This endpoint is ${row.status}. Set its status to "active" first.`);
}

function webhookDisabled(row: WebhookRow, message: string): ApiError {
  return stateConflict('webhook_disabled', message, { status: row.status, disabledReason: row.disabled_reason });
}

function eventsRemoved(floor: number): ApiError {
  const message = `The server has removed the events up to number ${floor}. Read the resources again, and continue with new events.`;
  return stateConflict('cursor_expired', message, { restart: true });
}
