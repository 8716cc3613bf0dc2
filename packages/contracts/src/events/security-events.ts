import * as z from 'zod';
import { timestamp, wholeNumber } from '../values/fields.js';
import { pageLimitDefault, pageLimitMax } from '../values/limits.js';
import { eventActor, eventChange } from './change-record.js';

/**
 * The types of the events that GET /security-events returns. These events belong to a user and to no tracker.
 * @source docs/additions.md, section 3.10
 */
export const securityEventTypes = [
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'integration_client.created',
  'integration_client.revoked',
  'tracker.created',
  'category.created',
  'context.active_tracker_chosen',
  'context.default_tracker_chosen',
] as const;

/** One event of the user. It has no number and no hash. */
export const securityEventRecord = z.strictObject({
  id: z.uuid(),
  type: z.enum(securityEventTypes),
  occurredAt: timestamp,
  resource: z.strictObject({ type: z.enum(['credential', 'tracker', 'category']), id: z.string() }),
  actor: eventActor,
  requestId: z.uuid(),
  change: eventChange.nullable(),
});

export type SecurityEvent = z.output<typeof securityEventRecord>;

/** The query of GET /security-events. */
export const securityEventFilters = z
  .strictObject({
    limit: wholeNumber({ min: 1, max: pageLimitMax, otherwise: pageLimitDefault }).optional(),
    cursor: z.string().min(1).max(500).optional(),
  })
  .transform(({ limit, cursor }) => ({ limit: limit ?? pageLimitDefault, cursor }));
