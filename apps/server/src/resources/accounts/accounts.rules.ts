import type { Account, createAccountBody, Issue } from '@centavo/contracts';
import type * as z from 'zod';
import { stateConflict, validationError } from '../../api-error.js';
import { type NewCashbox, type PlaceCounts, requireRoomForCashboxes } from './create-cashbox.js';
import { openingBalanceIssue } from './opening-balance-issue.js';

/** At most so many accounts of a tracker, archived ones included. Source: contract, section 4. */
export const accountsMax = 1000;

/** An account decided, every default filled in, with the cashboxes that come with it. */
export interface NewAccount {
  readonly name: string;
  readonly type: Account['type'];
  readonly currencyCode: string;
  readonly cashboxes: readonly NewCashbox[];
}

/**
 * Decides a new account. Pure.
 * It keeps the tracker's currency unless the body names another; without cashboxes it gets one of its own name, which takes
 * the opening balance.
 * @throws VALIDATION_ERROR (400) AMOUNT_PRECISION, one issue for each opening balance that does not fit the currency
 * @throws STATE_CONFLICT (409) `limit_reached`. Source: contract, sections 4 and 9
 */
export function decideAccount(request: {
  readonly body: z.output<typeof createAccountBody>;
  readonly trackerCurrencyCode: string;
  readonly existing: Pick<PlaceCounts, 'accounts' | 'cashboxes'>;
}): NewAccount {
  const { body } = request;
  const currencyCode = body.currencyCode ?? request.trackerCurrencyCode;
  const issues = findOpeningBalanceIssues(body, currencyCode);
  if (issues.length > 0) throw validationError(issues);
  if (request.existing.accounts >= accountsMax) {
    throw stateConflict('limit_reached', `There are ${accountsMax} accounts already; no more can be added.`);
  }
  const cashboxes = body.cashboxes ?? [{ name: body.name, openingBalanceDecimal: body.openingBalanceDecimal }];
  requireRoomForCashboxes(request.existing.cashboxes + cashboxes.length);
  return {
    name: body.name,
    type: body.type,
    currencyCode,
    cashboxes: cashboxes.map(({ name, openingBalanceDecimal = '0' }) => ({ name, openingBalanceDecimal })),
  };
}

function findOpeningBalanceIssues(body: z.output<typeof createAccountBody>, currencyCode: string): Issue[] {
  const fields = [
    { openingBalanceDecimal: body.openingBalanceDecimal, path: 'openingBalanceDecimal' },
    ...(body.cashboxes ?? []).map(({ openingBalanceDecimal }, index) => ({
      openingBalanceDecimal,
      path: `cashboxes.${index}.openingBalanceDecimal`,
    })),
  ];
  return fields.flatMap((field) => openingBalanceIssue({ ...field, currencyCode }) ?? []);
}
