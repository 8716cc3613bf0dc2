/** The slope of the line that fits the points best, by least squares; 0 where they do not tell one. Pure. */
export function fitSlope(points: readonly { readonly x: number; readonly y: number }[]): number {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const middleX = meanOf(points.map(({ x }) => x));
  const middleY = meanOf(points.map(({ y }) => y));
  const spread = points.reduce((sum, { x }) => sum + (x - middleX) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, { x, y }) => sum + (x - middleX) * (y - middleY), 0) / spread;
}

/** One of the four quarters of a series, in its order; the first is 1. Pure. @throws Error for fewer than four values */
export function quarterOf<Item>(items: readonly Item[], quarter: 1 | 2 | 3 | 4): [Item, ...Item[]] {
  const [first, ...others] = items.slice(
    Math.floor(((quarter - 1) * items.length) / 4),
    Math.floor((quarter * items.length) / 4),
  );
  if (first === undefined) throw new Error(`${items.length} values have no quarters.`);
  return [first, ...others];
}

/** The value in the middle of an odd number of values, else the lower of the two. Pure. */
export function medianOf(values: readonly [number, ...number[]]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? values[0];
}
