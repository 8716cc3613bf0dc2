/** The settings that the runner passes in environment variables. The defaults make a short run. */
export const growthSettings = {
  /** The sizes of the tracker that grows. Each size is a number of movements. */
  sizes: (process.env.CENTAVO_GROWTH_MOVEMENTS ?? '10000,20000').split(',').map(Number),
  /** The number of other users, each with a tracker and ten integration clients. */
  trackers: Number(process.env.CENTAVO_GROWTH_TRACKERS ?? 100),
  rounds: Number(process.env.CENTAVO_BENCH_ROUNDS ?? 1),
  secondsOfRound: Number(process.env.CENTAVO_BENCH_SECONDS ?? 1),
  /** The path of the JSON file for the results; none by default. */
  resultsFile: process.env.CENTAVO_BENCH_RESULTS,
} as const;
