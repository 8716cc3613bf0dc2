import type { CsvOptions } from '../../options.js';
import { findBalanceLines } from '../balances/balance-lines.js';
import { findPendingRows } from '../pending/pending-rows.js';
import type { UnreversedRows } from '../pending/unreversed-rows.js';
import { BalanceSearch } from '../plan/balance-search.js';
import { type BalanceLines, type CsvPlan, noBalanceLines, noSplitParents } from '../plan/plan.js';
import { readCsvRows } from '../rows/rows.js';
import { findSplitParents } from '../rows/split-parents.js';
import { findOwnExport } from '../table/cells.js';
import { requirePositions } from '../table/columns.js';
import { type DescribedRows, describeRows } from './describe-rows.js';
import type { RowEvidence } from './row-evidence.js';
import type { Survey, SurveyChecks } from './survey.js';

/** The plan by which the rows are recorded, and the description of the rows that were read by this plan. */
export interface SettledPlan {
  readonly plan: CsvPlan;
  readonly described: DescribedRows;
  /** The rows that have a status such as `Reversed`, although no row reverses them; undefined if all rows are final. */
  readonly unreversed: UnreversedRows | undefined;
}

/** Completes the plan of a survey with the facts for which the file must be read again, and describes the rows. */
export async function settlePlan(
  { plan: surveyed, checks }: Survey,
  options: Pick<CsvOptions, 'ignoresBalance'>,
): Promise<SettledPlan> {
  const { plan, unreversed } = await findExceptions(surveyed, checks.rows);
  return { ...(await describeSettledRows(plan, checks, options)), unreversed };
}

/** Returns the plan with the rows that are recorded, skipped or fail for a reason that only other rows show. */
async function findExceptions(plan: CsvPlan, rows: RowEvidence): Promise<Pick<SettledPlan, 'plan' | 'unreversed'>> {
  const found = rows.pending.statuses.hasNotFinal ? await findPendingRows(plan) : undefined;
  const pending = found?.pending ?? plan.exceptions.pending;
  const withPending = withExceptions(plan, { pending });
  const splitParents = rows.hasSplitRows ? await findSplitParents(withPending) : noSplitParents;
  const withSplits = withExceptions(withPending, { splitParents });
  const hasBalanceRows = rows.hasBalanceRows || plan.exceptions.numberedBalances.size > 0;
  const balanceLines = hasBalanceRows ? await findBalances(withSplits) : noBalanceLines;
  return { plan: withExceptions(withSplits, { balanceLines }), unreversed: found?.unreversed };
}

function withExceptions(plan: CsvPlan, found: Partial<CsvPlan['exceptions']>): CsvPlan {
  return { ...plan, exceptions: { ...plan.exceptions, ...found } };
}

function findBalances(plan: CsvPlan): Promise<BalanceLines> {
  const { headers } = plan.dialect;
  const positions = requirePositions(plan.columns.roles, headers);
  const balances = new BalanceSearch(positions);
  const isOwn = findOwnExport(headers) !== undefined;
  return findBalanceLines(readCsvRows(plan), {
    hasBalanceColumn: plan.columns.balancePosition !== undefined,
    findMention: (cells) => (isOwn ? undefined : balances.findMention(cells)),
    findTotalMention: (cells) => (isOwn ? undefined : balances.findTotalMention(cells)),
    findPeriod: (cells) => (isOwn ? undefined : balances.findPeriod(cells)),
  });
}

/**
 * Describes the rows. Returns the description, and the plan by which the described rows were read. In three cases, changes the plan and
 * describes the rows again:
 *
 * - If some rows have neither an amount nor a balance, and the balances of the other rows agree with the amounts, the changed plan skips
 *   the rows that have neither.
 * - If the last row may be a total, the changed plan makes this row fail.
 * - If all credits have a minus, and the balance column is compared with the amounts but does not show that these credits are incomes, the
 *   changed plan makes these credits fail.
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
    ...withExceptions(plan, { leavesOutEmptyRows, lineOfSum }),
    signs: { ...plan.signs, hasUnclearCredits },
  };
  return { plan: settled, described: await describeRows(settled, checks) };
}

/**
 * Returns the plan. Its `unsignedMoneyOut` and `hasUnmarkedAmounts` can make rows fail because their direction is unclear. If the balance
 * column agrees with the signs of all rows, the returned plan reads such rows by their signs alone.
 */
async function trustProvenSigns(plan: CsvPlan, checks: SurveyChecks): Promise<CsvPlan> {
  const { unsignedMoneyOut, hasUnmarkedAmounts } = plan.signs;
  const areOpen = unsignedMoneyOut.length > 0 || hasUnmarkedAmounts;
  if (!areOpen || plan.columns.balancePosition === undefined) return plan;
  const trusting = { ...plan, signs: { ...plan.signs, unsignedMoneyOut: [], hasUnmarkedAmounts: false } };
  const { balance } = await describeRows(trusting, checks);
  return balance?.kind === 'agrees' ? trusting : plan;
}
