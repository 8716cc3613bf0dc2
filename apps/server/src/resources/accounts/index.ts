/** What other nouns may use of accounts, cashboxes and balances. */

export { accountsEndpoints } from './accounts.endpoints.js';
export { lockAccountsInUseSql } from './accounts.queries.js';
export { type CashboxFacts, checkAmountAndDate, chooseCashbox } from './posting.rules.js';
