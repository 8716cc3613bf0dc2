import { fitsCurrency, type Issue } from '@centavo/contracts';

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
