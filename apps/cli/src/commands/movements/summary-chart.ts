import { fromMinorUnits, type Movement } from '@centavo/sdk';
import { type ChartRow, drawBar, drawSparkline, greatestOf, renderChart, toPercent } from '../../ui/chart.js';
import type { Frame } from '../../ui/frame.js';
import type { CurrencyTotals, Grouping, GroupTotal } from './movement-totals.js';
import { chooseTimeCourse, monthsBetween } from './time-course.js';

/** The options of the chart. */
interface SummaryOptions {
  readonly by: Grouping;
  readonly nameOf: (key: string | null) => string;
  /**
   * The requested period. If its first or last day is missing, the title shows the day or month of the first or last movement
   * instead.
   */
  readonly period: { readonly from?: string | undefined; readonly to?: string | undefined };
  /**
   * The maximum number of groups with their own bar, separately for expenses and incomes. Two or more further groups share
   * one bar. A single further group has its own bar.
   */
  readonly top: number;
}

/** Renders the summary of one currency: bars of expenses and incomes, their sparklines, and the difference. */
export function renderSummary(totals: CurrencyTotals, options: SummaryOptions, frame: Frame): string {
  const { currencyCode, groups, days } = totals;
  const dates = [...days.keys()].sort();
  const movementCount = groups.reduce((sum, group) => sum + group.movementCount, 0);
  const net = groups.reduce((sum, { income, expense }) => sum + income - expense, 0n);
  const head = `${currencyCode}  ${options.period.from ?? dates[0]} to ${options.period.to ?? dates.at(-1)}\n`;
  const sections = (['expense', 'income'] as const).map((type) => renderSection(totals, { ...options, type }, frame));
  const foot = `\nNet ${fromMinorUnits(net, currencyCode)} ${currencyCode} of ${movementCount} movements\n`;
  return [frame.style.strong(head), ...sections, foot].join('');
}

function renderSection(
  { currencyCode, groups, days }: CurrencyTotals,
  { by, nameOf, top, type }: Omit<SummaryOptions, 'period'> & { type: Movement['type'] },
  frame: Frame,
): string {
  const nonZero = groups.filter((group) => group[type] > 0n);
  if (nonZero.length === 0) return '';
  const sum = addUp(nonZero, type);
  const shown = by === 'month' ? fillMonths(groups) : nonZero;
  const bars = chooseBars(shown, { by, type, top }).map((bar) => ({ ...bar, label: bar.label ?? nameOf(bar.key) }));
  const max = greatestOf(bars.map(({ amount }) => amount));
  const rows: ChartRow[] = bars.map(({ label, amount }) => ({
    label,
    drawBar: (width) => drawBar(amount, { max, width, glyphs: frame.glyphs }),
    values: [fromMinorUnits(amount, currencyCode), toPercent(amount, sum)],
  }));
  rows.push({ label: 'Total', drawBar: () => '', values: [fromMinorUnits(sum, currencyCode), ''] });
  const title = frame.style.strong(type === 'expense' ? 'Expenses' : 'Incomes');
  return `\n${title}\n${renderChart(rows, frame)}${renderCourse(days, type, frame)}`;
}

/** The bar of one group, or the bar that combines the remaining groups. Only the combined bar has a `label`. */
interface SummaryBar {
  readonly key: string | null;
  readonly label?: string;
  readonly amount: bigint;
}

/** Returns the bars in descending order of amounts. For months, returns the latest months in chronological order. */
function chooseBars(
  groups: readonly GroupTotal[],
  { by, type, top }: Pick<SummaryOptions, 'by' | 'top'> & { type: Movement['type'] },
): readonly SummaryBar[] {
  const toBar = (group: GroupTotal): SummaryBar => ({ key: group.key, amount: group[type] });
  // A single remaining group is shown under its own name, because a bar for "others" would need the same space.
  const combinedCount = groups.length > top + 1 ? groups.length - top : 0;
  if (by === 'month') {
    const earlier = groups.slice(0, combinedCount);
    const others = { key: null, label: `${combinedCount} earlier`, amount: addUp(earlier, type) };
    return [...(combinedCount > 0 ? [others] : []), ...groups.slice(combinedCount).map(toBar)];
  }
  const sorted = [...groups].sort((one, other) => (one[type] < other[type] ? 1 : one[type] > other[type] ? -1 : 0));
  const shownCount = groups.length - combinedCount;
  const others = { key: null, label: `${combinedCount} others`, amount: addUp(sorted.slice(shownCount), type) };
  return [...sorted.slice(0, shownCount).map(toBar), ...(combinedCount > 0 ? [others] : [])];
}

/**
 * Returns the given months and the months without movements between them, so that the chart shows gaps. Adds no month if
 * the months span more than a century.
 */
function fillMonths(months: readonly GroupTotal[]): readonly GroupTotal[] {
  const byMonth = new Map(months.map((month) => [month.key ?? '', month]));
  const [first = '', last = first] = [months[0]?.key ?? '', months.at(-1)?.key ?? ''];
  const all = monthsBetween(first, last)?.map(
    (key) => byMonth.get(key) ?? { key, expense: 0n, income: 0n, movementCount: 0 },
  );
  return all ?? months;
}

function renderCourse(days: CurrencyTotals['days'], type: Movement['type'], frame: Frame): string {
  const { widthMax = 100 } = frame;
  // An upper limit for the width of the text that follows a sparkline.
  const textWidthMax = 'by month, 2026-01-01 to 2026-01-31'.length;
  const ofType = new Map([...days].map(([date, sums]) => [date, sums[type]]));
  const sameLine = chooseTimeCourse(ofType, widthMax - textWidthMax - 2);
  const course = sameLine ?? chooseTimeCourse(ofType, widthMax);
  if (course === undefined) return '';
  const line = drawSparkline(course.values, frame.glyphs);
  const text = `by ${course.unit}, ${course.first} to ${course.last}`;
  return `${line}${sameLine === undefined ? '\n' : '  '}${text}\n`;
}

function addUp(groups: readonly GroupTotal[], type: Movement['type']): bigint {
  return groups.reduce((sum, group) => sum + group[type], 0n);
}
