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

/** Maximum number of accounts in a tracker, archived ones included. Source: docs/contract.md, section 4. */
export const accountsMax = 1000;

/** A new account with its cashboxes, all defaults applied. */
export interface NewAccount {
  readonly name: string;
  readonly type: Account['type'];
  readonly currencyCode: string;
  readonly cashboxes: readonly NewCashbox[];
}

/**
 * Validates a new account, and applies its defaults. Pure. The currency defaults to the tracker's. If the body contains no cashboxes, the
 * account gets one cashbox with the account's name and opening balance.
 * @throws VALIDATION_ERROR (400) AMOUNT_PRECISION, one issue per opening balance with too many decimal places
 * @throws STATE_CONFLICT (409) `limit_reached` when the tracker would have too many accounts or cashboxes
 * @source docs/contract.md, sections 4, 9 and 10a
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
    throw stateConflict('limit_reached', `The tracker already has ${accountsMax} accounts, the maximum.`);
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

/** Maximum number of cashboxes in a tracker, archived ones included. Source: docs/contract.md, section 10a. */
export const cashboxesPerTrackerMax = 5000;

/** The numbers of accounts and cashboxes in a tracker, archived ones included. */
export interface AccountCounts {
  readonly accounts: number;
  readonly cashboxes: number;
  /** The number of cashboxes of the account that gets a new cashbox. */
  readonly cashboxesOfAccount: number;
}

/** A new cashbox, all defaults applied. */
export interface NewCashbox {
  readonly name: string;
  /** A signed decimal in the account's currency. */
  readonly openingBalanceDecimal: string;
}

/**
 * Validates a new cashbox of an account, and applies its defaults. Pure. An archived account may get a new cashbox, which accepts
 * movements when the account is active again.
 * @throws NOT_FOUND (404) when the account is not in the tracker
 * @throws VALIDATION_ERROR (400) AMOUNT_PRECISION when the opening balance has too many decimal places
 * @throws STATE_CONFLICT (409) `limit_reached` when the account or the tracker would have too many cashboxes
 * @source docs/contract.md, sections 4, 9 and 10a
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
    throw stateConflict('limit_reached', `The account already has ${cashboxesPerAccountMax} cashboxes, the maximum.`);
  }
  requireCashboxQuota(request.existing.cashboxes + 1);
  return { name: body.name, openingBalanceDecimal: openingBalanceDecimal ?? '0' };
}

/**
 * Requires that `count` cashboxes do not exceed the quota of a tracker. Pure.
 * @throws STATE_CONFLICT (409) `limit_reached`
 * @source docs/contract.md, section 10a
 */
export function requireCashboxQuota(count: number): void {
  if (count <= cashboxesPerTrackerMax) return;
  throw stateConflict(
    'limit_reached',
    `A tracker has at most ${cashboxesPerTrackerMax} cashboxes, archived ones included.`,
  );
}

type Status = (typeof recordStatuses)[number];
type Changes = Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

/** The new name and status of an account or cashbox. `change` contains the old and the new value of each field that changes. */
export interface NameAndStatus {
  readonly name: string;
  readonly status: Status;
  readonly change: Changes;
}

/**
 * Returns the new name and status of an account or cashbox. Pure. An archived record keeps its movements and balance, and may
 * always become active again.
 * @throws NOT_FOUND (404) when the record is not in the tracker
 * @source docs/contract.md, section 9
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
 * Returns an issue if an opening balance has more decimal places than the currency allows, otherwise undefined. Pure.
 * @param request.openingBalanceDecimal a signed decimal; undefined if the body has none
 * @param request.path path of the field, reported in the issue
 * @source docs/contract.md, section 1
 */
export function openingBalanceIssue(request: {
  readonly openingBalanceDecimal: string | undefined;
  readonly currencyCode: string;
  readonly path: string;
}): Issue | undefined {
  const { openingBalanceDecimal, currencyCode, path } = request;
  if (openingBalanceDecimal === undefined || fitsCurrency(openingBalanceDecimal, currencyCode)) return undefined;
  const message = `Send no more decimal places than ${currencyCode} has; amounts are never rounded.`;
  return { path, code: 'AMOUNT_PRECISION', message };
}
