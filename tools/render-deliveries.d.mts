import type { RunPlace } from './render-bench.mjs';

/** The processor time of a server without requests; null if the system does not report it. */
export interface IdleCost {
  readonly endpoints: number;
  readonly msInSecond: { readonly server: number | null; readonly postgres: number | null };
}

/** The results of `tests/bench/deliveries`. */
export interface DeliveriesResults {
  readonly postgres: string;
  /** The events of a backlog to one endpoint. */
  readonly backlog: number;
  /** The writes whose deliveries were timed. */
  readonly writes: number;
  readonly idleSeconds: number;
  readonly cases: readonly {
    readonly title: string;
    /** Those that answer. */
    readonly endpoints: number;
    /** Null if no backlog was delivered. */
    readonly perSecond: number | null;
    readonly p50Ms: number;
    readonly p99Ms: number;
  }[];
  readonly idleCosts: readonly IdleCost[];
}

/** One run, as `docs/benchmarks.json` holds it under `deliveries`. */
export interface DeliveriesReport extends DeliveriesResults, RunPlace {}

/** Renders the results of a run. */
export declare function renderDeliveries(report: DeliveriesReport): string;

/**
 * Replaces the section in a page.
 * @throws Error if the page has no place for it
 */
export declare function placeDeliveries(page: string, section: string): string;
