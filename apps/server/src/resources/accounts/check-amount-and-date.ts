import { addDays, daysAheadMax, fitsCurrency, type Issue } from '@centavo/contracts';

/**
 * Checks of an amount, a currency and a date that need the account and the tracker: decimals of the account's currency,
 * the currency named, and a date of at most 366 days ahead. Pure; gives all issues. Source: contract, sections 1 and 4.
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
      message: `Send no more decimals than ${request.accountCurrencyCode} has; amounts are never rounded.`,
    });
  }
  if (request.currencyCode !== undefined && request.currencyCode !== request.accountCurrencyCode) {
    issues.push({
      path: 'currencyCode',
      code: 'CURRENCY_MISMATCH',
      message: `The account keeps ${request.accountCurrencyCode}; send that or leave the field out.`,
    });
  }
  const latest = addDays(request.today, daysAheadMax);
  if (request.occurredOn !== undefined && request.occurredOn > latest) {
    issues.push({ path: 'occurredOn', code: 'OUT_OF_RANGE', message: `Send a date up to ${latest}.` });
  }
  return issues;
}
