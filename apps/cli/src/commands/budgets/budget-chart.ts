import { type BudgetDetail, fromMinorUnits, type Movement, toMinorUnits } from '@centavo/sdk';
import { type ChartRow, drawBar, drawPlanBar, greatestOf, renderChart, toPercent } from '../../ui/chart.js';
import type { Frame } from '../../ui/frame.js';
import { cutText, toOneLine } from '../../ui/text.js';
import { describeLineStatus, type PlanState, toPlanState } from './line-status.js';

/**
 * Renders a budget as a chart with a section for expenses and a section for incomes. Each budget line has a bar with its planned
 * and actual amount. Below the lines of a section are the actual amount that belongs to no line, as `(unplanned)`, and the total.
 * An expense beyond its plan is marked with `!` before its name and in its bar, and the excess is shown.
 */
export function renderBudget(
  budget: BudgetDetail,
  { categoryNames, frame }: { categoryNames: ReadonlyMap<string, string>; frame: Frame },
): string {
  const sections = (['expense', 'income'] as const).map((type) => {
    const rows = rowsOf(budget, { type, categoryNames, frame });
    const title = frame.style.strong(type === 'expense' ? 'Expenses' : 'Incomes');
    return rows.length === 0 ? '' : `\n${title}\n${renderChart(rows, frame)}`;
  });
  return renderHead(budget, frame) + sections.join('');
}

function renderHead(budget: BudgetDetail, { widthMax = Number.POSITIVE_INFINITY, style, glyphs }: Frame): string {
  const { name, mode, status, currencyCode, periodStart, periodEnd, progress } = budget;
  const title = cutText(toOneLine(name), { width: widthMax, cutMark: glyphs.cut });
  const day = status === 'active' ? `, day ${progress.daysElapsed} of ${progress.daysTotal}` : '';
  return `${style.strong(title)}\n${periodStart} to ${periodEnd}, ${currencyCode}\n${toOneLine(mode)}, ${toOneLine(status)}${day}\n`;
}

interface Section {
  readonly type: Movement['type'];
  readonly categoryNames: ReadonlyMap<string, string>;
  readonly frame: Frame;
}

function rowsOf(budget: BudgetDetail, section: Section): readonly ChartRow[] {
  const { type, categoryNames } = section;
  const { currencyCode, summary } = budget;
  const lines = budget.lines.filter((line) => line.type === type);
  const unplanned = toMinorUnits(summary[type].unplannedDecimal ?? '0', currencyCode);
  if (lines.length === 0 && unplanned === 0n) return [];
  const states = lines.map((line) => toPlanState(type, line, currencyCode));
  const planMax = greatestOf(states.map(({ planned }) => planned));
  const context = { budget, frame: section.frame };
  const rows = lines.map(({ categoryId }, index) =>
    toRow(categoryNames.get(categoryId) ?? categoryId, { ...(states[index] as PlanState), planMax }, context),
  );
  const total = toPlanState(type, summary[type], currencyCode);
  if (unplanned === 0n || total.actual === null) return [...rows, toRow('Total', { ...total, planMax: 0n }, context)];
  const actual = total.actual + unplanned;
  const money = fromMinorUnits(unplanned, currencyCode);
  return [
    ...rows,
    { label: '(unplanned)', drawBar: () => '', values: [money, '', ''], note: 'not in any line' },
    toRow('Total', { ...total, actual, planMax: 0n }, context),
  ];
}

/**
 * Returns a line or a total as a row of the chart.
 * @param state.planMax the planned amount for which the bar is full, or 0 for no bar; used only in `mode: planning`
 */
function toRow(
  label: string,
  { planMax, ...state }: PlanState & { planMax: bigint },
  { budget, frame }: { budget: BudgetDetail; frame: Frame },
): ChartRow {
  const { planned, actual } = state;
  const { glyphs } = frame;
  const money = (amount: bigint) => fromMinorUnits(amount, budget.currencyCode);
  if (actual === null) {
    return { label, drawBar: (width) => drawBar(planned, { max: planMax, width, glyphs }), values: [money(planned)] };
  }
  const { isOver, text } = describeLineStatus(state, budget);
  // Income above its plan is not marked. Its bar is full, or empty if the plan is 0.
  const shown = actual > planned && !isOver ? planned : actual;
  return {
    label,
    mark: isOver ? '!' : undefined,
    drawBar: (width) => drawPlanBar({ planned, actual: shown }, { width, glyphs }),
    values: [money(actual), `of ${money(planned)}`, toPercent(actual, planned)],
    note: text,
  };
}
