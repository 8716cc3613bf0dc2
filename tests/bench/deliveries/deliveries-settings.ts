/** The settings that the runner passes in environment variables. The defaults make a short run. */
export const deliveriesSettings = {
  /** The number of events in the backlog of a single endpoint. In the cases with 100 endpoints, each has a twentieth of this number. */
  backlog: Number(process.env.CENTAVO_DELIVERIES_BACKLOG ?? 100),
  /** The number of movements that are recorded one by one, to measure the time to their delivery. */
  writes: Number(process.env.CENTAVO_DELIVERIES_WRITES ?? 10),
  /** The number of endpoints without events. */
  idle: Number(process.env.CENTAVO_DELIVERIES_IDLE ?? 1_000),
  /** The duration of the measurement of an idle server, in seconds. */
  idleSeconds: Number(process.env.CENTAVO_BENCH_SECONDS ?? 10),
  /** The path of the file for the results, as JSON. */
  resultsFile: process.env.CENTAVO_BENCH_RESULTS,
} as const;
