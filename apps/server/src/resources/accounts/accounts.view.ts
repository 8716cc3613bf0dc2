import type { Account } from '@centavo/contracts';

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
