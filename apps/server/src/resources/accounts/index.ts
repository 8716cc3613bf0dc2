/** The parts of the module `accounts` that the rest of the server may import. */

export { accountsEndpoints } from './accounts.endpoints.js';
export { listAccountsById, lockAccountsInUseSql, lockAllAccountsInUseSql } from './accounts.queries.js';
export {
  type AccountRow,
  type CashboxRow,
  toAccountState,
  toAccountView,
  toCashboxState,
  toCashboxView,
} from './accounts.view.js';
export { listCashboxesById } from './cashboxes.queries.js';
export { type CashboxFacts, checkAmountAndDate, chooseCashbox } from './posting.rules.js';
