import * as z from 'zod';
import { eventTypes, reservedEventTypes } from '../events/event-types.js';
import { absentIfNull, optionalText, refuse, refuseForbiddenCharacters, wholeNumber } from '../values/fields.js';
import {
  pageLimitDefault,
  pageLimitMax,
  webhookDescriptionLengthMax,
  webhookEventTypesMax,
  webhookInFlightMax,
  webhookOverlapHoursMax,
  webhookUrlLengthMax,
} from '../values/limits.js';
import { matchesEventType } from './event-patterns.js';
import { webhookDeliveryStatuses, webhookPayloads } from './webhook-records.js';

/**
 * The URL of an endpoint. The server also checks scheme, port and address, because the server settings decide which values are allowed.
 * @source docs/additions.md, section 5.1
 */
const urlField = z
  .string()
  .meta({ maxLength: webhookUrlLengthMax, pattern: '^https?://', examples: ['https://example.org/centavo'] })
  .transform((text, context) => {
    const isPlain = refuseForbiddenCharacters(text, { context, field: 'url', kind: 'oneLine' });
    if (!isPlain) return text;
    if (text.length > webhookUrlLengthMax)
      refuse(context, 'TOO_LONG', `Send at most ${webhookUrlLengthMax} characters.`);
    else if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) {
      refuse(context, 'INVALID_FORMAT', 'Send an absolute URL, such as "https://example.org/centavo".');
    } else {
      const url = new URL(text);
      if (url.username !== '' || url.password !== '') {
        refuse(context, 'INVALID_FORMAT', 'Remove user and password from the URL.');
      }
      if (text.includes('#')) refuse(context, 'INVALID_FORMAT', 'Remove the fragment from the URL.');
    }
    return text;
  });

const knownTypes: readonly string[] = [...eventTypes, ...reservedEventTypes];

/** Returns whether an entry of `eventTypes`, such as `movement.*`, matches at least one type of event. */
function matchesAnyType(pattern: string): boolean {
  return knownTypes.some((type) => matchesEventType(pattern, type));
}

const eventTypeField = z
  .string()
  .meta({ enum: ['*', ...prefixesOf(knownTypes), ...knownTypes] })
  .transform((pattern, context) => {
    if (!matchesAnyType(pattern)) {
      refuse(
        context,
        'INVALID_FORMAT',
        'Send a type of event such as "movement.created", a prefix such as "movement.*", or "*".',
      );
    }
    return pattern;
  });

function prefixesOf(types: readonly string[]): string[] {
  return [...new Set(types.map((type) => `${type.slice(0, type.indexOf('.'))}.*`))];
}

const eventTypesField = z
  .array(eventTypeField)
  .meta({ minItems: 1, maxItems: webhookEventTypesMax })
  .transform((list, context) => {
    if (list.length < 1 || list.length > webhookEventTypesMax) {
      refuse(context, 'OUT_OF_RANGE', `Send 1 to ${webhookEventTypesMax} types.`);
    }
    return [...new Set(list)];
  });

function integer(range: { readonly min: number; readonly max: number }) {
  return z
    .int()
    .meta({ minimum: range.min, maximum: range.max })
    .check((check) => {
      if (check.value < range.min || check.value > range.max) {
        const message = `Send a whole number from ${range.min} to ${range.max}.`;
        check.issues.push({ code: 'custom', input: check.value, message, params: { code: 'OUT_OF_RANGE' } });
      }
    });
}

const sequenceField = integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

const descriptionText = optionalText({
  field: 'description',
  lengthMax: webhookDescriptionLengthMax,
  multiline: false,
});
const inFlightField = integer({ min: 1, max: webhookInFlightMax });

/**
 * The body of POST /webhooks.
 * @source docs/additions.md, section 5.1
 */
export const createWebhookBody = z.strictObject({
  url: urlField,
  eventTypes: absentIfNull(eventTypesField),
  description: absentIfNull(descriptionText),
  payload: absentIfNull(z.enum(webhookPayloads)),
  excludeOwnWrites: absentIfNull(z.boolean()),
  maxInFlight: absentIfNull(inFlightField),
  fromSequence: absentIfNull(sequenceField),
});

/** The body of PATCH /webhooks/{webhookId}. */
export const updateWebhookBody = z
  .strictObject({
    url: urlField.optional(),
    eventTypes: eventTypesField.optional(),
    description: descriptionText,
    payload: z.enum(webhookPayloads).optional(),
    excludeOwnWrites: z.boolean().optional(),
    maxInFlight: inFlightField.optional(),
    status: z.enum(['active', 'paused']).optional(),
    resumeFrom: z.enum(['cursor', 'now']).optional(),
  })
  .meta({ minProperties: 1 })
  .transform((body, context) => {
    if (Object.values(body).every((value) => value === undefined)) {
      refuse(context, 'EMPTY_PATCH', 'Send at least one field to change.');
    }
    if (body.resumeFrom !== undefined && body.status !== 'active') {
      const message = 'Send resumeFrom only together with status "active".';
      context.addIssue({ code: 'custom', path: ['resumeFrom'], message, params: { code: 'FIELD_CONFLICT' } });
    }
    return body;
  });

/**
 * The body of POST /webhooks/{webhookId}/rotate-secret. `overlapHours` (24 by default) is the number of hours for which the server signs
 * each delivery with the old secret and with the new one.
 */
export const rotateWebhookSecretBody = z.strictObject({
  overlapHours: absentIfNull(integer({ min: 0, max: webhookOverlapHoursMax })),
});

/** The optional body of POST /webhooks/{webhookId}/test and …/deliveries/{deliveryId}/retry: an empty object. */
export const webhookActionBody = z.strictObject({});

/** The body of POST /webhooks/{webhookId}/replay. */
export const replayWebhookBody = z
  .strictObject({
    fromSequence: sequenceField,
    toSequence: absentIfNull(sequenceField),
    onlyFailed: absentIfNull(z.boolean()),
  })
  .transform((body, context) => {
    if (body.toSequence !== undefined && body.toSequence < body.fromSequence) {
      const message = 'Send a toSequence that is not below fromSequence.';
      context.addIssue({ code: 'custom', path: ['toSequence'], message, params: { code: 'OUT_OF_RANGE' } });
    }
    return body;
  });

/** The query of GET /webhooks/{webhookId}/deliveries. */
export const webhookDeliveryFilters = z
  .strictObject({
    status: z.enum(webhookDeliveryStatuses).optional(),
    limit: wholeNumber({ min: 1, max: pageLimitMax, otherwise: pageLimitDefault }).optional(),
    cursor: z
      .string()
      .meta({ pattern: '^[A-Za-z0-9_-]{12}$' })
      .transform((text, context) => {
        const position = /^[A-Za-z0-9_-]{12}$/.test(text) ? decodePosition(text) : undefined;
        if (position !== undefined) return position;
        refuse(context, 'INVALID_FORMAT', 'Send the nextCursor of meta.pagination exactly as it was received.');
        return z.NEVER;
      })
      .optional(),
  })
  .transform(({ limit, ...others }) => ({ ...others, limit: limit ?? pageLimitDefault }));

/** Returns the position that a cursor of {@link encodeDeliveryCursor} contains, or undefined if the text is not such a cursor. */
function decodePosition(text: string): number | undefined {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const view = new DataView(Uint8Array.from(binary, (character) => character.charCodeAt(0)).buffer);
  const position = Number(view.getBigUint64(1));
  return view.getUint8(0) === cursorVersion && position > 0 && Number.isSafeInteger(position) ? position : undefined;
}

const cursorVersion = 1;

/**
 * Returns the cursor of GET /webhooks/{webhookId}/deliveries for the deliveries that follow a delivery in the list: nine bytes in
 * base64url, a version and the position.
 * @param position the number that orders the deliveries: each delivery has a lower number than the delivery before it in the list
 */
export function encodeDeliveryCursor(position: number): string {
  const view = new DataView(new ArrayBuffer(9));
  view.setUint8(0, cursorVersion);
  view.setBigUint64(1, BigInt(position));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(view.buffer)));
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

// The output types of the schemas above: values after conversion.
export type CreateWebhook = z.output<typeof createWebhookBody>;
export type UpdateWebhook = z.output<typeof updateWebhookBody>;

// The input types of the schemas above: values as clients send them, before any conversion.
export type CreateWebhookInput = z.input<typeof createWebhookBody>;
export type UpdateWebhookInput = z.input<typeof updateWebhookBody>;
export type RotateWebhookSecretInput = z.input<typeof rotateWebhookSecretBody>;
export type ReplayWebhookInput = z.input<typeof replayWebhookBody>;
export type WebhookDeliveryQuery = z.input<typeof webhookDeliveryFilters>;
