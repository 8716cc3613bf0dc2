import * as z from 'zod';
import { amountField, currencyField, dateField, descriptionField, omittable, uuidField } from '../values/fields.js';

/** POST /transfers. Source: specification, Transfer request fields; contract, section 4. */
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

// What a client sends: the inputs of the schemas above, before trimming and defaults.
export type CreateTransferInput = z.input<typeof createTransferBody>;
