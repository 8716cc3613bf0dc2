import type { StatementTransaction } from '../../statement.js';
import type { ParsedAmount } from '../../values/amounts.js';
import { canSignMean, currenciesOfSign } from '../../values/currency-signs.js';
import type { ColumnPositions } from '../columns/columns.js';
import { findHeaderCurrency, type HeaderCurrency } from '../columns/header-currency.js';

/** The columns that hold amounts. */
export type AmountColumnName = 'amount' | 'debit' | 'credit';

/** The currency in the header of each amount column. */
export type HeaderCurrencies = Readonly<Partial<Record<AmountColumnName, HeaderCurrency>>>;

/** Returns the currencies in the headers of the amount columns of a reading. */
export function findHeaderCurrencies(headers: readonly string[], positions: ColumnPositions): HeaderCurrencies {
  const names = ['amount', 'debit', 'credit'] as const;
  const found = names.map((name) => [name, findHeaderCurrency(headers[positions[name] ?? -1] ?? '')] as const);
  return Object.fromEntries(found.filter(([, currency]) => currency !== undefined));
}

/**
 * Returns the currency of a row, from its currency column, the text of its amount and the header of that amount. They
 * must not contradict each other.
 *
 * @param row.column the text of the currency column; undefined if it is empty
 * @param row.header the currency in the header of the amount
 * @returns the reason why the row fails if they contradict each other
 */
export function readRowCurrency(row: {
  readonly column: string | undefined;
  readonly amount: Pick<ParsedAmount, 'currencyCode' | 'currencySign'>;
  readonly header: HeaderCurrency | undefined;
}): Pick<StatementTransaction, 'currencyCode' | 'currencySign'> | { readonly reason: string } {
  const { amount, header } = row;
  const currencyCode = row.column?.toUpperCase() ?? amount.currencyCode ?? header?.code ?? null;
  if (currencyCode !== null && !/^[A-Z]{3}$/.test(currencyCode)) {
    return { reason: `"${currencyCode}" is not a currency code` };
  }
  const differs = (code: string | undefined) => code !== undefined && code !== currencyCode;
  if (differs(amount.currencyCode)) {
    return { reason: `its amount is in ${amount.currencyCode}, and its currency ${currencyCode}` };
  }
  if (differs(header?.code)) {
    return { reason: `the header of its amount says ${header?.code}, and its currency is ${currencyCode}` };
  }
  const sign = amount.currencySign ?? header?.sign;
  if (sign !== undefined && header?.sign !== undefined && !shareCurrency(sign, header.sign)) {
    return { reason: `its amount is in ${sign}, and the header of its amount says ${header.sign}` };
  }
  if (currencyCode === null) return { currencyCode, ...(sign !== undefined && { currencySign: sign }) };
  if (amount.currencySign !== undefined && !canSignMean(amount.currencySign, currencyCode)) {
    return { reason: `its amount is in ${amount.currencySign}, and its currency ${currencyCode}` };
  }
  if (header?.sign !== undefined && !canSignMean(header.sign, currencyCode)) {
    return { reason: `the header of its amount says ${header.sign}, and its currency is ${currencyCode}` };
  }
  return { currencyCode };
}

function shareCurrency(sign: string, other: string): boolean {
  const codes = currenciesOfSign(sign);
  return codes === undefined || [...codes].some((code) => canSignMean(other, code));
}
