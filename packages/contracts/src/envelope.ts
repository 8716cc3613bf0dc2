import * as z from 'zod';
import { errorCodes } from './error-codes.js';
import { feedMeta } from './events/change-record.js';
import { apiVersion } from './headers.js';
import { bulkMeta } from './movements/bulk-movements.js';
import { summaryMeta } from './movements/movement-record.js';
import { currencyCode, signedAmount } from './values/fields.js';
import { pagination } from './values/pagination.js';

/**
 * `meta.effects` of a dry run. `balances` has the balances that the write would change, ordered by `cashboxId`. It is null if the
 * caller may not read balances.
 * @source docs/additions.md, section 1.1
 */
export const dryRunEffects = z.strictObject({
  balances: z
    .array(
      z.strictObject({
        cashboxId: z.uuid(),
        currencyCode,
        beforeDecimal: signedAmount,
        afterDecimal: signedAmount,
      }),
    )
    .nullable(),
});

export type DryRunEffects = z.output<typeof dryRunEffects>;

/**
 * `meta` of a successful response. `trackerId` is null if the request has no effective tracker.
 * @source docs/contract.md, section 1
 */
export const successMeta = z.strictObject({
  apiVersion: z.literal(apiVersion),
  requestId: z.uuid(),
  trackerId: z.uuid().nullable(),
  idempotentReplay: z.literal(true).optional(),
  pagination: pagination.optional(),
  dryRun: z.literal(true).optional(),
  effects: dryRunEffects.optional(),
  summary: summaryMeta.optional(),
  bulk: bulkMeta.optional(),
  feed: feedMeta.optional(),
});

export type SuccessMeta = z.output<typeof successMeta>;

/** Returns the schema of a successful response with a body. */
export function successEnvelope<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ data, meta: successMeta });
}

/**
 * The envelope of an error response. `details` is always an object.
 * @source docs/financial-integration-api.md, Errors
 */
export const errorEnvelope = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]]),
    message: z.string().min(1),
    details: z.record(z.string(), z.unknown()),
  }),
  meta: z.strictObject({ apiVersion: z.literal(apiVersion), requestId: z.uuid() }),
});

export type ErrorEnvelope = z.output<typeof errorEnvelope>;
