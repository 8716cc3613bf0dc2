/** The results of Centavo, or of pgbench as the reference, in one round: the durations and the cost of the requests. */
export interface Round {
  /** The duration of each request, in the order in which the requests ended. */
  readonly latenciesUs: readonly number[];
  /** The time from the first request to the end of the last. */
  readonly seconds: number;
  /** The CPU time in milliseconds by process; null if the system does not report it. */
  readonly processorMs: ProcessorMs;
}

export type ProcessorMs = Readonly<Record<'server' | 'postgres' | 'client', number | null>>;

/** The results of Centavo or of the reference over all rounds. Each metric is the median of its values in the rounds. */
export interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The CPU time of one request, in microseconds. */
  readonly processorUs: ProcessorMs;
  /** The rate of each round, in order. The spread of these rates shows how reliable the median is. */
  readonly perSecondOfRounds: readonly number[];
}

/** Returns the median; for an even number of values the mean of the two middle values. @throws Error if there are no values */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error('A median needs at least one value.');
  return (lower + upper) / 2;
}

/**
 * Returns a percentile: the smallest of the values such that at least this share of all values is less than or equal to it.
 * @param share 0.99 for p99
 * @throws Error if there are no values
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error('A percentile needs at least one value.');
  return value;
}

/**
 * Returns the median of each metric over the rounds.
 * @throws Error if there are no rounds, or if a round has no requests
 */
export function summarize(rounds: readonly Round[]): Figures {
  const medianOf = (figure: (round: Round) => number) => median(rounds.map(figure));
  const perSecond = (round: Round) => round.latenciesUs.length / round.seconds;
  const microsecondsOf = (part: keyof ProcessorMs) => {
    const known = rounds.flatMap(({ processorMs, latenciesUs }) => {
      const spentMs = processorMs[part];
      return spentMs === null ? [] : [(spentMs * 1000) / latenciesUs.length];
    });
    return known.length === 0 ? null : Math.round(median(known));
  };
  return {
    perSecond: Math.round(medianOf(perSecond)),
    p50Ms: toHundredths(medianOf(({ latenciesUs }) => percentile(latenciesUs, 0.5)) / 1000),
    p99Ms: toHundredths(medianOf(({ latenciesUs }) => percentile(latenciesUs, 0.99)) / 1000),
    processorUs: {
      server: microsecondsOf('server'),
      postgres: microsecondsOf('postgres'),
      client: microsecondsOf('client'),
    },
    perSecondOfRounds: rounds.map((round) => Math.round(perSecond(round))),
  };
}

/** Returns the rate of Centavo as a share of the rate of the reference: 0.42 is 42 percent. */
export function ratioOf(figures: { readonly centavo: Figures; readonly reference: Figures }): number {
  return toHundredths(figures.centavo.perSecond / figures.reference.perSecond);
}

export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
