import { type Balance, formatAmount } from '@centavo/contracts';

/** What a cashbox held when the statement ran. */
export interface BalanceRow {
  readonly account_id: string;
  readonly account_name: string;
  readonly cashbox_id: string;
  readonly cashbox_name: string;
  readonly currency_code: string;
  /** A signed decimal with the column's four decimals. */
  readonly balance: string;
  readonly as_of: string;
}

/** A row as the API shows it; the amount with exactly the decimals of its currency. */
export function toBalanceView(row: BalanceRow): Balance {
  return {
    accountId: row.account_id,
    accountName: row.account_name,
    cashboxId: row.cashbox_id,
    cashboxName: row.cashbox_name,
    currencyCode: row.currency_code,
    balanceDecimal: formatAmount(row.balance, row.currency_code),
    asOf: row.as_of,
  };
}
