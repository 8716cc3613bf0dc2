import * as z from 'zod';
import { accountWithCashboxesRecord, cashboxRecord } from '../accounts/account-records.js';
import { categoryRecord } from '../categories/category-record.js';
import { trackerRecord } from '../context/tracker-record.js';
import { movementRecord } from '../movements/movement-record.js';
import { transferRecord } from '../transfers/transfer-record.js';
import { timestamp } from '../values/fields.js';
import { eventResourceTypes } from './event-types.js';

/**
 * The actor of an event: who or what caused it. `integration_client` stands for every credential for programs, so also for an API key. `id`
 * is the id of the user or of the credential, and null for the system.
 */
export const eventActor = z.strictObject({
  type: z.enum(['user', 'integration_client', 'system']),
  id: z.uuid().nullable(),
});

/**
 * The changed fields of a record, each with its value before and after the change. The names of fields and the format of amounts are the
 * same as in the records of the API, except in events that earlier versions of Centavo recorded.
 */
export const eventChange = z.record(z.string(), z.tuple([z.unknown(), z.unknown()]));

/**
 * A change of a record in a tracker.
 * @source docs/additions.md, section 3.5
 */
export const changeRecord = z.strictObject({
  sequence: z.int().min(1),
  id: z.uuid(),
  type: z.string(),
  occurredAt: timestamp,
  resource: z.strictObject({ type: z.enum(eventResourceTypes), id: z.string() }),
  actor: eventActor,
  requestId: z.uuid(),
  change: eventChange.nullable(),
  record: z
    .union([movementRecord, transferRecord, accountWithCashboxesRecord, cashboxRecord, categoryRecord, trackerRecord])
    .nullable(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

export type Change = z.output<typeof changeRecord>;

/** The current state of a changed record, in the form that the API returns. An account also contains its active cashboxes. */
export type ChangedRecord = NonNullable<Change['record']>;

/** `meta.feed`: the position after the page, whether more changes follow, and the number of the tracker's newest event. */
export const feedMeta = z.strictObject({ cursor: z.string(), hasMore: z.boolean(), headSequence: z.int() });

export type FeedMeta = z.output<typeof feedMeta>;
