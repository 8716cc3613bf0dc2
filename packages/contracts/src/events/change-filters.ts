import * as z from 'zod';
import { crossCheck, refuse, wholeNumber } from '../values/fields.js';
import { decodeEventCursor } from './event-cursor.js';
import { changesLimitDefault, changesLimitMax, eventResourceTypes, waitSecondsMax } from './event-types.js';

/** A cursor of GET /changes, decoded. */
export const eventCursorField = z
  .string()
  .meta({ pattern: '^[A-Za-z0-9_-]{23}$' })
  .transform((text, context) => {
    const position = decodeEventCursor(text);
    if (position !== undefined) return position;
    refuse(context, 'INVALID_FORMAT', 'Send the cursor of meta.feed exactly as it was received.');
    return z.NEVER;
  });

// In OpenAPI, a parameter with comma-separated values has the type `array`.
const resourceTypesSchema = {
  type: 'array',
  items: { type: 'string', enum: [...eventResourceTypes] },
  minItems: 1,
  maxItems: eventResourceTypes.length,
} as const;

const resourceTypeList = z
  .string()
  .meta(resourceTypesSchema)
  .transform((text, context) => {
    const types = eventResourceTypes.filter((type) => text.split(',').includes(type));
    if (new Set(text.split(',')).size === types.length) return types;
    refuse(context, 'INVALID_FORMAT', `Send types separated by commas: ${eventResourceTypes.join(', ')}.`);
    return z.NEVER;
  });

const filterFields = z.strictObject({
  after: eventCursorField.optional(),
  from: z.literal('now').optional(),
  limit: wholeNumber({ min: 1, max: changesLimitMax, otherwise: changesLimitDefault }).optional(),
  resourceTypes: resourceTypeList.optional(),
  include: z.literal('record').optional(),
  waitSeconds: wholeNumber({ min: 0, max: waitSecondsMax, otherwise: 0 }).optional(),
});

/**
 * The query of GET /changes.
 * @source docs/additions.md, section 3.5
 */
export const changeFilters = crossCheck(filterFields, {
  code: 'FILTER_CONFLICT',
  message: 'Send either "after" or "from", not both.',
  path: ['from'],
  holds: ({ after, from }) => after === undefined || from === undefined,
}).transform(({ from, limit, include, waitSeconds, ...others }) => ({
  ...others,
  isFromNow: from === 'now',
  limit: limit ?? changesLimitDefault,
  includesRecords: include === 'record',
  waitMsMax: (waitSeconds ?? 0) * 1000,
}));
