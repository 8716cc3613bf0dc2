import * as z from 'zod';
import { absentIfNull, amountField, currencyField, dateField, descriptionField, uuidField } from '../values/fields.js';

/**
 * The body of POST /transfers.
 * @source docs/financial-integration-api.md, Transfer request fields; docs/contract.md, section 4
 */
export const createTransferBody = z.strictObject({
  amountDecimal: amountField,
  fromAccountId: uuidField,
  fromCashboxId: absentIfNull(uuidField),
  toAccountId: uuidField,
  toCashboxId: absentIfNull(uuidField),
  currencyCode: absentIfNull(currencyField),
  occurredOn: absentIfNull(dateField),
  description: absentIfNull(descriptionField),
});

// The input types of the schemas above: values as clients send them, before any conversion.
export type CreateTransferInput = z.input<typeof createTransferBody>;
