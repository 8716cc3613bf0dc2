import { type createMovementBody, type Issue, unknownCategoryId } from '@centavo/contracts';
import type * as z from 'zod';
import { type ApiError, notFound, stateConflict, validationError } from '../../api-error.js';
import { type CashboxFacts, checkAmountAndDate, chooseCashbox } from '../accounts/index.js';
import { type CategoryFacts, categoryIssue } from '../categories/index.js';

/** The facts that {@link decideMovement} needs. A record that the caller does not see is null. */
export interface CreateMovementFacts {
  readonly account: { readonly id: string; readonly currencyCode: string } | null;
  readonly cashboxes: readonly CashboxFacts[];
  readonly category: CategoryFacts | null;
  /**
   * The id of the movement in this account that has the external id of the request; null if there is none. Voided movements do not count.
   */
  readonly movementWithExternalId: string | null;
}

/** A new movement, all defaults applied. */
export interface MovementPlan {
  readonly type: 'expense' | 'income';
  readonly amountDecimal: string;
  readonly currencyCode: string;
  readonly accountId: string;
  readonly cashboxId: string;
  readonly categoryId: string;
  readonly occurredOn: string;
  readonly description: string | null;
  readonly merchantName: string | null;
  readonly externalId: string | null;
}

/**
 * Validates a new movement, and applies the specification's defaults for cashbox, category, currency and date. Pure. Reports all issues
 * together.
 * @throws NOT_FOUND (404) with `details.resource` when the caller does not see the account, category or cashbox
 * @throws VALIDATION_ERROR (400) AMOUNT_PRECISION, CURRENCY_MISMATCH, OUT_OF_RANGE, CASHBOX_SELECTION_REQUIRED,
 *   NO_ELIGIBLE_CASHBOX, CATEGORY_NOT_USABLE.
 * @throws STATE_CONFLICT (409) `external_id_exists` if the external id is in use and there is no other reason to refuse
 * @source docs/financial-integration-api.md, Movement request fields
 */
export function decideMovement(request: {
  readonly body: z.output<typeof createMovementBody>;
  readonly facts: CreateMovementFacts;
  readonly today: string;
}): MovementPlan {
  const { body, facts, today } = request;
  const { account } = facts;
  if (account === null) throw notFound({ resource: 'account', path: 'accountId' });
  if (facts.category === null) throw notFound({ resource: 'category', path: 'categoryId' });
  const cashbox = chooseCashbox({ named: body.cashboxId, cashboxes: facts.cashboxes, path: 'cashboxId' });
  const issues: Issue[] = checkAmountAndDate({
    amountDecimal: body.amountDecimal,
    currencyCode: body.currencyCode,
    occurredOn: body.occurredOn,
    accountCurrencyCode: account.currencyCode,
    today,
  });
  const unusable = categoryIssue({ category: facts.category, type: body.type, path: 'categoryId' });
  if (unusable !== undefined) issues.push(unusable);
  if (cashbox.issue !== undefined) issues.push(cashbox.issue);
  if (cashbox.id === undefined || issues.length > 0) throw validationError(issues);
  if (facts.movementWithExternalId !== null) throw externalIdExists(facts.movementWithExternalId);
  return {
    type: body.type,
    amountDecimal: body.amountDecimal,
    currencyCode: account.currencyCode,
    accountId: account.id,
    cashboxId: cashbox.id,
    categoryId: body.categoryId ?? unknownCategoryId,
    occurredOn: body.occurredOn ?? today,
    description: body.description ?? null,
    merchantName: body.merchantName ?? null,
    externalId: body.externalId ?? null,
  };
}

function externalIdExists(movementId: string): ApiError {
  const message =
    'A movement of this account already has this externalId. Compare that movement with your request. To record yours, void that movement first.';
  return stateConflict('external_id_exists', message, { movementId });
}
