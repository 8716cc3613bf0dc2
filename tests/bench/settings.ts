/** The settings that the runner passes in environment variables. The defaults make a short run. */
export const settings = {
  /** The ids of the chosen workloads; empty for all. */
  chosen: (process.env.CENTAVO_BENCH_CHOSEN ?? '').split(' ').filter((name) => name !== ''),
  rounds: Number(process.env.CENTAVO_BENCH_ROUNDS ?? 1),
  secondsOfRound: Number(process.env.CENTAVO_BENCH_SECONDS ?? 1),
  rowsOfImport: Number(process.env.CENTAVO_BENCH_ROWS ?? 1_000),
  connections: 16,
  /** The folder for the CPU profile of the server (`node --cpu-prof`); none by default. */
  profileDir: process.env.CENTAVO_BENCH_PROFILE,
  /** The path of the JSON file for the results; none by default. */
  resultsFile: process.env.CENTAVO_BENCH_RESULTS,
} as const;

/** Returns whether a workload was chosen. */
export function isWanted(id: string): boolean {
  return settings.chosen.length === 0 || settings.chosen.includes(id);
}
