import type { CsvOptions } from '../../options.js';
import { requirePositions } from '../columns/columns.js';
import type { CsvPlan } from '../plan.js';
import { readCsvRows, readUndecidedRows } from '../rows/rows.js';
import { findBalanceOrder, learnDirectionCodes } from './balance-directions.js';
import { isWithoutSigns } from './signs.js';

/**
 * Returns the plan with the order of the rows, if only the balance shows the direction of some of them.
 * @throws StatementError if the balance contradicts amounts whose direction only it shows
 */
export async function orderByBalance(plan: CsvPlan, options: Pick<CsvOptions, 'allExpenses'>): Promise<CsvPlan> {
  const { formats, columns } = plan;
  const { 'expense-code': expense, 'income-code': income } = formats.signCounts;
  const decidesAll = isWithoutSigns(columns.roles, formats) && options.allExpenses !== true;
  const hasContradictions =
    columns.roles.direction !== undefined &&
    (income.minus > 0 || expense.plus > 0 || (expense.minus > 0 && expense.bare > 0));
  if (!decidesAll && !hasContradictions) return plan;
  const rows = readUndecidedRows({ ...plan, formats: { ...formats, balanceOrder: 'oldest first' } });
  const balanceOrder = await findBalanceOrder(rows, { decidesAll });
  return { ...plan, formats: { ...formats, balanceOrder } };
}

/**
 * Returns the plan with a direction column and the meaning of its two codes, as the balance shows it; undefined if the
 * balance does not show both.
 *
 * @param plan its amounts have no sign
 * @param header the header of the direction column
 * @throws StatementError if the balance contradicts some amounts
 */
export async function explainCodesByBalance(plan: CsvPlan, header: string): Promise<CsvPlan | undefined> {
  const { direction: _, ...roles } = plan.columns.roles;
  const { direction: position = 0 } = requirePositions({ direction: header }, plan.dialect.headers);
  const ordered = await orderByBalance({ ...plan, columns: { ...plan.columns, roles } }, {});
  if (ordered.formats.balanceOrder === undefined) return undefined;
  const codes = plan.formats.directionCodes;
  const directionCodes = await learnDirectionCodes(readCsvRows(ordered), { position, codes });
  if (directionCodes === undefined) return undefined;
  return {
    ...plan,
    columns: { ...plan.columns, roles: { ...roles, direction: header } },
    formats: { ...plan.formats, directionCodes },
  };
}
