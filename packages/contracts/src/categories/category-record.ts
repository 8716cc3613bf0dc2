import * as z from 'zod';
import { recordStatuses } from '../accounts/account-records.js';
import { timestamp } from '../values/fields.js';

export const categoryKinds = ['expense', 'income', 'any'] as const;
export const categoryScopes = ['system', 'tracker', 'user'] as const;

/** The id of the unknown category, which a movement gets if its request names no category. The category's name is `Desconocido`. */
export const unknownCategoryId = 'cat_unknown';

/**
 * A category. `trackerId` is null for the categories of the system and of a user.
 * @source docs/contract.md, section 3
 */
export const categoryRecord = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: z.enum(categoryKinds),
  scope: z.enum(categoryScopes),
  trackerId: z.uuid().nullable(),
  parentId: z.string().nullable(),
  isUnknown: z.boolean(),
  status: z.enum(recordStatuses),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export type Category = z.output<typeof categoryRecord>;
