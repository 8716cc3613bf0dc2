import type { createTransferBody, Issue } from '@centavo/contracts';
import type * as z from 'zod';
import { notFound, validationError } from '../../api-error.js';
import { type CashboxFacts, checkAmountAndDate, chooseCashbox } from '../accounts/index.js';
import { strongEtag, versionConflict, voided } from '../movements/index.js';
import type { TransferLegs } from './transfers.view.js';

/** The facts about the account on one side of a transfer, with all its cashboxes. */
export interface TransferSideFacts {
  readonly id: string;
  readonly currencyCode: string;
  readonly cashboxes: readonly CashboxFacts[];
}

/** The facts that {@link decideTransfer} needs. An account that the caller does not see is null. */
export interface CreateTransferFacts {
  readonly from: TransferSideFacts | null;
  readonly to: TransferSideFacts | null;
}

/** A new transfer, all defaults applied. */
export interface TransferPlan {
  readonly amountDecimal: string;
  readonly currencyCode: string;
  readonly fromAccountId: string;
  readonly fromCashboxId: string;
  readonly toAccountId: string;
  readonly toCashboxId: string;
  readonly occurredOn: string;
  readonly description: string | null;
}

/**
 * Validates a new transfer, and applies the defaults of cashboxes, currency and date. Pure. Reports all issues together.
 * @throws NOT_FOUND (404) with `details.resource` when the caller does not see an account or cashbox
 * @throws VALIDATION_ERROR (400) AMOUNT_PRECISION, CURRENCY_MISMATCH, OUT_OF_RANGE, CASHBOX_SELECTION_REQUIRED,
 *   NO_ELIGIBLE_CASHBOX, SAME_SOURCE_AND_DESTINATION
 * @source docs/financial-integration-api.md, Transfer request fields; docs/contract.md, section 4
 */
export function decideTransfer(request: {
  readonly body: z.output<typeof createTransferBody>;
  readonly facts: CreateTransferFacts;
  readonly today: string;
}): TransferPlan {
  const { body, today } = request;
  const { from, to } = request.facts;
  if (from === null) throw notFound({ resource: 'account', path: 'fromAccountId' });
  if (to === null) throw notFound({ resource: 'account', path: 'toAccountId' });
  const source = chooseCashbox({ named: body.fromCashboxId, cashboxes: from.cashboxes, path: 'fromCashboxId' });
  const target = chooseCashbox({ named: body.toCashboxId, cashboxes: to.cashboxes, path: 'toCashboxId' });
  const issues: Issue[] = checkAmountAndDate({
    amountDecimal: body.amountDecimal,
    currencyCode: body.currencyCode,
    occurredOn: body.occurredOn,
    accountCurrencyCode: from.currencyCode,
    today,
  });
  if (from.currencyCode !== to.currencyCode) {
    issues.push({
      path: 'toAccountId',
      code: 'CURRENCY_MISMATCH',
      message: 'A transfer needs two accounts with the same currency. Choose another account.',
    });
  }
  for (const side of [source, target]) if (side.issue !== undefined) issues.push(side.issue);
  if (source.id !== undefined && source.id === target.id) {
    issues.push({
      path: 'toCashboxId',
      code: 'SAME_SOURCE_AND_DESTINATION',
      message: 'Choose two different cashboxes.',
    });
  }
  if (source.id === undefined || target.id === undefined || issues.length > 0) throw validationError(issues);
  return {
    amountDecimal: body.amountDecimal,
    currencyCode: from.currencyCode,
    fromAccountId: from.id,
    fromCashboxId: source.id,
    toAccountId: to.id,
    toCashboxId: target.id,
    occurredOn: body.occurredOn ?? today,
    description: body.description ?? null,
  };
}

/** Returns the strong ETag of one version of a transfer. It depends on the group id and on the versions of both legs. */
export function transferEtag([outgoing, incoming]: TransferLegs): string {
  return strongEtag(`${outgoing.transfer_group_id}|${outgoing.version}|${incoming.version}`);
}

/**
 * Requires that a transfer can be voided, and returns its legs. Pure. Checks the conditions below in this order.
 * @throws NOT_FOUND (404) when the transfer does not exist; VERSION_CONFLICT (409) when no tag of If-Match is the current ETag;
 *   STATE_CONFLICT (409) `voided` for a voided transfer
 * @source docs/additions.md, section 2.1
 */
export function requireVoidableTransfer(legs: TransferLegs | undefined, ifMatch: readonly string[]): TransferLegs {
  if (legs === undefined) throw notFound();
  const currentEtag = transferEtag(legs);
  if (!ifMatch.includes(currentEtag)) throw versionConflict(currentEtag, 'transfer');
  const [{ voided_at: voidedAt }] = legs;
  if (voidedAt !== null) throw voided('transfer', voidedAt);
  return legs;
}
