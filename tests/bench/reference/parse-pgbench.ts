/** The summary of a run of pgbench. */
export interface PgbenchSummary {
  /** The rate without the connection time. */
  readonly perSecond: number;
  readonly failed: number;
}

/** Parses the summary of pgbench. @throws Error if it is not in the format of pgbench 15 and newer */
export function parsePgbenchSummary(output: string): PgbenchSummary {
  const perSecond = /^tps = ([\d.]+) \(without initial connection time\)$/m.exec(output)?.[1];
  const failed = /^number of failed transactions: (\d+) /m.exec(output)?.[1];
  if (perSecond === undefined || failed === undefined) throw new Error(`This is not a summary of pgbench:\n${output}`);
  return { perSecond: Number(perSecond), failed: Number(failed) };
}

/**
 * Parses the transaction log (`--log`). Returns the durations of the transactions in microseconds. A line has the number of the
 * client, the number of the transaction, its duration, the number of the script, and the end time as seconds and microseconds.
 * @throws Error if a line has no duration, because its transaction failed
 */
export function parsePgbenchLog(log: string): number[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const microseconds = Number(line.split(' ')[2]);
      if (!(microseconds >= 0)) throw new Error(`This is not a line of pgbench's log: ${line}`);
      return microseconds;
    });
}
