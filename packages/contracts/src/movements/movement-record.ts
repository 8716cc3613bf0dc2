import * as z from 'zod';
import { amount, calendarDate, currencyCode, signedAmount, timestamp } from '../values/fields.js';

export const movementTypes = ['expense', 'income'] as const;
export const movementKinds = ['regular', 'transfer'] as const;

/**
 * An expense or an income. A transfer consists of two movements of kind `transfer`: an expense and an income.
 * @source docs/contract.md, section 3
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
  externalId: z.string().nullable(),
  source: z.strictObject({ type: z.enum(['user', 'integration_client']), id: z.uuid() }),
  version: z.int(),
  voidedAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export type Movement = z.output<typeof movementRecord>;

const summaryAmounts = {
  currencyCode,
  expenseDecimal: amount,
  incomeDecimal: amount,
  netDecimal: signedAmount,
  movementCount: z.int(),
};

/**
 * The totals of one category, month, merchant or account in one currency. `key` identifies this group, such as `2026-03`. It is null
 * in the totals of movements without a merchant.
 * @source docs/additions.md, section 2.3
 */
export const movementSummaryRecord = z.strictObject({ key: z.string().nullable(), ...summaryAmounts });

export type MovementSummary = z.output<typeof movementSummaryRecord>;

/** `meta.summary`: the number of all groups, including those that are not returned, and for each currency the totals over all groups. */
export const summaryMeta = z.strictObject({
  groupCount: z.int(),
  hasMore: z.boolean(),
  totals: z.array(z.strictObject(summaryAmounts)),
});

export type SummaryMeta = z.output<typeof summaryMeta>;
