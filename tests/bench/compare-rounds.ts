import type { Spread } from '../../tools/render-growth.mjs';
import { type Figures, median, percentile, type Round, summarize, toHundredths } from './figures.js';

/** The results of a workload with large data and with small data, measured in alternating rounds. */
export interface Comparison {
  readonly large: Figures;
  readonly small: Figures;
  /** The ratios of the results with large data to those with small data. */
  readonly ratios: {
    /** The ratio of the median durations. */
    readonly p50: Spread;
    /**
     * The ratio of the CPU time of server and PostgreSQL for one request; null if the system does not report it.
     */
    readonly processor: Spread | null;
  };
}

/**
 * Compares each round on large data with the round on small data that ran directly before or after it. Computes one ratio for each pair
 * of rounds: other load on the machine affects both rounds alike, because they run at nearly the same time.
 * @throws Error without rounds, or if a round has no counterpart
 */
export function compareRounds({
  large,
  small,
}: {
  readonly large: readonly Round[];
  readonly small: readonly Round[];
}): Comparison {
  if (large.length !== small.length) throw new Error('Each round on large data needs a round on small data.');
  const ratiosOf = (measure: (round: Round) => number | null) =>
    large.flatMap((round, index) => {
      const [largeValue, smallValue] = [measure(round), measure(small[index] as Round)];
      return largeValue === null || smallValue === null ? [] : [largeValue / smallValue];
    });
  const processorRatios = ratiosOf(processorMsOfRequest);
  return {
    large: summarize(large),
    small: summarize(small),
    ratios: {
      p50: spreadOf(ratiosOf(({ latenciesUs }) => percentile(latenciesUs, 0.5))),
      processor: processorRatios.length === 0 ? null : spreadOf(processorRatios),
    },
  };
}

function spreadOf(ratios: readonly number[]): Spread {
  return {
    median: toHundredths(median(ratios)),
    lowerQuartile: toHundredths(percentile(ratios, 0.25)),
    upperQuartile: toHundredths(percentile(ratios, 0.75)),
  };
}

/** Returns the CPU time of server and PostgreSQL for one request; null if one of them is unknown. */
function processorMsOfRequest({ processorMs: { server, postgres }, latenciesUs }: Round): number | null {
  return server === null || postgres === null ? null : (server + postgres) / latenciesUs.length;
}
