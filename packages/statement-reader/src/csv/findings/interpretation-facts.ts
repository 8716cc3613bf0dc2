import type { CsvOptions } from '../../options.js';
import type { CsvColumnName, CsvColumns } from '../table/columns.js';
import type { BalanceFinding } from './balance-finding.js';

/** The facts about an interpretation of a file, by which the checks decide whether the user has to answer a question. */
export interface InterpretationFacts {
  /** For each role, such as `date`, the header of the column that has the role. */
  readonly roles: CsvColumns;
  /** The roles whose columns were guessed. */
  readonly guessed: ReadonlySet<CsvColumnName>;
  /** Whether the user has to confirm the columns of each file, because the saved mapping may belong to another bank. */
  readonly isConfirmedEachTime: boolean;
  /** The options of the user and of the saved mapping. */
  readonly options: CsvOptions;
  /** Whether the user, and not the saved mapping, states that amounts without a sign are expenses. */
  readonly allExpensesIsRequested: boolean;
  /** Whether the saved mapping has a sign convention for another account, but none for this account. */
  readonly otherAccountReversesSigns: boolean;
  /** Whether the status column has a status that the reader recognizes or whose meaning the user declared. */
  readonly hasKnownStatuses: boolean;
  /** Whether only the balance shows which column has the debits and which has the credits. */
  readonly areSidesUnknown: boolean;
  /** The finding about the balance column; undefined if there is no such column, or the column proves nothing. */
  readonly balance: BalanceFinding | undefined;
  /**
   * The line numbers of the rows without a balance, at most five. Empty if an older row has no balance either, or if at most half of the
   * rows have a balance.
   */
  readonly newestWithoutBalance: readonly number[];
}

/** Returns whether the balance column agrees with the amounts, and the balances include the amount of the row at `line`. */
export function balanceIncludes(
  line: number,
  { balance, newestWithoutBalance }: Pick<InterpretationFacts, 'balance' | 'newestWithoutBalance'>,
): boolean {
  if (balance?.kind !== 'agrees') return false;
  return !newestWithoutBalance.includes(line) && !balance.unbookedLines.includes(line);
}
