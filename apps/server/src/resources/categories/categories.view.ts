import { type Category, unknownCategoryId } from '@centavo/contracts';

/** A category as the database keeps it. */
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

/** A row as the API shows it. */
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
