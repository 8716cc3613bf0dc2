import * as z from 'zod';
import { movementRecord } from '../movements/movement-record.js';
import { amount, calendarDate, currencyCode, timestamp } from '../values/fields.js';

const transferSide = z.strictObject({ accountId: z.uuid(), cashboxId: z.uuid(), movementId: z.uuid() });

/**
 * A transfer with its two movements, the outgoing movement first.
 * @source docs/contract.md, section 3
 */
export const transferRecord = z.strictObject({
  groupId: z.uuid(),
  trackerId: z.uuid(),
  amountDecimal: amount,
  currencyCode,
  occurredOn: calendarDate,
  description: z.string().nullable(),
  from: transferSide,
  to: transferSide,
  movements: z.tuple([movementRecord, movementRecord]),
  voidedAt: timestamp.nullable(),
  createdAt: timestamp,
});

export type Transfer = z.output<typeof transferRecord>;
