import {
  encodeDeliveryCursor,
  type Pagination,
  routes,
  toWebhookBody,
  type WebhookDelivery,
  webhookReplayMax,
} from '@centavo/contracts';
import { notFound, validationError } from '../../api-error.js';
import { requireRecentTotp } from '../../auth/step-up.js';
import type { Transaction } from '../../database/transaction.js';
import type { SecretEncryption } from '../../encryption/secret-encryption.js';
import { type AbsentEndpoint, absentEndpoint, type Endpoint, endpoint } from '../../http/endpoint.js';
import { decideWebhook, decideWebhookUpdate, requireActive } from './decide-webhook.js';
import { findUrlIssue, type UrlPolicy } from './endpoint-url.js';
import { makeWebhookSecret, webhookSecretOwner } from './webhook-secret.js';
import {
  countFailedDeliveries,
  countReplayedEvents,
  deleteBodies,
  deleteWebhook,
  dropPendingDeliveries,
  findOwnerAccess,
  findWebhook,
  insertTestDelivery,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  loadCreateFacts,
  lockCreation,
  lockWebhook,
  type OwnerAccess,
  replayEvents,
  replayFailed,
  retryDelivery,
  rotateSecret,
  updateWebhook,
  type WebhookKey,
} from './webhooks.queries.js';
import { type DeliveryRow, toDeliveryView, toWebhookView, type WebhookRow } from './webhooks.view.js';

/** The dependencies of the operations on webhooks. */
export interface WebhookSettings {
  readonly now: () => Date;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly encryption: SecretEncryption;
  readonly urlPolicy: UrlPolicy;
  readonly stepUpMaxAgeSeconds: number;
}

/**
 * The maximum number of pending events to which one request assigns sequence numbers, before it reads the number of the newest event (the
 * head). A pending event is committed but has no sequence number yet.
 */
const numberedMax = 10_000;

/** Creates the operations on endpoints and deliveries. */
export function createWebhooksEndpoints(settings: WebhookSettings): readonly Endpoint[] {
  return [...endpointOperations(settings), ...deliveryOperations()];
}

/** Declares that a server without webhooks has no handlers for these operations. Their paths return 404. */
export function absentWebhooksEndpoints(): readonly AbsentEndpoint[] {
  return Object.values(routes)
    .filter(({ call }) => call.resource === 'webhooks')
    .map(absentEndpoint);
}

function endpointOperations(settings: WebhookSettings): readonly Endpoint[] {
  const { randomBytes, encryption, urlPolicy } = settings;

  /** Returns a new secret for the response, with its encrypted form and last four characters for the database. */
  async function makeSecret(id: string) {
    const secret = makeWebhookSecret(randomBytes);
    const storedSecret = await encryption.encrypt(secret, webhookSecretOwner(id));
    return { secret, storedSecret, secretLast4: secret.slice(-4) };
  }

  /**
   * Requires a URL that the operator's rules allow.
   * @throws VALIDATION_ERROR (400) when the rules do not allow the URL
   */
  function requireAllowedUrl(url: string): void {
    const issue = findUrlIssue(url, urlPolicy);
    if (issue !== undefined) throw validationError([issue]);
  }

  return [
    endpoint(routes.listWebhooks, async ({ tx, tracker }) => {
      const rows = await listWebhooks(tx, tracker.id);
      return { data: rows.map(toWebhookView) };
    }),

    endpoint(routes.getWebhook, async ({ tx, tracker, pathParameters }) => {
      const row = existing(await findWebhook(tx, keyOf(tracker.id, pathParameters.webhookId)));
      return { data: toWebhookView(row) };
    }),

    endpoint(routes.createWebhook, async ({ tx, body, principal, tracker, numberEvents, newId }) => {
      requireAllowedUrl(body.url);
      await lockCreation(tx, tracker.id);
      // Assigns sequence numbers to the pending events first, so that by default a new endpoint starts after them.
      await numberEvents(numberedMax);
      const plan = decideWebhook(body, { facts: await loadCreateFacts(tx, tracker.id), caller: principal });
      const key = { trackerId: tracker.id, id: newId() };
      const { secret, ...stored } = await makeSecret(key.id);
      await insertWebhook(tx, { ...plan, ...key, ...stored });
      const row = existing(await findWebhook(tx, key));
      return { data: { ...toWebhookView(row), secret }, effect: effectOf(key, 'webhook.created') };
    }),

    endpoint(
      routes.updateWebhook,
      async ({ tx, body, principal, tracker, numberEvents, pathParameters }) => {
        if (body.url !== undefined) requireAllowedUrl(body.url);
        const key = keyOf(tracker.id, pathParameters.webhookId);
        // numberEvents locks the head of the events, and findOwnerAccess locks the rights of the owner. To prevent deadlocks, both must
        // precede lockWebhook, because other transactions also lock the head or these rights before the endpoint.
        if (body.resumeFrom === 'now') await numberEvents(numberedMax);
        const checksOwner = body.status === 'active' && body.url === undefined;
        const ownerAccess: OwnerAccess | null = checksOwner ? await findOwnerAccess(tx, key.id) : null;
        const row = existing(await lockWebhook(tx, key));
        const plan = decideWebhookUpdate(body, { row, caller: principal, ownerAccess });
        if (plan.dropsPending) await dropPendingDeliveries(tx, key);
        if (plan.isOwnerChanged) await deleteBodies(tx, key);
        if (plan.change === undefined) return { data: toWebhookView(row) };
        await updateWebhook(tx, { ...plan.settings, ...key });
        const updated = existing(await findWebhook(tx, key));
        return {
          data: toWebhookView(updated),
          effect: { ...effectOf(key, 'webhook.updated'), change: plan.change },
        };
      },
      ({ body, principal, totpAtSeconds }) => {
        if (body.url === undefined || principal.type !== 'user') return;
        const nowSeconds = settings.now().getTime() / 1000;
        requireRecentTotp({ totpAtSeconds, nowSeconds, maxAgeSeconds: settings.stepUpMaxAgeSeconds });
      },
    ),

    endpoint(routes.deleteWebhook, async ({ tx, tracker, pathParameters }) => {
      const key = keyOf(tracker.id, pathParameters.webhookId);
      const row = await lockWebhook(tx, key);
      if (row === undefined) throw notFound();
      if (row.deleted_at !== null) return { data: null };
      await deleteWebhook(tx, key);
      await dropPendingDeliveries(tx, key);
      return { data: null, effect: effectOf(key, 'webhook.deleted') };
    }),

    endpoint(routes.rotateWebhookSecret, async ({ tx, body, tracker, pathParameters }) => {
      const key = keyOf(tracker.id, pathParameters.webhookId);
      const row = existing(await lockWebhook(tx, key));
      const { secret, ...stored } = await makeSecret(key.id);
      await rotateSecret(tx, { ...key, ...stored, overlapHours: body.overlapHours ?? 24 });
      const rotated = existing(await findWebhook(tx, key));
      const change = { secretLast4: [row.secret_last4, stored.secretLast4] } as const;
      return {
        data: { ...toWebhookView(rotated), secret },
        effect: { ...effectOf(key, 'webhook.updated'), change },
      };
    }),
  ];
}

function deliveryOperations(): readonly Endpoint[] {
  return [
    endpoint(routes.testWebhook, async ({ tx, principal, tracker, pathParameters, requestId, newId }) => {
      const key = keyOf(tracker.id, pathParameters.webhookId);
      requireActive(existing(await lockWebhook(tx, key)));
      const deliveryId = newId();
      const event = {
        sequence: null,
        id: deliveryId,
        type: 'webhook.test',
        occurredAt: tracker.now,
        resource: { type: 'webhook', id: key.id },
        actor: { type: principal.type, id: principal.id },
        requestId,
        hash: null,
        change: null,
        record: null,
      };
      const body = toWebhookBody(event, { trackerId: tracker.id, payload: 'record' });
      return { data: toDeliveryView(await insertTestDelivery(tx, { ...key, deliveryId, body })) };
    }),

    endpoint(routes.listWebhookDeliveries, async ({ tx, query, tracker, pathParameters }) => {
      const key = keyOf(tracker.id, pathParameters.webhookId);
      existing(await findWebhook(tx, key));
      const { status = null, cursor: before = null, limit } = query;
      // One more row shows whether there is another page.
      const rows = await listDeliveries(tx, { ...key, status, before, limit: limit + 1 });
      return pageOf(rows, limit);
    }),

    endpoint(routes.retryWebhookDelivery, async ({ tx, tracker, pathParameters }) => {
      const key = keyOf(tracker.id, pathParameters.webhookId);
      const row = existing(await lockWebhook(tx, key));
      const deliveryId = pathParameters.deliveryId.toLowerCase();
      // If `requireActive` below refuses the request, the transaction is rolled back, and the delivery is not retried.
      const delivery = await retryDelivery(tx, { ...key, deliveryId });
      if (delivery === undefined) throw notFound();
      requireActive(row);
      return { data: toDeliveryView(delivery) };
    }),

    endpoint(routes.replayWebhook, async ({ tx, body, tracker, pathParameters }) => {
      const key = keyOf(tracker.id, pathParameters.webhookId);
      const ownerAccess = await findOwnerAccess(tx, key.id);
      const row = existing(await lockWebhook(tx, key));
      requireActive(row);
      return { data: { count: await replay(tx, { key, row, ownerAccess, body }) } };
    }),
  ];
}

/**
 * Schedules the events of a replay, and returns the number of deliveries.
 * @throws VALIDATION_ERROR (400) when there are more than 10,000 events or failed deliveries
 */
async function replay(
  tx: Transaction,
  request: {
    readonly key: WebhookKey;
    readonly row: WebhookRow;
    readonly ownerAccess: OwnerAccess | null;
    readonly body: {
      readonly fromSequence: number;
      readonly toSequence?: number | undefined;
      readonly onlyFailed?: boolean | undefined;
    };
  },
): Promise<number> {
  const { key, row, ownerAccess, body } = request;
  const { fromSequence, toSequence = Number(row.head_sequence), onlyFailed = false } = body;
  const range = { ...key, fromSequence, toSequence };
  const max = webhookReplayMax + 1;
  if (onlyFailed) {
    requireReplayable(await countFailedDeliveries(tx, { ...range, max }));
    return replayFailed(tx, range);
  }
  const excludesOwnWrites = row.exclude_own_writes;
  const filter = {
    types: row.event_types.filter((type) => !type.endsWith('*')),
    prefixes: row.event_types.filter((type) => type.endsWith('*')).map((type) => type.slice(0, -1)),
    exceptUserId: excludesOwnWrites && row.owner_credential_id === null ? row.owner_user_id : null,
    exceptCredentialIds: excludesOwnWrites ? (ownerAccess?.credentialIds ?? []) : [],
  };
  requireReplayable(await countReplayedEvents(tx, { ...range, ...filter, max }));
  return replayEvents(tx, { ...range, ...filter });
}

function requireReplayable(count: number): void {
  if (count <= webhookReplayMax) return;
  const message = `The range has more than ${webhookReplayMax} events or failed deliveries. Send a lower toSequence, and replay the range in parts.`;
  throw validationError([{ path: 'toSequence', code: 'OUT_OF_RANGE', message }]);
}

function pageOf(rows: readonly DeliveryRow[], limit: number): { data: WebhookDelivery[]; pagination: Pagination } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    data: page.map(toDeliveryView),
    pagination: {
      limit,
      offset: null,
      count: page.length,
      total: null,
      hasMore,
      nextOffset: null,
      nextCursor: hasMore ? encodeDeliveryCursor(Number(last.position)) : null,
    },
  };
}

function keyOf(trackerId: string, webhookId: string): WebhookKey {
  return { trackerId, id: webhookId.toLowerCase() };
}

/**
 * Requires that an endpoint exists, and returns its row.
 * @throws NOT_FOUND (404) when the endpoint does not exist or was deleted
 */
function existing(row: WebhookRow | undefined): WebhookRow {
  if (row === undefined || row.deleted_at !== null) throw notFound();
  return row;
}

function effectOf({ trackerId, id }: WebhookKey, action: string) {
  return { action, resourceType: 'webhook', resourceId: id, trackerId };
}
