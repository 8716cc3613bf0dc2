/** The records of the API as this package gives them: as declared in the contracts, with money branded. */
import type * as contracts from '@centavo/contracts';
import type { WithMoney } from './decimal-string.js';

export type Balance = WithMoney<contracts.Balance>;
export type Budget = WithMoney<contracts.Budget>;
export type BudgetDetail = WithMoney<contracts.BudgetDetail>;
export type BudgetLine = WithMoney<contracts.BudgetLine>;
export type Movement = WithMoney<contracts.Movement>;
export type Transfer = WithMoney<contracts.Transfer>;
