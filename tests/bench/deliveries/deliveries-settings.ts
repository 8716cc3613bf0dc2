/** The settings of the runner, from the environment. The defaults are those of a short run. */
export const deliveriesSettings = {
  /** Movements that are recorded before a backlog is delivered. */
  backlog: Number(process.env.CENTAVO_DELIVERIES_BACKLOG ?? 100),
  /** Movements that are recorded one by one, to measure the time to their delivery. */
  writes: Number(process.env.CENTAVO_DELIVERIES_WRITES ?? 10),
  /** Endpoints without events. */
  idle: Number(process.env.CENTAVO_DELIVERIES_IDLE ?? 1_000),
  /** How long the processor time of an idle server is measured. */
  idleSeconds: Number(process.env.CENTAVO_BENCH_SECONDS ?? 10),
  /** The path of the results, as JSON. */
  resultsFile: process.env.CENTAVO_BENCH_RESULTS,
} as const;
