import { formatAmount, type Movement } from '@centavo/contracts';

/** A movement as the database keeps it. */
export interface MovementRow {
  readonly tracker_id: string;
  readonly id: string;
  readonly type: Movement['type'];
  readonly kind: Movement['kind'];
  readonly amount: string;
  readonly currency_code: string;
  readonly account_id: string;
  readonly cashbox_id: string;
  readonly category_id: string | null;
  readonly occurred_on: string;
  readonly description: string | null;
  readonly merchant_name: string | null;
  readonly transfer_group_id: string | null;
  readonly source_type: Movement['source']['type'];
  readonly source_id: string;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A row as the API shows it; the amount with exactly the decimals of its currency. */
export function toMovementView(row: MovementRow): Movement {
  return {
    id: row.id,
    trackerId: row.tracker_id,
    type: row.type,
    kind: row.kind,
    amountDecimal: formatAmount(row.amount, row.currency_code),
    currencyCode: row.currency_code,
    accountId: row.account_id,
    cashboxId: row.cashbox_id,
    categoryId: row.category_id,
    occurredOn: row.occurred_on,
    description: row.description,
    merchantName: row.merchant_name,
    transferGroupId: row.transfer_group_id,
    source: { type: row.source_type, id: row.source_id },
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
