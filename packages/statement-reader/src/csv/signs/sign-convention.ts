import type { StatementDirection } from '../../statement.js';
import type { AmountSign } from '../../values/amounts.js';
import type { CsvColumns } from '../table/columns.js';

/** The order of the rows in a file. */
export type BalanceOrder = 'oldest first' | 'newest first';

/**
 * The place of an amount: a column without debit/credit codes, a column with an expense or income code next to it, or the
 * debit or credit column.
 */
export type AmountPlace = 'amount' | 'expense-code' | 'income-code' | 'debit' | 'credit';

/** The places of numbers that can have a sign: the amount of a row, and its fee. */
export type SignedPlace = AmountPlace | 'fee';

/** The number of amounts with each sign in each place of the file. */
export type PlaceSignCounts = Readonly<Record<SignedPlace, Readonly<Record<AmountSign, number>>>>;

/** The signs of the file, and the meaning of a minus if it is known. */
export interface SignConvention {
  readonly signCounts: PlaceSignCounts;
  readonly minusMeans: StatementDirection | undefined;
  /** Whether an option says that amounts without a minus are incomes. */
  readonly allIncomes?: boolean;
  /**
   * The order of the rows. Undefined unless the balance column decides the direction of some amounts: of those without a sign, or of those
   * whose sign contradicts their debit/credit code.
   */
  readonly balanceOrder?: BalanceOrder | undefined;
}

/**
 * Returns the direction of a row: expense or income. `-5` is an expense in some files and an income in others, so the sign convention of
 * the whole file decides.
 *
 * A column without debit/credit codes: the first of these rules that applies decides.
 *
 * 1. If `allIncomes` is true, amounts with a minus are expenses, and all others are incomes.
 * 2. If `minusMeans` is income, amounts with a minus are incomes, and all others are expenses.
 * 3. If some amount has a minus, amounts with a minus are expenses, and all others are incomes.
 * 4. If some amount has `+` or `CR`, the file is a card statement: amounts with `+` or `CR` are incomes, and amounts without a sign are
 *    expenses, namely purchases (docs/contract.md, section 11).
 * 5. If `minusMeans` is expense, all amounts are incomes.
 * 6. Otherwise all amounts are expenses, but the user has to confirm this (see {@link isWithoutSigns}).
 *
 * A column with a code next to it: the code decides, but some rows fail, because their sign does not fit the code.
 *
 * - If a minus does not mean income (see {@link isMinusIncomeByCodes}), an expense with `+` and an income with a minus fail, because they
 *   may be reversals. If only some expenses have a minus, the smaller of the two groups (with a minus, without a minus) fails. If both
 *   groups are equally large, the incomes decide: if no income has a minus, all expenses fail; otherwise only the expenses with a minus.
 * - If a minus means income, incomes may have a minus. If only some incomes have a minus, the incomes without a minus fail. If only some
 *   expenses have a minus, the expenses with a minus fail. But if exactly half of the expenses have a minus, and no income has a minus, all
 *   expenses fail.
 *
 * Debit and credit columns: the column decides. If only some amounts of a column have a minus, the minus marks reversals, which have the
 * other direction. There is one exception: if a minus means expense, or if its meaning is not known and most debits have a minus, the
 * debits without a minus are the reversals.
 *
 * @returns undefined if the row fails by one of these rules
 */
export function decideDirection(
  place: AmountPlace,
  sign: AmountSign,
  convention: SignConvention,
): StatementDirection | undefined {
  const { signCounts, minusMeans, allIncomes } = convention;
  const counts = signCounts[place];
  const mixed = counts.minus > 0 && counts.none + counts.plus > 0;
  switch (place) {
    case 'amount':
      if (allIncomes === true) return sign === 'minus' ? 'expense' : 'income';
      if (minusMeans === 'income') return sign === 'minus' ? 'income' : 'expense';
      if (sign === 'minus') return 'expense';
      if (sign === 'plus' || counts.minus > 0) return 'income';
      return minusMeans === 'expense' && counts.plus === 0 ? 'income' : 'expense';
    case 'expense-code': {
      if (sign === 'plus' && !isMinusIncomeByCodes(convention)) return undefined;
      const isMinusUsual = minusMeans !== 'income' && counts.minus > counts.none + counts.plus;
      const isTie = counts.minus === counts.none + counts.plus && signCounts['income-code'].minus === 0;
      return mixed && (isTie || (sign === 'minus') !== isMinusUsual) ? undefined : 'expense';
    }
    case 'income-code':
      if (isMinusIncomeByCodes(convention)) return sign !== 'minus' && mixed ? undefined : 'income';
      return sign === 'minus' ? undefined : 'income';
    case 'debit': {
      const isMinusUsual =
        minusMeans === undefined ? counts.minus > counts.none + counts.plus : minusMeans === 'expense';
      return mixed && (sign === 'minus') !== isMinusUsual ? 'income' : 'expense';
    }
    case 'credit':
      return sign === 'minus' && mixed ? 'expense' : 'income';
  }
}

/**
 * Returns whether a minus next to a debit/credit code means income, as on card statements. If `minusMeans` and `balanceOrder` are
 * undefined, a minus means income if all of these are true: the file has amounts with an expense code and amounts with an income code, no
 * amount with an expense code has a minus, and all amounts with an income code have a minus. If `minusMeans` or `balanceOrder` is defined,
 * a minus means income only if `minusMeans` is income.
 */
export function isMinusIncomeByCodes({ signCounts, minusMeans, balanceOrder }: SignConvention): boolean {
  if (minusMeans !== undefined || balanceOrder !== undefined) return minusMeans === 'income';
  const { 'expense-code': expense, 'income-code': income } = signCounts;
  const hasBoth = expense.none + expense.plus > 0 && income.minus > 0;
  return hasBoth && expense.minus === 0 && income.none + income.plus === 0;
}

/** Returns whether no sign, column or code shows the direction of the amounts, so that only the balances or the user can decide it. */
export function isWithoutSigns(roles: CsvColumns, { signCounts, minusMeans, allIncomes }: SignConvention): boolean {
  if (minusMeans !== undefined || allIncomes === true) return false;
  const { minus, plus, none } = signCounts.amount;
  return roles.amount !== undefined && roles.direction === undefined && none > 0 && minus + plus === 0;
}

/**
 * Returns whether more than a quarter of the debits have a minus, and more than a quarter have no minus, so that either group may be the
 * refunds.
 */
export function areDebitSignsOpen({ debit }: CsvColumns, { signCounts }: SignConvention): boolean {
  const { minus, plus, none } = signCounts.debit;
  return debit !== undefined && 4 * Math.min(minus, plus + none) > minus + plus + none;
}

/**
 * Returns whether all credits (amounts in the credit column, or amounts with an income code) have a minus, no option says that a minus
 * means income, and `balanceOrder` is undefined. In such a file, a balance column has to show that these credits are incomes, see
 * `BalanceFinding.provesCredits`.
 */
export function isMinusOfCreditsOpen(
  { amount, direction }: CsvColumns,
  { signCounts, minusMeans, balanceOrder }: SignConvention,
): boolean {
  if (minusMeans === 'income' || balanceOrder !== undefined) return false;
  if (amount !== undefined && direction === undefined) return false;
  const { minus, plus, none } = signCounts[amount === undefined ? 'credit' : 'income-code'];
  return minus > 0 && plus + none === 0;
}

export function emptySignCounts(): Record<SignedPlace, Record<AmountSign, number>> {
  const zero = () => ({ minus: 0, plus: 0, none: 0 });
  return { amount: zero(), 'expense-code': zero(), 'income-code': zero(), debit: zero(), credit: zero(), fee: zero() };
}
