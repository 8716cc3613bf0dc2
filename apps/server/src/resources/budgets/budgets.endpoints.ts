import { routes } from '@centavo/contracts';
import { notFound } from '../../api-error.js';
import type { Transaction } from '../../database/transaction.js';
import { type Endpoint, endpoint, loadingEndpoint } from '../../http/endpoint.js';
import type { Effect } from '../../idempotency/audit.queries.js';
import { listVisibleCategoryFacts } from '../categories/index.js';
import {
  countBudgetsForCreate,
  findBudget,
  findBudgetLineId,
  insertBudget,
  insertBudgetLines,
  listBudgets,
  loadBudgetContents,
} from './budgets.queries.js';
import { budgetStatus, decideBudget, decideBudgetLines, lineExistsError } from './budgets.rules.js';
import {
  type BudgetLineRow,
  type BudgetRow,
  toBudgetDetailView,
  toBudgetLineState,
  toBudgetLineView,
  toBudgetState,
  toBudgetView,
} from './budgets.view.js';

async function detailOf(tx: Transaction, row: BudgetRow | undefined, today: string) {
  if (row === undefined) throw notFound();
  return toBudgetDetailView({ row, ...(await loadBudgetContents(tx, row)), today });
}

function lineEffect(line: BudgetLineRow, budget: BudgetRow): Effect {
  return {
    action: 'budget_line.added',
    resourceType: 'budget_line',
    resourceId: line.id,
    trackerId: budget.tracker_id,
    state: toBudgetLineState(line, budget),
  };
}

/** The operations on budgets. */
export const budgetsEndpoints: readonly Endpoint[] = [
  endpoint(routes.listBudgets, async ({ tx, query: filters, tracker }) => {
    const rows = await listBudgets(tx, { trackerId: tracker.id, mode: filters.mode ?? null });
    const { status } = filters;
    const shown = rows.filter((row) => status === undefined || budgetStatus(row, tracker.today) === status);
    return { data: shown.map((row) => toBudgetView(row, tracker.today)) };
  }),

  loadingEndpoint(routes.getBudget, {
    load: ({ tx, trackerId, pathParameters }) => findBudget(tx, { trackerId, id: pathParameters.budgetId }),
    handle: async ({ tx, tracker }, row) => ({ data: await detailOf(tx, row, tracker.today) }),
  }),

  endpoint(routes.createBudget, async ({ tx, body, principal, tracker, newId }) => {
    const categories = await listVisibleCategoryFacts(tx, {
      trackerId: tracker.id,
      userId: principal.userId,
      categoryIds: (body.lines ?? []).map(({ categoryId }) => categoryId),
    });
    const existingCount = await countBudgetsForCreate(tx, tracker.id);
    const plan = decideBudget({ body, trackerCurrencyCode: tracker.currencyCode, categories, existingCount });
    const { lines, ...budget } = plan;
    const id = newId();
    await insertBudget(tx, { ...budget, id, trackerId: tracker.id });
    const added = lines.map((line) => ({ ...line, id: newId() }));
    const key = { trackerId: tracker.id, id };
    const rows = added.length === 0 ? [] : await insertBudgetLines(tx, { ...key, budgetId: id, lines: added });
    const row = await findBudget(tx, key);
    if (row === undefined) throw new Error('The inserted budget was not found');
    return {
      data: await detailOf(tx, row, tracker.today),
      effect: {
        action: 'budget.created',
        resourceType: 'budget',
        resourceId: id,
        trackerId: tracker.id,
        state: toBudgetState(row),
      },
      furtherEffects: rows.map((line) => lineEffect(line, row)),
    };
  }),

  endpoint(routes.addBudgetLine, async ({ tx, body, pathParameters: { budgetId }, principal, tracker, newId }) => {
    const budget = await findBudget(tx, { trackerId: tracker.id, id: budgetId });
    if (budget === undefined) throw notFound();
    const categories = await listVisibleCategoryFacts(tx, {
      trackerId: tracker.id,
      userId: principal.userId,
      categoryIds: [body.categoryId],
    });
    const plans = decideBudgetLines({
      bodies: [body],
      currencyCode: budget.currency_code,
      categories,
      pathOf: (_, field) => field,
    });
    const [plan] = plans;
    if (plan === undefined) throw new Error('decideBudgetLines returned no plan for the new line');
    const budgetKey = { trackerId: tracker.id, budgetId: budget.id };
    const [row] = await insertBudgetLines(tx, { ...budgetKey, lines: [{ ...plan, id: newId() }] });
    if (row === undefined) throw lineExistsError(await findBudgetLineId(tx, { ...budgetKey, ...plan }));
    const { actuals } = await loadBudgetContents(tx, budget);
    return {
      data: toBudgetLineView(row, budget, actuals),
      effect: lineEffect(row, budget),
    };
  }),
];
