import { addDays, daysAheadMax, fitsCurrency, type Issue } from '@centavo/contracts';
import { notFound } from '../../api-error.js';

/** The facts about a cashbox that {@link chooseCashbox} needs. */
export interface CashboxFacts {
  readonly id: string;
  /** True if both the cashbox and its account are active. */
  readonly isEligible: boolean;
}

/**
 * Chooses the cashbox of a movement or of one side of a transfer. If the request names a cashbox, chooses this cashbox. If not, chooses the
 * only eligible cashbox of the account. Pure.
 * @param request.named the id of the cashbox that the request names, if any
 * @param request.cashboxes all cashboxes of the account
 * @param request.path path of the request's cashbox field, reported in the issue or error
 * @returns the id of the cashbox, or an issue with the ids of the eligible cashboxes, if any. NO_ELIGIBLE_CASHBOX: the named cashbox is not
 *   eligible, or the account has no eligible cashbox. CASHBOX_SELECTION_REQUIRED: no cashbox is named, and several are eligible
 * @throws NOT_FOUND (404) `resource: cashbox` when the named cashbox is not in the account
 * @source docs/financial-integration-api.md, Movement request fields; docs/contract.md, sections 4 and 10a
 */
export function chooseCashbox(request: {
  readonly named: string | undefined;
  readonly cashboxes: readonly CashboxFacts[];
  readonly path: string;
}): { readonly id: string; readonly issue?: undefined } | { readonly id?: undefined; readonly issue: Issue } {
  const { named, cashboxes, path } = request;
  const eligible = cashboxes.filter(({ isEligible }) => isEligible);
  if (named !== undefined) {
    const cashbox = cashboxes.find(({ id }) => id === named);
    if (cashbox === undefined) throw notFound({ resource: 'cashbox', path });
    return cashbox.isEligible ? { id: cashbox.id } : { issue: noEligibleCashbox(path, eligible) };
  }
  const [only] = eligible;
  if (only === undefined) return { issue: noEligibleCashbox(path, eligible) };
  if (eligible.length === 1) return { id: only.id };
  return {
    issue: {
      path,
      code: 'CASHBOX_SELECTION_REQUIRED',
      message: 'The account has several eligible cashboxes. Send one of eligibleCashboxIds as the cashbox.',
      eligibleCashboxIds: eligible.map(({ id }) => id),
    },
  };
}

function noEligibleCashbox(path: string, eligible: readonly CashboxFacts[]): Issue {
  const code = 'NO_ELIGIBLE_CASHBOX';
  if (eligible.length === 0) {
    return { path, code, message: 'The account is archived or has no active cashbox. Choose another account.' };
  }
  const eligibleCashboxIds = eligible.map(({ id }) => id);
  return { path, code, message: 'The cashbox is archived. Send one of eligibleCashboxIds.', eligibleCashboxIds };
}

/**
 * Returns the issues in the amount, the currency and the date of a movement or transfer. The amount must have no more decimal places than
 * the account's currency. If the request names a currency, it must be the currency of the account. The date may be at most 366 days after
 * `today`. Pure.
 * @source docs/contract.md, sections 1 and 4
 */
export function checkAmountAndDate(request: {
  readonly amountDecimal: string | undefined;
  readonly currencyCode: string | undefined;
  readonly occurredOn: string | undefined;
  readonly accountCurrencyCode: string;
  readonly today: string;
}): Issue[] {
  const issues: Issue[] = [];
  if (request.amountDecimal !== undefined && !fitsCurrency(request.amountDecimal, request.accountCurrencyCode)) {
    issues.push({
      path: 'amountDecimal',
      code: 'AMOUNT_PRECISION',
      message: `Send no more decimal places than ${request.accountCurrencyCode} has; amounts are never rounded.`,
    });
  }
  if (request.currencyCode !== undefined && request.currencyCode !== request.accountCurrencyCode) {
    issues.push({
      path: 'currencyCode',
      code: 'CURRENCY_MISMATCH',
      message: `The currency of the account is ${request.accountCurrencyCode}. Send that code or omit the field.`,
    });
  }
  const latest = addDays(request.today, daysAheadMax);
  if (request.occurredOn !== undefined && request.occurredOn > latest) {
    issues.push({ path: 'occurredOn', code: 'OUT_OF_RANGE', message: `Send a date up to ${latest}.` });
  }
  return issues;
}
