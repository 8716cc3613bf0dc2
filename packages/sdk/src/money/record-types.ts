/** The records of `@centavo/contracts` as the SDK returns them: amounts have the type `DecimalString` instead of `string`. */
import type * as contracts from '@centavo/contracts';
import type { WithMoney } from './decimal-string.js';

export type Balance = WithMoney<contracts.Balance>;
export type Budget = WithMoney<contracts.Budget>;
export type BudgetDetail = WithMoney<contracts.BudgetDetail>;
export type BudgetLine = WithMoney<contracts.BudgetLine>;
export type BulkResult = WithMoney<contracts.BulkResult>;
export type Change = Omit<contracts.Change, 'record'> & { readonly record: ChangedRecord | null };
export type ChangedRecord = WithMoney<contracts.ChangedRecord>;
export type Movement = WithMoney<contracts.Movement>;
export type MovementSummary = WithMoney<contracts.MovementSummary>;
export type Transfer = WithMoney<contracts.Transfer>;
