import stringWidth from 'string-width';
import type { Frame, Glyphs } from './frame.js';
import { cutText, padText, toOneLine } from './text.js';

/** One bar of a chart with its label and values. */
export interface ChartRow {
  readonly label: string;
  /** A character that is shown before the label and highlights the row; a row with this character is also bold. */
  readonly mark?: string | undefined;
  /** Draws the bar, at most `width` columns; '' for a row without a bar. */
  drawBar(width: number): string;
  /** The values after the bar, each right-aligned in its own column; '' for no value. */
  readonly values: readonly string[];
  readonly note?: string | undefined;
}

/**
 * Renders aligned horizontal bars: label, bar, values, note. On a terminal that is too narrow, a row has two lines. Only
 * labels are truncated. Every line ends with a newline.
 */
export function renderChart(rows: readonly ChartRow[], frame: Frame): string {
  const parts = rows.map((row) => ({ ...row, label: toOneLine(row.label), note: toOneLine(row.note ?? '') }));
  const layout = chooseLayout(parts, frame);
  const lines = parts.map((part) => {
    const text = layout.isStacked ? stackRow(part, layout, frame) : joinRow(part, layout, frame);
    return part.mark === undefined ? text : frame.style.strong(text);
  });
  return lines.map((line) => `${line}\n`).join('');
}

interface Layout {
  readonly isStacked: boolean;
  readonly markWidth: number;
  readonly labelWidth: number;
  readonly barWidth: number;
  readonly valueWidths: readonly number[];
}

type Part = ChartRow & { readonly note: string };

const gap = '  ';
const barWidthMax = 30;
const barWidthMin = 8;
const labelWidthMin = 10;

function chooseLayout(parts: readonly Part[], { widthMax }: Frame): Layout {
  const markWidth = parts.some(({ mark }) => mark !== undefined) ? 2 : 0;
  const longestLabel = longest(parts.map(({ label }) => label));
  const columnCount = Math.max(0, ...parts.map(({ values }) => values.length));
  const valueWidths = Array.from({ length: columnCount }, (_, index) =>
    longest(parts.map(({ values }) => values[index] ?? '')),
  );
  const shared = { markWidth, valueWidths };
  if (widthMax === undefined) {
    return { ...shared, isStacked: false, labelWidth: longestLabel, barWidth: barWidthMax };
  }
  const valuesWidth = valueWidths.reduce((sum, width) => sum + gap.length + width, 0);
  const noteWidth = longest(parts.map(({ note }) => note));
  const fixedWidth = markWidth + gap.length + valuesWidth + (noteWidth === 0 ? 0 : gap.length + noteWidth);
  const room = widthMax - fixedWidth;
  const barWidth = Math.min(barWidthMax, Math.max(barWidthMin, room - longestLabel));
  const labelWidth = Math.min(longestLabel, room - barWidth);
  if (labelWidth >= Math.min(longestLabel, labelWidthMin)) {
    return { ...shared, isStacked: false, labelWidth, barWidth };
  }
  const barRoom = widthMax - markWidth - valuesWidth;
  return {
    ...shared,
    isStacked: true,
    labelWidth: widthMax - markWidth,
    barWidth: barRoom < 1 ? 0 : Math.min(barWidthMax, barRoom),
  };
}

function joinRow(part: Part, layout: Layout, { glyphs }: Frame): string {
  const label = padText(part.label, { width: layout.labelWidth, cutMark: glyphs.cut });
  const bar = padBar(part, layout);
  const cells = [markOf(part, layout) + label, bar, ...valuesOf(part, layout), part.note];
  return cells.join(gap).trimEnd();
}

function stackRow(part: Part, layout: Layout, { glyphs }: Frame): string {
  const note = part.note === '' ? '' : gap + part.note;
  const room = Math.max(labelWidthMin, layout.labelWidth - stringWidth(note));
  const label = cutText(part.label, { width: room, cutMark: glyphs.cut });
  const bar = layout.barWidth === 0 ? [] : [padBar(part, layout)];
  const below = [...bar, ...valuesOf(part, layout)].join(gap).trimEnd();
  return `${markOf(part, layout)}${label}${note}\n${' '.repeat(layout.markWidth)}${below}`;
}

function markOf({ mark = '' }: Part, { markWidth }: Layout): string {
  return mark.padEnd(markWidth);
}

function padBar(part: Part, { barWidth }: Layout): string {
  const bar = part.drawBar(barWidth);
  return bar + ' '.repeat(Math.max(0, barWidth - stringWidth(bar)));
}

function valuesOf({ values }: Part, { valueWidths }: Layout): readonly string[] {
  return valueWidths.map((width, index) => (values[index] ?? '').padStart(width));
}

function longest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => stringWidth(text)));
}

/**
 * Draws a bar that fills the share `value / max` of the width. The length is rounded down to eighths of a column if `glyphs`
 * contains eighths, otherwise to whole columns. The bar of a value above zero is never empty. Only `max` fills the whole width.
 */
export function drawBar(
  value: bigint,
  { max, width, glyphs }: { max: bigint; width: number; glyphs: Pick<Glyphs, 'full' | 'eighths'> },
): string {
  if (value <= 0n || max <= 0n) return '';
  const steps = glyphs.eighths.length + 1;
  const length = Number((value * BigInt(width * steps)) / max);
  const drawn = Math.min(Math.max(length, 1), width * steps);
  const end = drawn % steps === 0 ? '' : (glyphs.eighths[(drawn % steps) - 1] ?? '');
  return glyphs.full.repeat(Math.floor(drawn / steps)) + end;
}

/**
 * Draws the planned and the actual amount in one bar of the whole width. If the actual amount is within the plan, it
 * comes first, then the rest of the plan. Otherwise the plan comes first, then the excess. Each part that is not zero
 * has at least one whole column.
 */
export function drawPlanBar(
  { planned, actual }: { planned: bigint; actual: bigint },
  { width, glyphs }: { width: number; glyphs: Pick<Glyphs, 'full' | 'rest' | 'over'> },
): string {
  const isOver = actual > planned;
  const [inner, outer] = isOver ? [planned, actual] : [actual, planned];
  if (outer === 0n) return glyphs.rest.repeat(width);
  const share = Number((inner * BigInt(width)) / outer);
  const innerWidth = inner === 0n ? 0 : inner === outer ? width : Math.min(Math.max(share, 1), width - 1);
  return glyphs.full.repeat(innerWidth) + (isOver ? glyphs.over : glyphs.rest).repeat(width - innerWidth);
}

/** Draws one character for each value. The greatest value has the highest character, and zero has the lowest. */
export function drawSparkline(values: readonly bigint[], { heights }: Pick<Glyphs, 'heights'>): string {
  const max = greatestOf(values);
  const highest = BigInt(heights.length - 1);
  // Rounded up, so that no value above zero has the lowest character.
  const heightOf = (value: bigint) => (max === 0n || value <= 0n ? 0n : (value * highest + max - 1n) / max);
  return values.map((value) => heights[Number(heightOf(value))] ?? '').join('');
}

/** Returns the greatest value, at least 0. `Math.max` does not accept bigints. */
export function greatestOf(values: readonly bigint[]): bigint {
  let greatest = 0n;
  for (const value of values) if (value > greatest) greatest = value;
  return greatest;
}

/**
 * Returns `part` as a percentage of `whole`, without decimal places; '' if `whole` is 0. A part that differs from the whole is never
 * rounded to 100%, and a part above zero is never rounded to 0%.
 */
export function toPercent(part: bigint, whole: bigint): string {
  if (whole === 0n) return '';
  const nearest = (part * 200n + whole) / (whole * 2n);
  if (nearest === 0n && part > 0n) return '<1%';
  if (nearest !== 100n || part === whole) return `${nearest}%`;
  return part < whole ? '99%' : '101%';
}
