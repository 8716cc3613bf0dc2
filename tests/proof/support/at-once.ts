/**
 * Does so many things, at most `width` of them at the same time.
 * @param options.isOver begins nothing more once it says so
 * @returns what came of each that was begun, in their order
 */
export async function doAtOnce<Result>(
  {
    times,
    width,
    isOver = () => false,
  }: { readonly times: number; readonly width: number; readonly isOver?: () => boolean },
  act: (position: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < times && !isOver()) {
      const position = next;
      next += 1;
      results[position] = await act(position);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, times) }, worker));
  return results;
}

/** The value below which so much of the values lies; 0 of none. @param share 0.99 for the p99 */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1));
}
