import type { Issue } from '@centavo/contracts';
import { notFound } from '../../api-error.js';

/** A cashbox of an account, as a decision needs it. */
export interface CashboxFacts {
  readonly id: string;
  /** Active, in an active account. */
  readonly isEligible: boolean;
}

/**
 * Chooses the cashbox of an operation: the one named, or the account's only eligible one.
 * @param request.path of the cashbox field, for the issue
 * @returns the id, or the issue that asks for a choice and carries it
 * @throws NOT_FOUND (404) `resource: cashbox` when the one named is not in the account. Source: specification, Movement
 *   request fields; contract, sections 4 and 10a
 */
export function chooseCashbox(request: {
  readonly named: string | undefined;
  readonly cashboxes: readonly CashboxFacts[];
  readonly path: string;
}): { readonly id: string; readonly issue?: undefined } | { readonly id?: undefined; readonly issue: Issue } {
  const { named, cashboxes, path } = request;
  if (named !== undefined) {
    const cashbox = cashboxes.find(({ id }) => id === named);
    if (cashbox === undefined) throw notFound('cashbox');
    return cashbox.isEligible ? { id: cashbox.id } : { issue: noEligibleCashbox(path) };
  }
  const eligible = cashboxes.filter(({ isEligible }) => isEligible);
  const [only] = eligible;
  if (only === undefined) return { issue: noEligibleCashbox(path) };
  if (eligible.length === 1) return { id: only.id };
  return {
    issue: {
      path,
      code: 'CASHBOX_SELECTION_REQUIRED',
      message: 'The account has several eligible cashboxes; name one of eligibleCashboxIds.',
      eligibleCashboxIds: eligible.map(({ id }) => id),
    },
  };
}

function noEligibleCashbox(path: string): Issue {
  return { path, code: 'NO_ELIGIBLE_CASHBOX', message: 'Choose an active cashbox of an active account.' };
}
