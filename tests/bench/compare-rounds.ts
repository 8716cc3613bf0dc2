import type { Spread } from '../../tools/render-growth.mjs';
import { type Figures, median, percentile, type Round, summarize, toHundredths } from './figures.js';

/** What a workload takes in large books, and in small ones that were measured in turns with them. */
export interface Comparison {
  readonly large: Figures;
  readonly small: Figures;
  /** What the large ones cost, where 1 is what the small ones do. */
  readonly ratios: {
    /** Of the times that half of the requests did not exceed. */
    readonly p50: Spread;
    /** Of the processor time of server and PostgreSQL for one request; null where the system does not tell. */
    readonly processor: Spread | null;
  };
}

/**
 * Holds rounds against those that took turns with them. A ratio is made of each turn, because what a machine does besides
 * changes within seconds, and falls on both of a turn.
 * @throws Error without rounds, or where not each has its other
 */
export function compareRounds({
  large,
  small,
}: {
  readonly large: readonly Round[];
  readonly small: readonly Round[];
}): Comparison {
  if (large.length !== small.length) throw new Error('Each round is held against one that took turns with it.');
  const ratiosOf = (figure: (round: Round) => number | null) =>
    large.flatMap((round, turn) => {
      const [own, other] = [figure(round), figure(small[turn] as Round)];
      return own === null || other === null ? [] : [own / other];
    });
  const costs = ratiosOf(costOf);
  return {
    large: summarize(large),
    small: summarize(small),
    ratios: {
      p50: spreadOf(ratiosOf(({ latenciesUs }) => percentile(latenciesUs, 0.5))),
      processor: costs.length === 0 ? null : spreadOf(costs),
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

function costOf({ processorMs: { server, postgres }, latenciesUs }: Round): number | null {
  return server === null || postgres === null ? null : (server + postgres) / latenciesUs.length;
}
