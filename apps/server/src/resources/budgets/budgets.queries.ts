import { formatTimestamp } from '../../database/format-timestamp.js';
import { query } from '../../database/query.js';
import type { ContextValue } from '../../database/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { BudgetLinePlan, BudgetPlan } from './budgets.rules.js';
import type { ActualRow, BudgetLineRow, BudgetRow } from './budgets.view.js';

const columns = `b.id, b.tracker_id, b.name, b.mode, b.currency_code, b.period_start, b.period_end, b.created_at, b.updated_at,
  (select count(*)::int from app.budget_lines l where l.tracker_id = :trackerId and l.budget_id = b.id) as line_count`;

const lineColumns = 'l.id, l.budget_id, l.category_id, l.type, l.planned, l.note, l.created_at';

/** Lists the budgets of a tracker, the latest period first. */
export async function listBudgets(
  tx: Transaction,
  filters: { readonly trackerId: string; readonly mode: string | null },
): Promise<BudgetRow[]> {
  return query<BudgetRow>(
    tx,
    `select ${columns} from app.budgets b
     where b.tracker_id = :trackerId and b.mode = coalesce(:mode, b.mode)
     order by b.period_start desc, b.created_at desc, b.id desc`,
    filters,
  );
}

/** Finds a budget of the tracker. */
export async function findBudget(
  tx: Transaction,
  key: { readonly trackerId: string | ContextValue; readonly id: string },
): Promise<BudgetRow | undefined> {
  const [row] = await query<BudgetRow>(
    tx,
    `select ${columns} from app.budgets b where b.tracker_id = :trackerId and b.id = :id`,
    key,
  );
  return row;
}

/**
 * Loads the lines of a budget, the oldest first, and the actual totals: the sums of the movements in the budget's period, by type and
 * category. The lines and the totals come from one snapshot. The totals exclude transfers, voided movements and movements in currencies
 * other than the budget's. For a budget whose mode is `planning`, the list of totals is empty.
 */
export async function loadBudgetContents(
  tx: Transaction,
  budget: BudgetRow,
): Promise<{ readonly lines: readonly BudgetLineRow[]; readonly actuals: readonly ActualRow[] }> {
  const [row] = await query<{ lines: BudgetLineRow[]; actuals: ActualRow[] }>(
    tx,
    // Subqueries hide the dates of the period from PostgreSQL's planner. If the planner saw the dates, it would make a custom plan for each
    // execution. Making these plans took a third of the request's time.
    `select
       (select coalesce(json_agg(json_build_object('id', l.id, 'budget_id', l.budget_id, 'category_id', l.category_id,
          'type', l.type, 'planned', l.planned::text, 'note', l.note, 'created_at', l.created_at) order by l.created_at, l.id), '[]')
        from app.budget_lines l where l.tracker_id = :trackerId and l.budget_id = :id) as lines,
       (select coalesce(json_agg(json_build_object('type', a.type, 'category_id', a.category_id, 'total', a.total::text)), '[]')
        from (
          select m.type, m.category_id, sum(m.amount) as total from app.movements m
          where m.tracker_id = :trackerId and m.kind = 'regular' and m.voided_at is null and m.currency_code = :currencyCode
            and m.occurred_on between (select cast(:periodStart as date)) and (select cast(:periodEnd as date)) and :isTracked
          group by m.type, m.category_id
        ) a) as actuals`,
    {
      trackerId: budget.tracker_id,
      id: budget.id,
      currencyCode: budget.currency_code,
      periodStart: budget.period_start,
      periodEnd: budget.period_end,
      isTracked: budget.mode === 'tracking',
    },
    { isLastRead: true },
  );
  return {
    lines: (row?.lines ?? []).map((line) => ({ ...line, created_at: formatTimestamp(line.created_at) })),
    actuals: row?.actuals ?? [],
  };
}

/**
 * Counts the budgets of a tracker. A lock serializes the creation of budgets. A separate statement takes the lock, so that the count
 * includes budgets that were committed during the wait for the lock.
 */
export async function countBudgetsForCreate(tx: Transaction, trackerId: string): Promise<number> {
  await query(tx, `select pg_advisory_xact_lock(hashtextextended('budgets ' || cast(:trackerId as text), 4))`, {
    trackerId,
  });
  const [row] = await query<{ count: number }>(
    tx,
    'select count(*)::int as count from app.budgets where tracker_id = :trackerId',
    { trackerId },
  );
  return row?.count ?? 0;
}

/** Inserts a budget without lines. */
export async function insertBudget(
  tx: Transaction,
  budget: Omit<BudgetPlan, 'lines'> & { readonly id: string; readonly trackerId: string },
): Promise<void> {
  await query(
    tx,
    `insert into app.budgets (tracker_id, id, name, mode, currency_code, period_start, period_end)
     values (:trackerId, :id, :name, :mode, :currencyCode, cast(:periodStart as date), cast(:periodEnd as date))`,
    { ...budget },
  );
}

/**
 * Inserts lines of a budget, sets the budget's `updated_at`, and returns the inserted lines. Omits a line if the budget already has a line
 * with the same category and type.
 */
export async function insertBudgetLines(
  tx: Transaction,
  addition: {
    readonly trackerId: string;
    readonly budgetId: string;
    readonly lines: readonly (BudgetLinePlan & { readonly id: string })[];
  },
): Promise<BudgetLineRow[]> {
  return query<BudgetLineRow>(
    tx,
    `with added as (
       select * from jsonb_to_recordset(cast(:lines as jsonb))
         as line (id uuid, "categoryId" text, type text, planned numeric, note text)
     ), used as (
       insert into app.categories_in_use (tracker_id, category_id)
       select distinct cast(:trackerId as uuid), "categoryId" from added
       on conflict do nothing
     ), touched as (
       update app.budgets set updated_at = now() where tracker_id = :trackerId and id = :budgetId
     )
     insert into app.budget_lines as l (tracker_id, id, budget_id, category_id, type, planned, note)
     select cast(:trackerId as uuid), id, cast(:budgetId as uuid), "categoryId", type, planned, note from added
     on conflict on constraint budget_lines_category_key do nothing
     returning ${lineColumns}`,
    { trackerId: addition.trackerId, budgetId: addition.budgetId, lines: JSON.stringify(addition.lines) },
  );
}

/** Returns the id of the budget's line with the given category and type. */
export async function findBudgetLineId(
  tx: Transaction,
  line: { readonly trackerId: string; readonly budgetId: string } & Pick<BudgetLinePlan, 'categoryId' | 'type'>,
): Promise<string | undefined> {
  const { trackerId, budgetId, categoryId, type } = line;
  const [row] = await query<{ id: string }>(
    tx,
    `select l.id from app.budget_lines l
     where l.tracker_id = :trackerId and l.budget_id = :budgetId and l.category_id = :categoryId and l.type = :type`,
    { trackerId, budgetId, categoryId, type },
  );
  return row?.id;
}
