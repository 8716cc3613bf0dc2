/**
 * Runs `times` tasks, at most `concurrency` of them concurrently.
 * @param options.isOver returns whether no further task may start
 * @returns the results of the started tasks, in order
 */
export async function runConcurrently<Result>(
  {
    times,
    concurrency,
    isOver = () => false,
  }: { readonly times: number; readonly concurrency: number; readonly isOver?: () => boolean },
  task: (position: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < times && !isOver()) {
      const position = next;
      next += 1;
      results[position] = await task(position);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, times) }, worker));
  return results;
}

/** Returns a percentile of the values, rounded to one decimal place; 0 without values. @param share 0.99 for the p99 */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1));
}
