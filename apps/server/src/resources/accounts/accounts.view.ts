import type { Account, Cashbox } from '@centavo/contracts';
import { type Balance, formatAmount } from '@centavo/contracts';

/** A database row of an account, with the number of its active cashboxes. */
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

/**
 * Converts a row to the API's account. A cashbox is eligible if it accepts new movements. An archived account has no eligible cashboxes.
 * @source docs/contract.md, section 3
 */
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

/**
 * Converts a row to the state of an account. The audit trail stores a digest of this state. Omits `eligibleCashboxCount`, because a change
 * of a cashbox can change this count.
 */
export function toAccountState(row: AccountRow): object {
  const { eligibleCashboxCount: _, ...state } = toAccountView(row);
  return state;
}

/** A database row of a cashbox, with the status and the currency of its account. */
export interface CashboxRow {
  readonly tracker_id: string;
  readonly id: string;
  readonly account_id: string;
  readonly account_status: 'active' | 'archived';
  readonly name: string;
  readonly currency_code: string;
  /** A signed decimal with four decimal places, as in the column. */
  readonly opening_balance: string;
  readonly status: Cashbox['status'];
  readonly created_at: string;
  readonly updated_at: string;
}

/**
 * Converts a row to the API's cashbox. The cashbox is eligible (accepts new movements) if both the cashbox and its account are active.
 * @source docs/contract.md, section 3
 */
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

/**
 * Converts a row to the state of a cashbox. The audit trail stores a digest of this state. Omits `isEligible`, because a change of the
 * account can change this field.
 */
export function toCashboxState(row: CashboxRow): object {
  const { isEligible: _, ...state } = toCashboxView(row);
  return { ...state, openingBalanceDecimal: formatAmount(row.opening_balance, row.currency_code) };
}

/** A database row with the balance of a cashbox, now or on a date. */
export interface BalanceRow {
  readonly account_id: string;
  readonly account_name: string;
  readonly cashbox_id: string;
  readonly cashbox_name: string;
  readonly currency_code: string;
  /** A signed decimal with four decimal places, as in the column. */
  readonly balance: string;
  readonly as_of: string;
}

/** Converts a row to the API's balance. The amount has exactly the decimal places of its currency. */
export function toBalanceView(row: BalanceRow, asOfDate: string | null): Balance {
  return {
    accountId: row.account_id,
    accountName: row.account_name,
    cashboxId: row.cashbox_id,
    cashboxName: row.cashbox_name,
    currencyCode: row.currency_code,
    balanceDecimal: formatAmount(row.balance, row.currency_code),
    asOf: row.as_of,
    asOfDate,
  };
}
