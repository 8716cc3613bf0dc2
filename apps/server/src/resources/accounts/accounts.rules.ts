import {
  type Account,
  cashboxesPerAccountMax,
  type createAccountBody,
  type createCashboxBody,
  fitsCurrency,
  type Issue,
  type recordStatuses,
} from '@centavo/contracts';
import type * as z from 'zod';
import { notFound, stateConflict, validationError } from '../../api-error.js';

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
  readonly existing: Pick<AccountCounts, 'accounts' | 'cashboxes'>;
}): NewAccount {
  const { body } = request;
  const currencyCode = body.currencyCode ?? request.trackerCurrencyCode;
  const issues = findOpeningBalanceIssues(body, currencyCode);
  if (issues.length > 0) throw validationError(issues);
  if (request.existing.accounts >= accountsMax) {
    throw stateConflict('limit_reached', `There are ${accountsMax} accounts already; no more can be added.`);
  }
  const cashboxes = body.cashboxes ?? [{ name: body.name, openingBalanceDecimal: body.openingBalanceDecimal }];
  requireCashboxQuota(request.existing.cashboxes + cashboxes.length);
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

/** At most so many cashboxes of a tracker, archived ones included. Source: contract, section 10a. */
export const cashboxesPerTrackerMax = 5000;

/** How many accounts and cashboxes a tracker has, archived ones included. */
export interface AccountCounts {
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
  readonly existing: Pick<AccountCounts, 'cashboxes' | 'cashboxesOfAccount'>;
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
  requireCashboxQuota(request.existing.cashboxes + 1);
  return { name: body.name, openingBalanceDecimal: openingBalanceDecimal ?? '0' };
}

/**
 * Requires that a tracker may hold so many cashboxes. Pure.
 * @throws STATE_CONFLICT (409) `limit_reached`. Source: contract, section 10a
 */
export function requireCashboxQuota(count: number): void {
  if (count <= cashboxesPerTrackerMax) return;
  throw stateConflict(
    'limit_reached',
    `A tracker holds at most ${cashboxesPerTrackerMax} cashboxes, archived ones included.`,
  );
}

type Status = (typeof recordStatuses)[number];
type Changes = Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

/** What an account or a cashbox is called and whether it is in use, with what that changes; nothing when `change` is empty. */
export interface NameAndStatus {
  readonly name: string;
  readonly status: Status;
  readonly change: Changes;
}

/**
 * Decides a new name or status of an account or cashbox. Pure.
 * Archiving keeps the record with its movements and balance, and active again is always possible.
 * @throws NOT_FOUND (404) for a record that is not in the tracker. Source: contract, section 9
 */
export function decideNameAndStatus(request: {
  readonly body: { readonly name?: string | undefined; readonly status?: Status | undefined };
  readonly current: { readonly name: string; readonly status: Status } | undefined;
}): NameAndStatus {
  const { body, current } = request;
  if (current === undefined) throw notFound();
  const { name = current.name, status = current.status } = body;
  const change = {
    ...(name === current.name ? {} : { name: [current.name, name] as const }),
    ...(status === current.status ? {} : { status: [current.status, status] as const }),
  };
  return { name, status, change };
}

/**
 * Why an opening balance cannot be kept in a currency: more decimals than it has; undefined when it can. Pure.
 * @param request.openingBalanceDecimal signed, in whole units; undefined where the body names none
 * @param request.path of the field, for the issue. Source: contract, section 1
 */
export function openingBalanceIssue(request: {
  readonly openingBalanceDecimal: string | undefined;
  readonly currencyCode: string;
  readonly path: string;
}): Issue | undefined {
  const { openingBalanceDecimal, currencyCode, path } = request;
  if (openingBalanceDecimal === undefined || fitsCurrency(openingBalanceDecimal, currencyCode)) return undefined;
  const message = `Send no more decimals than ${currencyCode} has; amounts are never rounded.`;
  return { path, code: 'AMOUNT_PRECISION', message };
}
