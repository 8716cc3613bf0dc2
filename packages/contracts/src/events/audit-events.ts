import * as z from 'zod';
import { areInOrder, crossCheck, dateField, refuse, timestamp, uuidField, wholeNumber } from '../values/fields.js';
import { categoryIdPattern, isCategoryId, isUuid } from '../values/ids.js';
import { pageLimitDefault, pageLimitMax } from '../values/limits.js';
import { changeRecord } from './change-record.js';
import { decodeEventCursor } from './event-cursor.js';
import { eventResourceTypes } from './event-types.js';

const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

const { record: _, resource: __, ...changeFields } = changeRecord.shape;

/**
 * An event of the audit trail, with all fields that its hash covers. Events that are older than the hash chain have no digests and
 * no salt.
 * @source docs/additions.md, section 4.2
 */
export const auditEventRecord = z.strictObject({
  ...changeFields,
  // The type may be any string, because earlier versions recorded events of resource types that the change feed does not have.
  resource: z.strictObject({ type: z.string(), id: z.string() }),
  userId: z.uuid().nullable(),
  credentialId: z.uuid().nullable(),
  previousHash: sha256Hex,
  changeDigest: sha256Hex.nullable(),
  stateDigest: sha256Hex.nullable(),
  salt: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable(),
});

export type AuditEvent = z.output<typeof auditEventRecord>;

/**
 * The sequence numbers and hashes of two events of a tracker: the newest event, and the newest event that the server removed because
 * of its age (`floorSequence`, `floorHash`). If there is no such event, the number is 0 and the hash is the genesis hash.
 */
export const auditHeadRecord = z.strictObject({
  sequence: z.int().min(0),
  hash: sha256Hex,
  occurredAt: timestamp.nullable(),
  floorSequence: z.int().min(0),
  floorHash: sha256Hex,
});

export type AuditHead = z.output<typeof auditHeadRecord>;

const cursorField = z
  .string()
  .meta({ pattern: '^[A-Za-z0-9_-]{23}$' })
  .transform((text, context) => {
    const position = decodeEventCursor(text);
    if (position !== undefined) return position;
    refuse(context, 'INVALID_FORMAT', 'Send the nextCursor of meta.pagination exactly as it was received.');
    return z.NEVER;
  });

const resourceIdField = z
  .string()
  .meta({ pattern: categoryIdPattern.source })
  .transform((text, context) => {
    if (!isCategoryId(text)) refuse(context, 'INVALID_FORMAT', 'Send a UUID or a category id.');
    return isUuid(text) ? text.toLowerCase() : text;
  });

const filterFields = z.strictObject({
  resourceType: z.enum(eventResourceTypes).optional(),
  resourceId: resourceIdField.optional(),
  actorId: uuidField.optional(),
  type: z
    .string()
    .max(100)
    .regex(/^[a-z_]+\.([a-z_]+|\*)$/, 'Send a type such as movement.created, or a prefix such as movement.*.')
    .optional(),
  from: dateField.optional(),
  to: dateField.optional(),
  order: z.enum(['desc', 'asc']).optional(),
  limit: wholeNumber({ min: 1, max: pageLimitMax, otherwise: pageLimitDefault }).optional(),
  cursor: cursorField.optional(),
});

const withOrderedDates = crossCheck(filterFields, {
  code: 'FILTER_CONFLICT',
  message: 'Send a date in "from" that is not after the date in "to".',
  path: ['from'],
  holds: ({ from, to }) => areInOrder(from, to),
});

const withResourceIdOfType = crossCheck(withOrderedDates, {
  code: 'INVALID_FORMAT',
  message: 'Send a UUID. Only category ids have another form.',
  path: ['resourceId'],
  // `resourceIdField` has already reported a text that is not even a category id.
  holds: ({ resourceType, resourceId = '' }) =>
    resourceType === undefined || resourceType === 'category' || !isCategoryId(resourceId) || isUuid(resourceId),
});

/**
 * The query of GET /audit-events. All filters are optional and can be combined. `resourceId` requires `resourceType`.
 * @source docs/additions.md, section 4.2
 */
export const auditEventFilters = crossCheck(withResourceIdOfType, {
  code: 'REQUIRED',
  message: 'Send resourceType together with resourceId.',
  path: ['resourceType'],
  holds: ({ resourceType, resourceId }) => resourceId === undefined || resourceType !== undefined,
}).transform(({ order, limit, ...others }) => ({
  ...others,
  order: order ?? ('desc' as const),
  limit: limit ?? pageLimitDefault,
}));

/**
 * The maximum number of events that the server examines for a page of GET /audit-events, unless the request has `resourceId`.
 * A filtered page may therefore be empty although more events follow.
 */
export const auditWindow = 10_000;
