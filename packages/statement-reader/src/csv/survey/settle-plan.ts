import type { CsvOptions } from '../../options.js';
import { findBalanceLines } from '../balances/balance-lines.js';
import { findPendingRows } from '../pending/pending-rows.js';
import type { UnreversedRows } from '../pending/unreversed-rows.js';
import { BalanceSearch } from '../plan/balance-search.js';
import { type BalanceLines, type CsvPlan, noBalanceLines, noSplitRows } from '../plan/plan.js';
import { readCsvRows } from '../rows/rows.js';
import { findSplitRows } from '../rows/split-rows.js';
import { findCentavoExport } from '../table/cells.js';
import { requirePositions } from '../table/columns.js';
import { type DescribedRows, describeRows } from './describe-rows.js';
import type { RowEvidence } from './row-evidence.js';
import type { Survey, SurveyChecks } from './survey.js';

/** The final plan, which says how to read the rows, and a description of the rows as this plan reads them. */
export interface SettledPlan {
  readonly plan: CsvPlan;
  readonly described: DescribedRows;
  /** The rows with a status such as `Reversed` for which the file has no reversing row; undefined if every row has a final status. */
  readonly unreversed: UnreversedRows | undefined;
}

/**
 * Settles (completes) the plan that the survey, the first pass over the file, has begun. Reads the file again, adds to the plan what the
 * survey could not find in one pass, and describes the rows.
 */
export async function settlePlan(
  { plan: surveyed, checks }: Survey,
  options: Pick<CsvOptions, 'ignoresBalance'>,
): Promise<SettledPlan> {
  const { plan, unreversed } = await findSpecialRows(surveyed, checks.rows);
  return { ...(await describeSettledRows(plan, checks, options)), unreversed };
}

/** Adds the special rows to the plan. Only other rows show whether a special row is recorded, is skipped or fails. */
async function findSpecialRows(plan: CsvPlan, rows: RowEvidence): Promise<Pick<SettledPlan, 'plan' | 'unreversed'>> {
  const found = rows.pending.statuses.hasNotFinal ? await findPendingRows(plan) : undefined;
  const pending = found?.pending ?? plan.specialRows.pending;
  const withPending = withSpecialRows(plan, { pending });
  const splitRows = rows.hasSplitRows ? await findSplitRows(withPending) : noSplitRows;
  const withSplits = withSpecialRows(withPending, { splitRows });
  const hasBalanceRows = rows.hasBalanceRows || plan.specialRows.accountBalanceRows.size > 0;
  const balanceLines = hasBalanceRows ? await findBalances(withSplits) : noBalanceLines;
  return { plan: withSpecialRows(withSplits, { balanceLines }), unreversed: found?.unreversed };
}

function withSpecialRows(plan: CsvPlan, found: Partial<CsvPlan['specialRows']>): CsvPlan {
  return { ...plan, specialRows: { ...plan.specialRows, ...found } };
}

function findBalances(plan: CsvPlan): Promise<BalanceLines> {
  const { headers } = plan.dialect;
  const positions = requirePositions(plan.columns.roles, headers);
  const balances = new BalanceSearch(positions);
  const isCentavoExport = findCentavoExport(headers) !== undefined;
  return findBalanceLines(readCsvRows(plan), {
    hasBalanceColumn: plan.columns.balancePosition !== undefined,
    findMention: (cells) => (isCentavoExport ? undefined : balances.findMention(cells)),
    findTotalMention: (cells) => (isCentavoExport ? undefined : balances.findTotalMention(cells)),
    findPeriod: (cells) => (isCentavoExport ? undefined : balances.findPeriod(cells)),
  });
}

/**
 * Describes the rows. Returns the description, and the plan by which the described rows were read. In three cases, changes the plan and
 * describes the rows again:
 *
 * - If some rows have neither an amount nor a balance, and the balances of the other rows agree with the amounts, the changed plan skips
 *   the rows that have neither.
 * - If the last row may be a total, the changed plan makes this row fail.
 * - If all credits have a minus, it is unclear whether they are incomes. If the balance column is compared with the amounts, but does not
 *   show that they are incomes, the changed plan makes these credits fail.
 */
async function describeSettledRows(
  surveyed: CsvPlan,
  checks: SurveyChecks,
  { ignoresBalance = false }: Pick<CsvOptions, 'ignoresBalance'>,
): Promise<Pick<SettledPlan, 'plan' | 'described'>> {
  const plan = ignoresBalance ? surveyed : await trustProvenSigns(surveyed, checks);
  const described = await describeRows(plan, checks);
  const leavesOutEmptyRows = described.hasEmptyRows && described.balance?.kind === 'agrees';
  const { balance, lineOfSum } = described;
  const isChecked = !ignoresBalance && balance !== undefined && balance.kind !== 'unrelated';
  const hasUnclearCredits = isChecked && !balance.provesCredits;
  if (!leavesOutEmptyRows && lineOfSum === undefined && !hasUnclearCredits) return { plan, described };
  const settled = {
    ...withSpecialRows(plan, { leavesOutEmptyRows, lineOfSum }),
    signs: { ...plan.signs, hasUnclearCredits },
  };
  return { plan: settled, described: await describeRows(settled, checks) };
}

/**
 * Returns a plan without `moneyOutWithoutMinus` and `hasUndirectedAmounts` if the balance column agrees with the signs of all rows.
 * Otherwise returns the plan unchanged. These two fields make rows fail whose direction (expense or income) is unclear.
 */
async function trustProvenSigns(plan: CsvPlan, checks: SurveyChecks): Promise<CsvPlan> {
  const { moneyOutWithoutMinus, hasUndirectedAmounts } = plan.signs;
  const isDirectionUnclear = moneyOutWithoutMinus.length > 0 || hasUndirectedAmounts;
  if (!isDirectionUnclear || plan.columns.balancePosition === undefined) return plan;
  const trusting = { ...plan, signs: { ...plan.signs, moneyOutWithoutMinus: [], hasUndirectedAmounts: false } };
  const { balance } = await describeRows(trusting, checks);
  return balance?.kind === 'agrees' ? trusting : plan;
}
