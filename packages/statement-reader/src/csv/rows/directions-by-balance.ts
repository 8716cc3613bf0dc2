import type { CsvOptions } from '../../options.js';
import { BalanceCodeCheck } from '../balances/balance-code-check.js';
import { addDirectionCodes, findBalanceOrder } from '../balances/balance-column.js';
import { balanceCheck } from '../balances/running-balance.js';
import type { CsvPlan } from '../plan/plan.js';
import { readDirectionCode } from '../signs/direction-codes.js';
import { isMinusIncomeByCodes, isWithoutSigns } from '../signs/sign-convention.js';
import { requirePositions } from '../table/columns.js';
import { readCsvRows, readUndecidedRows } from './rows.js';

/**
 * Returns the plan. If only the balances show the direction of some rows, adds the order of the rows that fits the balances.
 * @throws StatementError if no row shows its direction without the balances, and either some balance does not fit the amounts, or the
 *   balances may be those of a debt
 */
export async function orderByBalance(plan: CsvPlan, { options, unrecordedFees }: OrderRequest): Promise<CsvPlan> {
  const { signs, columns } = plan;
  const { 'expense-code': expense, 'income-code': income } = signs.signCounts;
  const decidesAll = isWithoutSigns(columns.roles, signs) && options.allExpenses !== true;
  const hasContradictions =
    columns.roles.direction !== undefined &&
    (income.minus > 0 || expense.plus > 0 || (expense.minus > 0 && expense.none > 0));
  if (!decidesAll && !hasContradictions) return plan;
  if (hasContradictions && (await agreesWithCodes(plan, unrecordedFees))) return plan;
  const balanceHeader = plan.dialect.headers[columns.balancePosition ?? -1] ?? '';
  const rows = readUndecidedRows({ ...plan, signs: { ...signs, balanceOrder: 'oldest first' } });
  const balanceOrder = await findBalanceOrder(rows, { decidesAll, balanceHeader });
  return { ...plan, signs: { ...signs, balanceOrder } };
}

interface OrderRequest {
  readonly options: Pick<CsvOptions, 'allExpenses'>;
  /** The headers of the columns with fees or taxes that are not recorded. */
  readonly unrecordedFees: readonly string[];
}

/**
 * Returns whether both are true: in rows with a debit/credit code, a minus means income; and the balances agree with this. Balances that
 * fit only if expenses and incomes are swapped count as agreeing, because they may be the balances of a debt.
 */
async function agreesWithCodes(plan: CsvPlan, unrecordedFees: readonly string[]): Promise<boolean> {
  const check = isMinusIncomeByCodes(plan.signs) ? balanceCheck(plan, unrecordedFees) : undefined;
  if (check === undefined) return false;
  for await (const row of readCsvRows(plan)) check.add(row);
  return check.finding?.kind === 'agrees' || check.finding?.kind === 'reversed';
}

/**
 * Returns the plan with a direction column and the meanings of its two codes, as the balances show them. Returns undefined if
 * the balances do not show the meaning of both codes.
 *
 * @param plan a plan of a file whose amounts have no sign
 * @param header the header of the direction column
 * @throws StatementError if some balance does not fit the amounts, or the balances may be those of a debt
 */
export async function explainCodesByBalance(plan: CsvPlan, header: string): Promise<CsvPlan | undefined> {
  const { direction: _, ...roles } = plan.columns.roles;
  const { direction: position = 0 } = requirePositions({ direction: header }, plan.dialect.headers);
  // The fees matter only beside debit/credit codes, and this plan has none.
  const ordered = await orderByBalance(
    { ...plan, columns: { ...plan.columns, roles } },
    { options: {}, unrecordedFees: [] },
  );
  if (ordered.signs.balanceOrder === undefined) return undefined;
  const codes = plan.signs.directionCodes;
  const directionCodes = await addDirectionCodes(readCsvRows(ordered), { position, codes });
  if (directionCodes === undefined) return undefined;
  return {
    ...plan,
    columns: { ...plan.columns, roles: { ...roles, direction: header } },
    signs: { ...plan.signs, directionCodes },
  };
}

/**
 * Compares the debit/credit codes directly to the right of the balance with the balances. Returns the plan without its direction column if
 * the codes belong to the balance. Also returns the check of these codes; undefined if there are no such codes.
 */
export async function settleCodesBesideBalance(
  plan: CsvPlan,
): Promise<{ readonly plan: CsvPlan; readonly codesBesideBalance: BalanceCodeCheck | undefined }> {
  const { direction, ...roles } = plan.columns.roles;
  const { balancePosition } = plan.columns;
  const unchanged = { plan, codesBesideBalance: undefined };
  if (direction === undefined || roles.amount === undefined || balancePosition === undefined) return unchanged;
  const position = requirePositions({ direction }, plan.dialect.headers).direction;
  if (position !== balancePosition + 1) return unchanged;
  const ofBalance = { ...plan, columns: { ...plan.columns, roles, balanceCodePosition: position } };
  const check = new BalanceCodeCheck(direction);
  for await (const row of readUndecidedRows({
    ...ofBalance,
    signs: { ...plan.signs, balanceOrder: 'oldest first' },
  })) {
    check.add({ row, code: readDirectionCode(row.cells[position] ?? '', plan.signs.directionCodes) });
  }
  return { plan: check.belongToBalance ? ofBalance : plan, codesBesideBalance: check };
}
