/** What the runner asks for, by the environment; by itself a file asks for little. */
export const settings = {
  /** Names of workloads; none stands for all. */
  chosen: (process.env.CENTAVO_BENCH_CHOSEN ?? '').split(' ').filter((name) => name !== ''),
  rounds: Number(process.env.CENTAVO_BENCH_ROUNDS ?? 1),
  secondsOfRound: Number(process.env.CENTAVO_BENCH_SECONDS ?? 1),
  rowsOfImport: Number(process.env.CENTAVO_BENCH_ROWS ?? 1_000),
  connections: 16,
  /** Where the server writes what its processor did, for `node --cpu-prof` to be looked at; none by default. */
  profileDir: process.env.CENTAVO_BENCH_PROFILE,
  /** Where the results go, as JSON. */
  resultsFile: process.env.CENTAVO_BENCH_RESULTS,
} as const;

/** Whether a workload was asked for. */
export function isWanted(id: string): boolean {
  return settings.chosen.length === 0 || settings.chosen.includes(id);
}
