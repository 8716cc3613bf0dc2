/** The exports of budgets to the rest of the server. */
export { budgetsEndpoints } from './budgets.endpoints.js';
export { type BudgetLineRow, type BudgetRow, toBudgetLineState, toBudgetState } from './budgets.view.js';
