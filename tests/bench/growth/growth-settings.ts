/** What the runner asks for, by the environment; by itself the file asks for little. */
export const growthSettings = {
  /** So many movements one tracker has, size after size. */
  sizes: (process.env.CENTAVO_GROWTH_MOVEMENTS ?? '10000,20000').split(',').map(Number),
  /** So many strangers' trackers stand beside one, each with ten keys. */
  trackers: Number(process.env.CENTAVO_GROWTH_TRACKERS ?? 100),
  rounds: Number(process.env.CENTAVO_BENCH_ROUNDS ?? 1),
  secondsOfRound: Number(process.env.CENTAVO_BENCH_SECONDS ?? 1),
  /** Where the results go, as JSON. */
  resultsFile: process.env.CENTAVO_BENCH_RESULTS,
} as const;
