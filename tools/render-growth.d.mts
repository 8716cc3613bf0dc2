import type { BenchFigures, RunContext } from './render-bench.mjs';

/** The median and the quartiles of the ratios of several rounds. */
export interface Spread {
  readonly median: number;
  readonly lowerQuartile: number;
  readonly upperQuartile: number;
}

/** The cost of requests with data of one size. */
export interface GrowthStage {
  /** The number of movements in the measured tracker at the start. */
  readonly movements: number;
  /** The number of trackers in the database, including the measured tracker. */
  readonly trackers: number;
  /** The output of `centavo-server check` before the measurement. */
  readonly books: string;
  /** The duration of this check. */
  readonly checkSeconds: number;
  readonly figures: readonly (BenchFigures & {
    readonly workload: string;
    readonly connections: number;
    /** The results with small data, measured in alternating rounds. */
    readonly small: BenchFigures;
    /** The ratios to the small data. `processor` is null if the system does not report the CPU time. */
    readonly ratios: { readonly p50: Spread; readonly processor: Spread | null };
  })[];
}

/** The results of `tests/bench/growth`. */
export interface GrowthResults {
  readonly postgres: string;
  readonly rounds: number;
  readonly secondsOfRound: number;
  /** The memory of a server before its first request. */
  readonly idleMb: number;
  /** The number of keys of each other user. */
  readonly keysPerUser: number;
  /** One tracker with increasing numbers of movements. */
  readonly depth: readonly GrowthStage[];
  /** The measured tracker alone, and then among other trackers. */
  readonly breadth: readonly GrowthStage[];
}

/** One run, as `docs/benchmarks.json` stores it under `growth`. */
export interface GrowthReport extends GrowthResults, RunContext {}

/** Renders the results of a run as a section of a page. */
export declare function renderGrowth(report: GrowthReport): string;

/**
 * Replaces the section in a page.
 * @throws Error if the page does not have the marks of the section
 */
export declare function placeGrowth(page: string, section: string): string;
