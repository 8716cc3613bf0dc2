import { type correctMovementBody, formatAmount, type Issue, unknownCategoryId } from '@centavo/contracts';
import type * as z from 'zod';
import { notFound, validationError } from '../../api-error.js';
import { checkAmountAndDate } from '../accounts/index.js';
import { type CategoryFacts, categoryIssue } from '../categories/index.js';
import type { MovementRow } from './movements.view.js';
import { movementEtag, transferLeg, versionConflict, voided } from './versions.rules.js';

/** The corrected values of the four correctable fields. `change` contains each changed field, with its old and new value. */
export interface CorrectionPlan {
  readonly amount: string;
  readonly categoryId: string;
  readonly description: string | null;
  readonly merchantName: string | null;
  readonly change: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
}

/**
 * Checks a correction of the movement `current`, and returns the corrected values. `change` is empty if nothing changes. The statement
 * that stores the correction checks again that the version of the movement is still the same. Pure.
 * @throws NOT_FOUND (404) when the movement does not exist; with `details.resource: category` when the caller does not see the category
 * @throws STATE_CONFLICT (409) `transfer_leg` for a leg of a transfer, whatever If-Match contains
 * @throws VERSION_CONFLICT (409) with `details.currentEtag` when no tag of If-Match is the current ETag
 * @throws VALIDATION_ERROR (400) AMOUNT_PRECISION, CATEGORY_NOT_USABLE
 * @throws STATE_CONFLICT (409) `voided` for a voided movement, if all other checks pass
 * @source docs/financial-integration-api.md, Movement correction fields; docs/contract.md, sections 3 and 6; docs/additions.md, section 0.7
 */
export function decideCorrection(request: {
  readonly body: z.output<typeof correctMovementBody>;
  readonly current: MovementRow | undefined;
  /** The category that the patch names; undefined if it names no category, null if the caller does not see the category. */
  readonly category: CategoryFacts | null | undefined;
  readonly ifMatch: readonly string[];
  readonly today: string;
}): CorrectionPlan {
  const { body, current } = request;
  if (current === undefined) throw notFound();
  if (current.kind === 'transfer' || current.category_id === null) throw transferLeg(current, 'corrected');
  const currentEtag = movementEtag(current);
  if (!request.ifMatch.includes(currentEtag)) throw versionConflict(currentEtag);
  if (request.category === null) throw notFound({ resource: 'category', path: 'categoryId' });
  const issues: Issue[] = checkAmountAndDate({
    amountDecimal: body.amountDecimal,
    currencyCode: undefined,
    occurredOn: undefined,
    accountCurrencyCode: current.currency_code,
    today: request.today,
  });
  const isRecategorised = request.category !== undefined && request.category.id !== current.category_id;
  if (request.category !== undefined && isRecategorised) {
    const unusable = categoryIssue({ category: request.category, type: current.type, path: 'categoryId' });
    if (unusable !== undefined) issues.push(unusable);
  }
  if (issues.length > 0) throw validationError(issues);
  if (current.voided_at !== null) throw voided('movement', current.voided_at);

  const after = {
    amount: body.amountDecimal === undefined ? current.amount : withFourDecimals(body.amountDecimal),
    categoryId: body.categoryId === undefined ? current.category_id : (body.categoryId ?? unknownCategoryId),
    description: body.description === undefined ? current.description : body.description,
    merchantName: body.merchantName === undefined ? current.merchant_name : body.merchantName,
  };
  const before = {
    amount: current.amount,
    categoryId: current.category_id,
    description: current.description,
    merchantName: current.merchant_name,
  };
  const changed = (Object.keys(after) as (keyof typeof after)[]).filter((field) => after[field] !== before[field]);
  const { currency_code: currencyCode } = current;
  const toApi = (field: keyof typeof after, value: string | null) =>
    field === 'amount' && value !== null ? formatAmount(value, currencyCode) : value;
  const change = changed.map((field) => [
    field === 'amount' ? 'amountDecimal' : field,
    [toApi(field, before[field]), toApi(field, after[field])],
  ]);
  return { ...after, change: Object.fromEntries(change) };
}

/** Formats an amount with four decimal places, as the column stores it, so that equal amounts are equal strings. */
function withFourDecimals(amountDecimal: string): string {
  const [whole = '0', fraction = ''] = amountDecimal.split('.');
  return `${whole}.${fraction.padEnd(4, '0')}`;
}
