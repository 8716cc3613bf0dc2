import { formatAmount, type Movement } from '@centavo/contracts';
import type { MovementPlan } from './decide-movement.js';

/** A database row of a movement. */
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
  readonly external_id: string | null;
  readonly source_type: Movement['source']['type'];
  readonly source_id: string;
  readonly version: number;
  readonly voided_at: string | null;
  /** RFC 3339 with milliseconds, like `updated_at`. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** Returns the row of a new movement. */
export function toNewMovementRow(
  plan: MovementPlan,
  write: {
    readonly id: string;
    readonly tracker: { readonly id: string; readonly now: string };
    readonly source: Movement['source'];
  },
): MovementRow {
  const { id, tracker, source } = write;
  return {
    tracker_id: tracker.id,
    id,
    type: plan.type,
    kind: 'regular',
    amount: plan.amountDecimal,
    currency_code: plan.currencyCode,
    account_id: plan.accountId,
    cashbox_id: plan.cashboxId,
    category_id: plan.categoryId,
    occurred_on: plan.occurredOn,
    description: plan.description,
    merchant_name: plan.merchantName,
    transfer_group_id: null,
    external_id: plan.externalId,
    source_type: source.type,
    source_id: source.id,
    version: 1,
    voided_at: null,
    created_at: tracker.now,
    updated_at: tracker.now,
  };
}

/** A database row of a movement in a list. It omits columns that a list does not need. */
export interface ListedMovement extends Omit<MovementRow, 'tracker_id' | 'kind' | 'updated_at'> {
  /** Null if the movement was never changed. */
  readonly updated_at: string | null;
}

/** Converts a row to the API's movement. The amount has exactly the decimal places of its currency. */
export function toMovementView(row: MovementRow): Movement {
  return toListedView(row, row.tracker_id);
}

/**
 * Converts a row from a list of a tracker's movements to the API's movement. The row omits the kind, which follows from the transfer group:
 * a check constraint ensures that legs of transfers have a group and other movements have none.
 */
export function toListedView(row: ListedMovement, trackerId: string): Movement {
  return {
    id: row.id,
    trackerId,
    type: row.type,
    kind: row.transfer_group_id === null ? 'regular' : 'transfer',
    amountDecimal: formatAmount(row.amount, row.currency_code),
    currencyCode: row.currency_code,
    accountId: row.account_id,
    cashboxId: row.cashbox_id,
    categoryId: row.category_id,
    occurredOn: row.occurred_on,
    description: row.description,
    merchantName: row.merchant_name,
    transferGroupId: row.transfer_group_id,
    externalId: row.external_id,
    source: { type: row.source_type, id: row.source_id },
    version: row.version,
    voidedAt: row.voided_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at ?? row.created_at,
  };
}
