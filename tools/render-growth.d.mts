import type { BenchFigures, RunPlace } from './render-bench.mjs';

/** Ratios of several turns. */
export interface Spread {
  readonly median: number;
  /** Between these two lies one half of them. */
  readonly lowerQuartile: number;
  readonly upperQuartile: number;
}

/** What requests cost in books of one size. */
export interface GrowthStage {
  /** In the tracker that is asked, at the beginning. */
  readonly movements: number;
  /** In the database, that one included. */
  readonly trackers: number;
  /** What `centavo-server check` said of the books before, and how long it took. */
  readonly books: string;
  readonly checkSeconds: number;
  readonly figures: readonly (BenchFigures & {
    readonly workload: string;
    readonly connections: number;
    /** What small books took in turns with these. */
    readonly small: BenchFigures;
    /** To those, over the turns; the processor's is null where the system does not tell it. */
    readonly ratios: { readonly p50: Spread; readonly processor: Spread | null };
  })[];
}

/** What `tests/bench/growth` found. */
export interface GrowthResults {
  readonly postgres: string;
  readonly rounds: number;
  readonly secondsOfRound: number;
  /** Of a server that nobody has asked yet. */
  readonly idleMb: number;
  /** How many keys each of the other trackers has. */
  readonly keysPerUser: number;
  /** One tracker with more and more movements. */
  readonly depth: readonly GrowthStage[];
  /** One tracker alone, and among others. */
  readonly breadth: readonly GrowthStage[];
}

/** One run, as `docs/benchmarks.json` holds it under `growth`. */
export interface GrowthReport extends GrowthResults, RunPlace {}

/** Writes a run as a section for people. */
export declare function renderGrowth(report: GrowthReport): string;

/**
 * Puts the section in the place of the one that a page has.
 * @throws Error where the page has no place for it
 */
export declare function placeGrowth(page: string, section: string): string;
