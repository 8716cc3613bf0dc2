import { cashboxesPerAccountMax, type createCashboxBody } from '@centavo/contracts';
import type * as z from 'zod';
import { notFound, stateConflict, validationError } from '../../api-error.js';
import { openingBalanceIssue } from './opening-balance-issue.js';

/** At most so many cashboxes of a tracker, archived ones included. Source: contract, section 10a. */
export const cashboxesPerTrackerMax = 5000;

/** How many accounts and cashboxes a tracker has, archived ones included. */
export interface PlaceCounts {
  readonly accounts: number;
  readonly cashboxes: number;
  /** Those of the account that gets another one. */
  readonly cashboxesOfAccount: number;
}

/** A cashbox decided, its opening balance filled in. */
export interface NewCashbox {
  readonly name: string;
  /** Signed, in whole units of the account's currency. */
  readonly openingBalanceDecimal: string;
}

/**
 * Decides a new cashbox of an account. Pure.
 * An archived account may get one: it is not eligible before the account is active again.
 * @throws NOT_FOUND (404) for an account that is not in the tracker
 * @throws VALIDATION_ERROR (400) AMOUNT_PRECISION; STATE_CONFLICT (409) `limit_reached`. Source: contract, sections 4 and 9
 */
export function decideCashbox(request: {
  readonly body: z.output<typeof createCashboxBody>;
  readonly account: { readonly currency_code: string } | undefined;
  readonly existing: Pick<PlaceCounts, 'cashboxes' | 'cashboxesOfAccount'>;
}): NewCashbox {
  const { body, account } = request;
  if (account === undefined) throw notFound();
  const { openingBalanceDecimal } = body;
  const currencyCode = account.currency_code;
  const issue = openingBalanceIssue({ openingBalanceDecimal, currencyCode, path: 'openingBalanceDecimal' });
  if (issue !== undefined) throw validationError([issue]);
  if (request.existing.cashboxesOfAccount >= cashboxesPerAccountMax) {
    throw stateConflict('limit_reached', `The account has ${cashboxesPerAccountMax} cashboxes; no more can be added.`);
  }
  requireRoomForCashboxes(request.existing.cashboxes + 1);
  return { name: body.name, openingBalanceDecimal: openingBalanceDecimal ?? '0' };
}

/**
 * Requires that a tracker may hold so many cashboxes. Pure.
 * @throws STATE_CONFLICT (409) `limit_reached`. Source: contract, section 10a
 */
export function requireRoomForCashboxes(count: number): void {
  if (count <= cashboxesPerTrackerMax) return;
  throw stateConflict(
    'limit_reached',
    `A tracker holds at most ${cashboxesPerTrackerMax} cashboxes, archived ones included.`,
  );
}
