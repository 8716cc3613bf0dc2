import type { AddBudgetLineInput, BudgetFiltersInput, CreateBudgetInput, Preview } from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { ListPromise } from '../answers/list-promise.js';
import { sendList } from '../answers/send-list.js';
import type { CallOptions, PreviewOptions } from '../call-options.js';
import type { Budget, BudgetDetail, BudgetLine } from '../money/record-types.js';
import type { Send } from '../transport/call-request.js';

/**
 * Budgets and their lines.
 * @source docs/financial-integration-api.md, Budgets
 * @example
 * const { data: budgets } = await client.budgets.list({ status: 'active' });
 * for (const { id } of budgets) console.log((await client.budgets.get(id)).summary.expense.remainingDecimal);
 */
export class BudgetsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Lists the budgets of the tracker.
   * @example for await (const budget of client.budgets.list({ status: 'active' })) console.log(budget.name);
   */
  list(filters: BudgetFiltersInput = {}, options?: CallOptions): ListPromise<Budget> {
    return sendList<Budget>(this.#send, { call: calls.listBudgets, query: { ...filters }, options });
  }

  /**
   * Returns a budget with its lines, totals and progress.
   * @throws NotFoundError if the budget is not in the tracker
   * @example const { summary } = await client.budgets.get(budgetId);
   */
  get(budgetId: string, options?: CallOptions): ApiPromise<BudgetDetail> {
    return new ApiPromise(this.#send<BudgetDetail>({ call: calls.getBudget, pathParameters: { budgetId }, options }));
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  create(input: CreateBudgetInput, options: PreviewOptions): ApiPromise<Preview<BudgetDetail>>;
  /**
   * Creates a budget, optionally with lines. A repeated call with the same idempotency key creates no second budget.
   * @example
   * await client.budgets.create({ name: 'May', mode: 'tracking', periodStart: '2026-05-01', periodEnd: '2026-05-31' });
   */
  create(input: CreateBudgetInput, options?: CallOptions): ApiPromise<BudgetDetail>;
  create(input: CreateBudgetInput, options?: CallOptions | PreviewOptions): ApiPromise<BudgetDetail> {
    return new ApiPromise(this.#send<BudgetDetail>({ call: calls.createBudget, body: input, options }));
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  addLine(budgetId: string, input: AddBudgetLineInput, options: PreviewOptions): ApiPromise<Preview<BudgetLine>>;
  /**
   * Adds a line with a planned amount for a category. A repeated call with the same idempotency key adds no second line.
   * @throws StateConflictError (reason `line_exists`) if the budget already has a line with the same category and the same type
   *   (`income` or `expense`); `details.lineId` is the id of that line
   * @example await client.budgets.addLine(budgetId, { categoryId, plannedDecimal: '250.00' });
   */
  addLine(budgetId: string, input: AddBudgetLineInput, options?: CallOptions): ApiPromise<BudgetLine>;
  addLine(budgetId: string, input: AddBudgetLineInput, options?: CallOptions | PreviewOptions): ApiPromise<BudgetLine> {
    const pathParameters = { budgetId };
    return new ApiPromise(this.#send<BudgetLine>({ call: calls.addBudgetLine, pathParameters, body: input, options }));
  }
}
