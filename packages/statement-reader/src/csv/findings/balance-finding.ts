/** The result of comparing the balances of a file with its amounts. */
export interface BalanceFinding {
  /**
   * - `agrees`: each balance is the amount of its row plus the balance of another row. Exceptions are the oldest row of each account and
   *   currency, and the rows after a gap. A gap is a transaction without a balance, or a row that cannot be read.
   * - `contradicts`: most balances agree in this way, but not all.
   * - `reversed`: the balances fit if expenses and incomes are swapped.
   * - `subtracts fees`, `ignores fees`, `adds fees`: the balances fit if fees are subtracted, ignored or added (in this order). But the
   *   import would treat the fees in another way.
   * - `unrelated`: at most half of the balances fit the amounts.
   */
  readonly kind: 'agrees' | 'contradicts' | 'reversed' | FeeFinding | 'unrelated';
  /** The number of balances that fit the amounts, including the exceptions under `agrees`. */
  readonly agreeing: number;
  /** The number of all balances that were compared. */
  readonly total: number;
  /**
   * Text for a message: the first two balances that contradict each other, with their lines; undefined if there are none, or if `kind`
   * is `unrelated`.
   */
  readonly contradiction: string | undefined;
  /**
   * Text for a message: the first two balances that contradict each other even if expenses and incomes are swapped. Used instead of
   * `contradiction` if the balances are those of a debt. Only present if `kind` is `reversed`.
   */
  readonly debtContradiction?: string | undefined;
  /** Whether the balance column contains the balance before each row instead of the balance after it. */
  readonly isBefore?: boolean;
  /**
   * Whether the balances show the effect of the fees. They do not if only the oldest row has a fee, because the balance before
   * this row is unknown. True for a file without fees.
   */
  readonly provesFees: boolean;
  /**
   * Whether the balances fit better with the directions (expense or income) that were read for the debits than with the opposite
   * directions. Also true if the opposite directions are not checked.
   */
  readonly provesDebits: boolean;
  /**
   * Whether the balances fit better if credits with a minus are incomes than if they are expenses. Also true if the second case is not
   * checked. False if no balance before such a credit is known, for example because the only such credit is in the oldest row.
   */
  readonly provesCredits: boolean;
  /** Whether more than half of the balances are below zero, as in a column with a debt that is shown with a minus. */
  readonly isBelowZero: boolean;
  /** The line numbers of up to five rows that have no balance and are not booked yet. No balance in the file includes their amounts. */
  readonly unbookedLines: readonly number[];
}

/** The effect of the fees on the balances, see `BalanceFinding.kind`. */
export type FeeFinding = 'subtracts fees' | 'ignores fees' | 'adds fees';
