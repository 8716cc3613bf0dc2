import type { RunContext } from './render-bench.mjs';

/** The CPU time of an idle server and its PostgreSQL, in milliseconds per second; null if the system does not report it. */
export interface IdleCost {
  /** The number of endpoints without events. */
  readonly endpoints: number;
  readonly msInSecond: { readonly server: number | null; readonly postgres: number | null };
}

/** The results of `tests/bench/deliveries`. */
export interface DeliveriesResults {
  readonly postgres: string;
  /** The number of events in the backlog of one endpoint. */
  readonly backlog: number;
  /** The number of writes whose deliveries were timed. */
  readonly writes: number;
  readonly idleSeconds: number;
  readonly cases: readonly {
    readonly title: string;
    /** The number of endpoints that respond. */
    readonly endpoints: number;
    /** Null if no backlog was delivered. */
    readonly perSecond: number | null;
    readonly p50Ms: number;
    readonly p99Ms: number;
  }[];
  readonly idleCosts: readonly IdleCost[];
}

/** One run, as `docs/benchmarks.json` stores it under `deliveries`. */
export interface DeliveriesReport extends DeliveriesResults, RunContext {}

/** Renders the results of a run. */
export declare function renderDeliveries(report: DeliveriesReport): string;

/**
 * Replaces the section in a page.
 * @throws Error if the page does not have the marks of the section
 */
export declare function placeDeliveries(page: string, section: string): string;
