/** The exports of budgets to the rest of the server. */
export { budgetsEndpoints } from './budgets.endpoints.js';
