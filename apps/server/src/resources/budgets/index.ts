/** What the house may use of budgets. */
export { budgetsEndpoints } from './budgets.endpoints.js';
