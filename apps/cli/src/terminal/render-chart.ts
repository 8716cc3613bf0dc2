import stringWidth from 'string-width';
import { cutText, padText } from './fit-text.js';
import { toOneLine } from './plain-text.js';
import type { Frame } from './printer.js';

/** One bar of a chart with what is said about it. */
export interface ChartRow {
  readonly label: string;
  /** One character before the label that makes the row stand out; such a row is strong, too. */
  readonly mark?: string | undefined;
  /** Draws the bar, at most `width` columns; '' for a row that has none. */
  drawBar(width: number): string;
  /** Stand right, each in a column of its own; '' where the row has nothing to say there. */
  readonly figures: readonly string[];
  readonly remark?: string | undefined;
}

/**
 * Horizontal bars, aligned: label, bar, figures, remark. On a terminal that is too narrow for one line, a row takes two,
 * and only labels are ever cut. Every line ends with a line end.
 */
export function renderChart(rows: readonly ChartRow[], frame: Frame): string {
  const parts = rows.map((row) => ({ ...row, label: toOneLine(row.label), remark: toOneLine(row.remark ?? '') }));
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
  readonly figureWidths: readonly number[];
}

type Part = ChartRow & { readonly remark: string };

const gap = '  ';
const barWidthMax = 30;
const barWidthMin = 8;
const labelWidthMin = 10;

function chooseLayout(parts: readonly Part[], { widthMax }: Frame): Layout {
  const markWidth = parts.some(({ mark }) => mark !== undefined) ? 2 : 0;
  const longestLabel = longest(parts.map(({ label }) => label));
  const columnCount = Math.max(0, ...parts.map(({ figures }) => figures.length));
  const figureWidths = Array.from({ length: columnCount }, (_, index) =>
    longest(parts.map(({ figures }) => figures[index] ?? '')),
  );
  const shared = { markWidth, figureWidths };
  if (widthMax === undefined) {
    return { ...shared, isStacked: false, labelWidth: longestLabel, barWidth: barWidthMax };
  }
  const figuresWidth = figureWidths.reduce((sum, width) => sum + gap.length + width, 0);
  const remarkWidth = longest(parts.map(({ remark }) => remark));
  const besides = markWidth + gap.length + figuresWidth + (remarkWidth === 0 ? 0 : gap.length + remarkWidth);
  const room = widthMax - besides;
  const barWidth = Math.min(barWidthMax, Math.max(barWidthMin, room - longestLabel));
  const labelWidth = Math.min(longestLabel, room - barWidth);
  if (labelWidth >= Math.min(longestLabel, labelWidthMin)) {
    return { ...shared, isStacked: false, labelWidth, barWidth };
  }
  const barRoom = widthMax - markWidth - figuresWidth;
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
  const cells = [markOf(part, layout) + label, bar, ...figuresOf(part, layout), part.remark];
  return cells.join(gap).trimEnd();
}

function stackRow(part: Part, layout: Layout, { glyphs }: Frame): string {
  const remark = part.remark === '' ? '' : gap + part.remark;
  const room = Math.max(labelWidthMin, layout.labelWidth - stringWidth(remark));
  const label = cutText(part.label, { width: room, cutMark: glyphs.cut });
  const bar = layout.barWidth === 0 ? [] : [padBar(part, layout)];
  const below = [...bar, ...figuresOf(part, layout)].join(gap).trimEnd();
  return `${markOf(part, layout)}${label}${remark}\n${' '.repeat(layout.markWidth)}${below}`;
}

function markOf({ mark = '' }: Part, { markWidth }: Layout): string {
  return mark.padEnd(markWidth);
}

function padBar(part: Part, { barWidth }: Layout): string {
  const bar = part.drawBar(barWidth);
  return bar + ' '.repeat(Math.max(0, barWidth - stringWidth(bar)));
}

function figuresOf({ figures }: Part, { figureWidths }: Layout): readonly string[] {
  return figureWidths.map((width, index) => (figures[index] ?? '').padStart(width));
}

function longest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => stringWidth(text)));
}
