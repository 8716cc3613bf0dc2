import * as z from 'zod';
import { amountField, currencyField, dateField, descriptionField, omittable, uuidField } from '../values/fields.js';

/**
 * The body of POST /transfers.
 * @source specification, Transfer request fields; contract, section 4
 */
export const createTransferBody = z.strictObject({
  amountDecimal: amountField,
  fromAccountId: uuidField,
  fromCashboxId: omittable(uuidField),
  toAccountId: uuidField,
  toCashboxId: omittable(uuidField),
  currencyCode: omittable(currencyField),
  occurredOn: omittable(dateField),
  description: omittable(descriptionField),
});

// The input types of the schemas above: values as clients send them, before any conversion.
export type CreateTransferInput = z.input<typeof createTransferBody>;
