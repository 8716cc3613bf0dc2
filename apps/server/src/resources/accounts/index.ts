/** The exports of accounts, cashboxes and balances to other resources. */

export { accountsEndpoints } from './accounts.endpoints.js';
export { lockAccountsInUseSql, lockAllAccountsInUseSql } from './accounts.queries.js';
export { type CashboxFacts, checkAmountAndDate, chooseCashbox } from './posting.rules.js';
