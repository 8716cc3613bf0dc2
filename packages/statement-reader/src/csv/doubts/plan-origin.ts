import type { CsvOptions } from '../../options.js';
import type { CsvColumnName } from '../columns/columns.js';
import type { EffectiveMapping } from '../mapping.js';
import type { CsvPlan } from '../plan.js';
import type { BalanceFinding } from '../signs/balance-finding.js';
import type { StatedContradiction } from '../signs/stated-balance-check.js';

/** The facts that, together with a {@link CsvPlan}, decide which doubts the user has to resolve. */
export interface PlanOrigin {
  readonly guessed: ReadonlySet<CsvColumnName>;
  /** Whether the user has to confirm the columns of each file, because the saved mapping may belong to another bank. */
  readonly isConfirmedEachTime: boolean;
  /** The options of the user and of the saved mapping. */
  readonly options: CsvOptions;
  readonly allExpensesIsRequested: boolean;
  readonly mapping: EffectiveMapping | undefined;
  /** The finding about the balance column; undefined if there is no such column, or the column proves nothing. */
  readonly balance: BalanceFinding | undefined;
  /** A balance that the file states outside its balance column, and that the rows contradict; undefined if there is none. */
  readonly stated: StatedContradiction | undefined;
  /**
   * The line numbers of the rows without a balance, at most five, if these are the newest rows, and fewer than the rows with a balance.
   * Otherwise empty.
   */
  readonly newestWithoutBalance: readonly number[];
  /** The line numbers of the newest rows, at most five, if only these rows do not change the balance. Otherwise empty. */
  readonly newestUnchanged: readonly number[];
  /**
   * The reason why the balance column may show a debt (the amount owed, as on a card statement). Undefined if there is no such reason, or
   * if the headers, an option or the saved mapping show which column has the debits and which has the credits.
   */
  readonly debtReason: string | undefined;
}
