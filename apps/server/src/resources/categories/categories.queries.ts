import { query } from '../../database/query.js';
import type { ContextValue, IdQuery } from '../../database/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { CategoryFacts, ExistingCategories, NewCategory } from './categories.rules.js';
import type { CategoryRow } from './categories.view.js';

// These subqueries check whether a movement or a budget line uses a category. Because of `order by`, PostgreSQL reads the index on tracker
// and category. Without `order by`, PostgreSQL would scan the whole table if no row matched. A scalar subquery runs once per category. With
// `exists` instead, PostgreSQL may first read all movements of the tracker.
const usedByMovementSql = `(select true from app.movements m where m.tracker_id = :trackerId and m.category_id = c.id
  order by m.occurred_on desc limit 1)`;
const usedByBudgetLineSql = `(select true from app.budget_lines l where l.tracker_id = :trackerId and l.category_id = c.id
  order by l.id limit 1)`;

/**
 * Condition for the categories that a caller sees even if the tracker does not use them: those of the system, the tracker and the caller.
 * It needs `app.categories` with the alias `c`, and the bindings `:trackerId` and `:userId`. A statement that loads a category together
 * with other records uses only this condition, because the condition of {@link findVisibleCategory} would double the cost. If the statement
 * finds no category, which is rare, the server then calls `findVisibleCategory` or `listVisibleCategoryFacts`.
 */
export const directlyVisibleCategorySql = "(c.scope = 'system' or c.tracker_id = :trackerId or c.user_id = :userId)";

/**
 * Condition for all categories that a caller sees in a tracker. It includes user-wide categories of other users if a movement or budget
 * line of the tracker uses them. Therefore everyone who can read a movement or a budget line can also read its category.
 * @source docs/contract.md, section 3
 */
const visibleCategorySql = `(${directlyVisibleCategorySql}
  or c.scope = 'user' and (${usedByMovementSql} or ${usedByBudgetLineSql}))`;

const columns =
  'c.id, c.scope, c.tracker_id, c.user_id, c.name, c.kind, c.parent_id, c.status, c.created_at, c.updated_at';

/** Lists the active categories that the caller sees, ordered by name. */
export async function listVisibleCategories(
  tx: Transaction,
  caller: { readonly trackerId: string; readonly userId: string },
): Promise<CategoryRow[]> {
  return query<CategoryRow>(
    tx,
    // The inner query selects candidates by indexes, because the table contains the categories of every tracker.
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

/** Finds a category that the caller sees, active or archived. */
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

/** Lists the tracker's categories with the given ids, archived ones included. */
export async function listTrackerCategoriesById(
  tx: Transaction,
  { trackerId, ids }: { readonly trackerId: string | ContextValue; readonly ids: IdQuery },
): Promise<CategoryRow[]> {
  return query<CategoryRow>(
    tx,
    `select ${columns} from app.categories c where c.tracker_id = :trackerId and c.id = any (array(${ids.sql}))`,
    { ...ids.bindings, trackerId },
  );
}

/** Lists the id, kind and status of each of the given categories. Omits categories that the caller does not see. */
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
 * Counts the categories of the tracker or of the user, and finds the id of the one with the given name. A lock serializes the creation of
 * categories, so that concurrent requests can neither exceed the quota nor use a name twice. A separate statement takes the lock, so that
 * the result includes categories that were committed during the wait for the lock.
 * @param key.trackerId the tracker that owns the categories; null if the user `key.userId` owns them
 */
export async function findCategoriesForCreate(
  tx: Transaction,
  key: { readonly trackerId: string | null; readonly userId: string | null; readonly nameFolded: string },
): Promise<ExistingCategories> {
  const lockName = `categories ${key.trackerId ?? key.userId}`;
  await query(tx, 'select pg_advisory_xact_lock(hashtextextended(:lockName, 4))', { lockName });
  const [row] = await query<ExistingCategories>(
    tx,
    `select count(*)::int as count, max(c.id) filter (where c.name_folded = :nameFolded) as "idWithName"
     from app.categories c
     where c.scope = 'tracker' and c.tracker_id = :trackerId or c.scope = 'user' and c.user_id = :userId`,
    key,
  );
  return row ?? { count: 0, idWithName: null };
}

/** Inserts a category. The caller must hold the lock that {@link findCategoriesForCreate} takes. */
export async function insertCategory(tx: Transaction, category: NewCategory): Promise<CategoryRow> {
  const [row] = await query<CategoryRow>(
    tx,
    `insert into app.categories as c (id, scope, tracker_id, user_id, name, name_folded, kind, parent_id)
     values (:id, :scope, :trackerId, :userId, :name, :nameFolded, :kind, :parentId)
     returning ${columns}`,
    { ...category },
  );
  if (row === undefined) throw new Error('The insert of a category returned no row');
  return row;
}
