import * as z from 'zod';
import { calendarDate, currencyCode, signedAmount, timestamp } from '../values/fields.js';

export const accountTypes = ['cash', 'checking', 'savings', 'credit_card', 'loan', 'investment', 'other'] as const;

/** The statuses of accounts, cashboxes and categories. These records are archived, never deleted. */
export const recordStatuses = ['active', 'archived'] as const;

/**
 * A financial account. All its cashboxes have the currency of the account.
 * @source docs/contract.md, section 3
 */
export const accountRecord = z.strictObject({
  id: z.uuid(),
  trackerId: z.uuid(),
  name: z.string(),
  type: z.enum(accountTypes),
  currencyCode,
  status: z.enum(recordStatuses),
  eligibleCashboxCount: z.int(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export type Account = z.output<typeof accountRecord>;

/** A part of an account. A cashbox is eligible for movements if the cashbox and its account are active. */
export const cashboxRecord = z.strictObject({
  id: z.uuid(),
  accountId: z.uuid(),
  trackerId: z.uuid(),
  name: z.string(),
  currencyCode,
  isEligible: z.boolean(),
  status: z.enum(recordStatuses),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export type Cashbox = z.output<typeof cashboxRecord>;

/** An account with its cashboxes: the response of POST /accounts, and the record of an account in GET /changes. */
export const accountWithCashboxesRecord = z.strictObject({
  ...accountRecord.shape,
  cashboxes: z.array(cashboxRecord),
});

export type AccountWithCashboxes = z.output<typeof accountWithCashboxesRecord>;

/**
 * The balance of a cashbox: opening balance + Σ income − Σ expense. It includes transfers and excludes voided movements. It may
 * be negative.
 */
export const balanceRecord = z.strictObject({
  accountId: z.uuid(),
  accountName: z.string(),
  cashboxId: z.uuid(),
  cashboxName: z.string(),
  currencyCode,
  balanceDecimal: signedAmount,
  asOf: timestamp,
  asOfDate: calendarDate.nullable(),
});

export type Balance = z.output<typeof balanceRecord>;
