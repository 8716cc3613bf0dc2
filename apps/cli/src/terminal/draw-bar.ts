import type { Glyphs } from './glyphs.js';

/**
 * A bar as long as `value` is of `max`, to the eighth of a column where the characters can say it. What is not zero is
 * never drawn as nothing, and only what is `max` fills the whole width.
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
 * What is planned and what came of it, in one bar of the whole width: the part that is there, then what of the plan is
 * left, or what goes beyond it. Whole columns only, so that the three parts can be told; one that is not zero has one.
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

/** One character for each value, as high as the value is of the greatest; zero has the lowest. */
export function drawSparkline(values: readonly bigint[], { heights }: Pick<Glyphs, 'heights'>): string {
  const max = greatestOf(values);
  const highest = BigInt(heights.length - 1);
  // What is not zero is told from zero, rounded up.
  const heightOf = (value: bigint) => (max === 0n || value <= 0n ? 0n : (value * highest + max - 1n) / max);
  return values.map((value) => heights[Number(heightOf(value))] ?? '').join('');
}

/** The greatest of the values, or 0 where none is above it. `Math.max` would take them through binary numbers. */
export function greatestOf(values: readonly bigint[]): bigint {
  let greatest = 0n;
  for (const value of values) if (value > greatest) greatest = value;
  return greatest;
}
