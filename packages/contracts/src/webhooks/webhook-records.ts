import * as z from 'zod';
import { timestamp } from '../values/fields.js';

export const webhookPayloads = ['reference', 'record'] as const;
export const webhookStatuses = ['active', 'paused', 'disabled'] as const;
/** The reasons why the server disabled an endpoint. `gone`: the endpoint returned the status 410. */
export const webhookDisabledReasons = ['failing', 'gone', 'owner_lost_access'] as const;
export const webhookDeliveryStatuses = ['pending', 'succeeded', 'failed', 'dropped'] as const;

/**
 * The reasons why an attempt to deliver an event failed. `status`: the response had no 2xx status. `too_large`: its headers were too large.
 */
export const webhookErrors = [
  'address_not_allowed',
  'dns_failed',
  'connect_failed',
  'tls_failed',
  'timeout',
  'status',
  'too_large',
  'connection_lost',
] as const;

/**
 * The record of an endpoint to which the server delivers the events of a tracker. It does not contain the secret of the endpoint.
 * @source docs/additions.md, section 5.1
 */
export const webhookRecord = z.strictObject({
  id: z.uuid(),
  trackerId: z.uuid(),
  url: z.string(),
  description: z.string().nullable(),
  eventTypes: z.array(z.string()),
  payload: z.enum(webhookPayloads),
  excludeOwnWrites: z.boolean(),
  maxInFlight: z.int(),
  status: z.enum(webhookStatuses),
  disabledReason: z.enum(webhookDisabledReasons).nullable(),
  owner: z.strictObject({ type: z.enum(['user', 'integration_client']), id: z.uuid() }),
  cursorSequence: z.int(),
  lagSequence: z.int(),
  failingSince: timestamp.nullable(),
  lastSuccessAt: timestamp.nullable(),
  secretLast4: z.string().length(4),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export type Webhook = z.output<typeof webhookRecord>;

/** The response when an endpoint is created or its secret rotated: the record and the secret, which no later response contains. */
export const createdWebhookRecord = z.strictObject({ ...webhookRecord.shape, secret: z.string() });

export type CreatedWebhook = z.output<typeof createdWebhookRecord>;

/**
 * The delivery of an event to an endpoint.
 * @source docs/additions.md, section 5.1
 */
export const webhookDeliveryRecord = z.strictObject({
  id: z.uuid(),
  eventId: z.uuid(),
  // Null in a test delivery.
  sequence: z.int().nullable(),
  type: z.string(),
  status: z.enum(webhookDeliveryStatuses),
  attempts: z.int(),
  nextAttemptAt: timestamp.nullable(),
  lastStatus: z.int().nullable(),
  lastError: z.enum(webhookErrors).nullable(),
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
});

export type WebhookDelivery = z.output<typeof webhookDeliveryRecord>;

/** The response to a replay: the number of deliveries that were scheduled. */
export const webhookReplayRecord = z.strictObject({ count: z.int() });

export type WebhookReplay = z.output<typeof webhookReplayRecord>;
