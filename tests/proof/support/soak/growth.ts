/** Returns the slope of the least-squares line of the points; 0 if the points determine no line. Pure. */
export function fitSlope(points: readonly { readonly x: number; readonly y: number }[]): number {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const middleX = meanOf(points.map(({ x }) => x));
  const middleY = meanOf(points.map(({ y }) => y));
  const spread = points.reduce((sum, { x }) => sum + (x - middleX) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, { x, y }) => sum + (x - middleX) * (y - middleY), 0) / spread;
}

/** Returns one of the four quarters of a series. Pure. @throws Error if the quarter is empty; with four or more values it never is */
export function quarterOf<Item>(items: readonly Item[], quarter: 1 | 2 | 3 | 4): [Item, ...Item[]] {
  const [first, ...others] = items.slice(
    Math.floor(((quarter - 1) * items.length) / 4),
    Math.floor((quarter * items.length) / 4),
  );
  if (first === undefined) throw new Error(`${items.length} values have no quarters.`);
  return [first, ...others];
}

/** Returns the median, which for an even number of values is the lower of the two middle values. Pure. */
export function medianOf(values: readonly [number, ...number[]]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? values[0];
}
