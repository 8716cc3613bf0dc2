/** The parts of the module `budgets` that the rest of the server may import. */
export { budgetsEndpoints } from './budgets.endpoints.js';
export { type BudgetLineRow, type BudgetRow, toBudgetLineState, toBudgetState } from './budgets.view.js';
