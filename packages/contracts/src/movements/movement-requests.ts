import * as z from 'zod';
import {
  absentIfNull,
  amountField,
  categoryIdField,
  currencyField,
  dateField,
  descriptionField,
  externalIdField,
  merchantNameField,
  refuse,
  uuidField,
} from '../values/fields.js';
import { movementTypes } from './movement-record.js';

/**
 * The body of POST /movements.
 * @source docs/financial-integration-api.md, Movement request fields
 */
export const createMovementBody = z.strictObject({
  type: z.enum(movementTypes),
  amountDecimal: amountField,
  accountId: uuidField,
  categoryId: absentIfNull(categoryIdField),
  cashboxId: absentIfNull(uuidField),
  occurredOn: absentIfNull(dateField),
  currencyCode: absentIfNull(currencyField),
  description: absentIfNull(descriptionField),
  merchantName: absentIfNull(merchantNameField),
  externalId: absentIfNull(externalIdField),
});

/** The body of PATCH /movements/{movementId}. `null` clears a description or merchant name, and changes the category to `cat_unknown`. */
export const correctMovementBody = z
  .strictObject({
    amountDecimal: amountField.optional(),
    categoryId: categoryIdField.nullable().optional(),
    description: descriptionField,
    merchantName: merchantNameField,
  })
  .meta({ minProperties: 1 })
  .transform((body, context) => {
    if (Object.values(body).every((value) => value === undefined)) {
      refuse(context, 'EMPTY_PATCH', 'Send at least one of amountDecimal, categoryId, description and merchantName.');
    }
    return body;
  });

// The input types of the schemas above: values as clients send them, before any conversion.
export type CreateMovementInput = z.input<typeof createMovementBody>;
export type CorrectMovementInput = z.input<typeof correctMovementBody>;

/** The optional body of POST /movements/{movementId}/void and POST /transfers/{groupId}/void: an empty object. */
export const voidBody = z.strictObject({});
