import type { Cashbox } from '@centavo/contracts';

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
