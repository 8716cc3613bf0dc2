import { type Category, unknownCategoryId } from '@centavo/contracts';

/** A database row of a category. */
export interface CategoryRow {
  readonly id: string;
  readonly scope: Category['scope'];
  readonly tracker_id: string | null;
  readonly user_id: string | null;
  readonly name: string;
  readonly kind: Category['kind'];
  readonly parent_id: string | null;
  readonly status: Category['status'];
  readonly created_at: string;
  readonly updated_at: string;
}

/** Converts a row to the API's category. */
export function toCategoryView(row: CategoryRow): Category {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    scope: row.scope,
    trackerId: row.tracker_id,
    parentId: row.parent_id,
    isUnknown: row.id === unknownCategoryId,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
