/** Builders of webhook endpoints and deliveries. Each returns a complete record with the given properties. */
import type { CreatedWebhook, Webhook, WebhookDelivery } from '@centavo/contracts';
import { anId, sharedMoment, sharedTrackerId, sharedUserId } from './an-id.js';

/** A secret for tests, in the server's format. No real endpoint has this secret. */
const secret = 'whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=';

/**
 * Returns an active endpoint without its secret, as in a list of endpoints.
 * @example
 * import { aWebhook } from '@centavo/sdk/testing';
 *
 * const failing = aWebhook({ status: 'disabled', disabledReason: 'failing' });
 */
export function aWebhook(fields: Partial<Webhook> = {}): Webhook {
  return {
    id: anId(),
    trackerId: sharedTrackerId,
    url: 'https://example.com/webhooks',
    description: null,
    eventTypes: ['*'],
    payload: 'reference',
    excludeOwnWrites: false,
    maxInFlight: 4,
    status: 'active',
    disabledReason: null,
    owner: { type: 'user', id: sharedUserId },
    cursorSequence: 0,
    lagSequence: 0,
    failingSince: null,
    lastSuccessAt: null,
    secretLast4: secret.slice(-4),
    createdAt: sharedMoment,
    updatedAt: sharedMoment,
    ...fields,
  };
}

/**
 * Returns an endpoint with its secret. The server returns such a record when an endpoint is created or its secret is rotated.
 * @example
 * import { aCreatedWebhook } from '@centavo/sdk/testing';
 *
 * const { secret, secretLast4 } = aCreatedWebhook();
 * console.log(secret.endsWith(secretLast4)); // true
 */
export function aCreatedWebhook(fields: Partial<CreatedWebhook> = {}): CreatedWebhook {
  return { ...aWebhook(fields), secret, ...fields };
}

/**
 * Returns a delivery that succeeded at the first attempt.
 * @example
 * import { aWebhookDelivery } from '@centavo/sdk/testing';
 *
 * const failed = aWebhookDelivery({ status: 'failed', attempts: 10, lastStatus: null, lastError: 'timeout' });
 */
export function aWebhookDelivery(fields: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    id: anId(),
    eventId: anId(),
    sequence: 1,
    type: 'movement.created',
    status: 'succeeded',
    attempts: 1,
    nextAttemptAt: null,
    lastStatus: 204,
    lastError: null,
    createdAt: sharedMoment,
    completedAt: sharedMoment,
    ...fields,
  };
}
