import type { Account, Cashbox } from '@centavo/contracts';
import { type Balance, formatAmount } from '@centavo/contracts';

/** An account as the database keeps it, with the number of its eligible cashboxes. */
export interface AccountRow {
  readonly tracker_id: string;
  readonly id: string;
  readonly name: string;
  readonly type: Account['type'];
  readonly currency_code: string;
  readonly status: Account['status'];
  readonly active_cashbox_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A row as the API shows it; a cashbox of an archived account is not eligible. Source: contract, section 3. */
export function toAccountView(row: AccountRow): Account {
  return {
    id: row.id,
    trackerId: row.tracker_id,
    name: row.name,
    type: row.type,
    currencyCode: row.currency_code,
    status: row.status,
    eligibleCashboxCount: row.status === 'active' ? row.active_cashbox_count : 0,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** A cashbox as the database keeps it, with what it has from its account. */
export interface CashboxRow {
  readonly tracker_id: string;
  readonly id: string;
  readonly account_id: string;
  readonly account_status: 'active' | 'archived';
  readonly name: string;
  readonly currency_code: string;
  readonly status: Cashbox['status'];
  readonly created_at: string;
  readonly updated_at: string;
}

/** A row as the API shows it; eligible is what is active in an active account. Source: contract, section 3. */
export function toCashboxView(row: CashboxRow): Cashbox {
  return {
    id: row.id,
    accountId: row.account_id,
    trackerId: row.tracker_id,
    name: row.name,
    currencyCode: row.currency_code,
    isEligible: row.status === 'active' && row.account_status === 'active',
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

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
