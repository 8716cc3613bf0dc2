import type { Transaction } from '../../database/database.js';
import { query } from '../../database/query.js';
import type { CategoryFacts, NewCategory } from './categories.rules.js';
import type { CategoryRow } from './categories.view.js';

// The order makes the planner take the index: for the first row of many it would rather read the table until one comes,
// and where none comes that is the whole history of everybody. A subquery for one value is asked for one category after
// the other; `exists` may be answered by reading all movements of the tracker first.
const usedByMovementSql = `(select true from app.movements m where m.tracker_id = :trackerId and m.category_id = c.id
  order by m.occurred_on desc limit 1)`;
const usedByBudgetLineSql = `(select true from app.budget_lines l where l.tracker_id = :trackerId and l.category_id = c.id
  order by l.id limit 1)`;

/**
 * The categories that a caller sees in a tracker whether it uses them or not: the system's, the tracker's and the caller's
 * own. For a table named `c` and the bindings `:trackerId` and `:userId`. Who loads one category with other things asks for
 * these, and only where there is none for the rest, which is rare: to prepare for it costs as much as everything else.
 */
export const directlyVisibleCategorySql = "(c.scope = 'system' or c.tracker_id = :trackerId or c.user_id = :userId)";

/**
 * All categories that a caller sees in a tracker: also those of others that a movement or budget line of the tracker uses, so
 * that whoever reads a movement can read its category. Source: contract, section 3.
 */
const visibleCategorySql = `(${directlyVisibleCategorySql}
  or c.scope = 'user' and (${usedByMovementSql} or ${usedByBudgetLineSql}))`;

const columns =
  'c.id, c.scope, c.tracker_id, c.user_id, c.name, c.kind, c.parent_id, c.status, c.created_at, c.updated_at';

/** Every active category that the caller sees, in the order of their names. */
export async function listVisibleCategories(
  tx: Transaction,
  caller: { readonly trackerId: string; readonly userId: string },
): Promise<CategoryRow[]> {
  return query<CategoryRow>(
    tx,
    // First those that can be seen at all, by their indexes: the table holds the categories of every tracker.
    `select ${columns} from app.categories c
     where c.status = 'active' and ${visibleCategorySql} and c.id in (
       select o.id from app.categories o
       where o.scope = 'system' or o.scope = 'tracker' and o.tracker_id = :trackerId
         or o.scope = 'user' and o.user_id = :userId
       union all
       select u.category_id from app.categories_in_use u where u.tracker_id = :trackerId)
     order by c.name_folded, c.id`,
    caller,
  );
}

/** The category with this id if the caller sees it; archived ones too. */
export async function findVisibleCategory(
  tx: Transaction,
  key: { readonly trackerId: string; readonly userId: string; readonly categoryId: string },
): Promise<(CategoryRow & CategoryFacts) | null> {
  const [row] = await query<CategoryRow & CategoryFacts>(
    tx,
    `select ${columns} from app.categories c where c.id = :categoryId and ${visibleCategorySql}`,
    key,
  );
  return row ?? null;
}

/** What decisions need of several categories; those that the caller does not see are missing. */
export async function listVisibleCategoryFacts(
  tx: Transaction,
  keys: { readonly trackerId: string; readonly userId: string; readonly categoryIds: readonly string[] },
): Promise<CategoryFacts[]> {
  if (keys.categoryIds.length === 0) return [];
  return query<CategoryFacts>(
    tx,
    `select c.id, c.kind, c.status from app.categories c where c.id = any (:categoryIds) and ${visibleCategorySql}`,
    keys,
  );
}

/**
 * How many categories count against the limit: the tracker's own, or the user's. The lock makes creates follow each other,
 * so that two of them cannot both be the last; it is a statement of its own, because a count in the same one would still
 * see what was there before the wait.
 */
export async function countCategoriesForCreate(
  tx: Transaction,
  owner: { readonly trackerId: string | null; readonly userId: string | null },
): Promise<number> {
  const lockName = `categories ${owner.trackerId ?? owner.userId}`;
  await query(tx, 'select pg_advisory_xact_lock(hashtextextended(:lockName, 4))', { lockName });
  const [row] = await query<{ count: number }>(
    tx,
    `select count(*)::int as count from app.categories c
     where c.scope = 'tracker' and c.tracker_id = :trackerId or c.scope = 'user' and c.user_id = :userId`,
    owner,
  );
  return row?.count ?? 0;
}

/** Adds a category; the database refuses a second one of the same folded name in the same scope. */
export async function insertCategory(tx: Transaction, category: NewCategory): Promise<CategoryRow> {
  const [row] = await query<CategoryRow>(
    tx,
    `insert into app.categories as c (id, scope, tracker_id, user_id, name, name_folded, kind, parent_id)
     values (:id, :scope, :trackerId, :userId, :name, :nameFolded, :kind, :parentId)
     returning ${columns}`,
    { ...category },
  );
  if (row === undefined) throw new Error('A category was inserted without a row');
  return row;
}
