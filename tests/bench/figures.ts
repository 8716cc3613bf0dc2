/** What one side did in one round: how long each of its requests took, and what they cost. */
export interface Round {
  /** Of each request, in the order in which they ended. */
  readonly latenciesUs: readonly number[];
  /** From the first request to the end of the last. */
  readonly seconds: number;
  /** Processor time that was spent, by who spent it, in milliseconds; what the system does not tell is null. */
  readonly processorMs: ProcessorMs;
}

export type ProcessorMs = Readonly<Record<'server' | 'postgres' | 'client', number | null>>;

/** What one side did in all rounds: medians of the rounds. */
export interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of one request, in microseconds. */
  readonly processorUs: ProcessorMs;
  /** Each round by itself, in order: how far they lie apart tells how much a median is worth. */
  readonly perSecondOfRounds: readonly number[];
}

/** The middle value; of an even number of them the mean of the two in the middle. @throws Error where there is none */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error('There is no median of nothing.');
  return (lower + upper) / 2;
}

/**
 * The smallest value that at least this share of all values do not exceed.
 * @param share 0.99 for p99
 * @throws Error where there is none
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error('There is no percentile of nothing.');
  return value;
}

/**
 * Sums rounds up: the median over the rounds of each figure.
 * @throws Error without rounds, or where one has no requests
 */
export function summarize(rounds: readonly Round[]): Figures {
  const medianOf = (figure: (round: Round) => number) => median(rounds.map(figure));
  const perSecond = (round: Round) => round.latenciesUs.length / round.seconds;
  const microsecondsOf = (who: keyof ProcessorMs) => {
    const known = rounds.flatMap(({ processorMs, latenciesUs }) => {
      const spentMs = processorMs[who];
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

/** How much of the reference's rate Centavo reaches: 0.42 is 42 percent of it. */
export function ratioOf(figures: { readonly centavo: Figures; readonly reference: Figures }): number {
  return toHundredths(figures.centavo.perSecond / figures.reference.perSecond);
}

export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
