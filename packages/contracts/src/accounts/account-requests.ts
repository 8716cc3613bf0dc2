import * as z from 'zod';
import {
  absentIfNull,
  crossCheck,
  currencyField,
  dateField,
  nameField,
  refuse,
  signedAmountField,
} from '../values/fields.js';
import { accountTypes, recordStatuses } from './account-records.js';

/**
 * The maximum number of cashboxes in an account, and therefore also in a request that creates an account.
 * @source docs/contract.md, section 4
 */
export const cashboxesPerAccountMax = 1000;

/**
 * The query of GET /balances.
 * @source docs/additions.md, section 2.4
 */
export const balancesQuery = z.strictObject({ asOf: dateField.optional() });

const newCashbox = z.strictObject({ name: nameField, openingBalanceDecimal: absentIfNull(signedAmountField) });

export const createAccountBody = crossCheck(
  z.strictObject({
    name: nameField,
    type: z.enum(accountTypes),
    currencyCode: absentIfNull(currencyField),
    openingBalanceDecimal: absentIfNull(signedAmountField),
    cashboxes: absentIfNull(z.array(newCashbox).min(1).max(cashboxesPerAccountMax)),
  }),
  {
    code: 'FIELD_CONFLICT',
    message: 'Send the opening balances in the cashboxes, or omit cashboxes.',
    path: ['openingBalanceDecimal'],
    holds: ({ cashboxes, openingBalanceDecimal }) => cashboxes === undefined || openingBalanceDecimal === undefined,
  },
);

export const createCashboxBody = newCashbox;

export const updateAccountBody = z
  .strictObject({ name: nameField.optional(), status: z.enum(recordStatuses).optional() })
  .meta({ minProperties: 1 })
  .transform((body, context) => {
    if (Object.keys(body).length === 0) refuse(context, 'EMPTY_PATCH', 'Send at least one of name and status.');
    return body;
  });

export const updateCashboxBody = updateAccountBody;

// The input types of the schemas above: values as clients send them, before any conversion.
export type CreateAccountInput = z.input<typeof createAccountBody>;
export type CreateCashboxInput = z.input<typeof createCashboxBody>;
export type UpdateAccountInput = z.input<typeof updateAccountBody>;
export type UpdateCashboxInput = z.input<typeof updateCashboxBody>;
