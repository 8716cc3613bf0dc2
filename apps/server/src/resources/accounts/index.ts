/** What other nouns may use of accounts, cashboxes and balances. */
export { accountsInUseSql } from './account-in-use.queries.js';
export { accountsEndpoints } from './accounts.endpoints.js';
export { checkAmountAndDate } from './check-amount-and-date.js';
export { type CashboxFacts, chooseCashbox } from './posting.rules.js';
