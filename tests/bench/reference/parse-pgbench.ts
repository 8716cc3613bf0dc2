/** What pgbench says of a run at its end. */
export interface PgbenchSummary {
  /** Without the time that it took to connect. */
  readonly perSecond: number;
  readonly failed: number;
}

/** Reads the end of pgbench's output. @throws Error where it is not what pgbench 15 and newer print */
export function parsePgbenchSummary(output: string): PgbenchSummary {
  const perSecond = /^tps = ([\d.]+) \(without initial connection time\)$/m.exec(output)?.[1];
  const failed = /^number of failed transactions: (\d+) /m.exec(output)?.[1];
  if (perSecond === undefined || failed === undefined) throw new Error(`This is no summary of pgbench:\n${output}`);
  return { perSecond: Number(perSecond), failed: Number(failed) };
}

/**
 * Reads the log of single transactions (`--log`): how long each took, in microseconds. A line is: client, number, time,
 * script, and when it ended, in seconds and microseconds.
 * @throws Error where a line has no time, as that of a transaction that failed
 */
export function parsePgbenchLog(log: string): number[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const microseconds = Number(line.split(' ')[2]);
      if (!(microseconds >= 0)) throw new Error(`This is no line of pgbench's log: ${line}`);
      return microseconds;
    });
}
