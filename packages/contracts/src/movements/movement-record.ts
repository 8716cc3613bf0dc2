import * as z from 'zod';
import { amount, calendarDate, currencyCode, timestamp } from '../values/fields.js';

export const movementTypes = ['expense', 'income'] as const;
export const movementKinds = ['regular', 'transfer'] as const;

/**
 * An expense or income; the legs of a transfer are movements of kind `transfer`.
 * @source contract, section 3
 */
export const movementRecord = z.strictObject({
  id: z.uuid(),
  trackerId: z.uuid(),
  type: z.enum(movementTypes),
  kind: z.enum(movementKinds),
  amountDecimal: amount,
  currencyCode,
  accountId: z.uuid(),
  cashboxId: z.uuid(),
  categoryId: z.string().nullable(),
  occurredOn: calendarDate,
  description: z.string().nullable(),
  merchantName: z.string().nullable(),
  transferGroupId: z.uuid().nullable(),
  source: z.strictObject({ type: z.enum(['user', 'integration_client']), id: z.uuid() }),
  version: z.int(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export type Movement = z.output<typeof movementRecord>;
