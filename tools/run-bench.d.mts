/** The names of all workloads. */
export declare const workloadIds: readonly string[];

/** The options of `bench`. */
export interface BenchOptions {
  /** The chosen workloads; empty for all. */
  readonly workloads: readonly string[];
  /** Decimal digits, for an environment variable. */
  readonly rounds: string;
  readonly seconds: string;
  readonly rows: string;
}

/** Returns the options of `bench`, or undefined if they are invalid. */
export declare function readBenchOptions(parameters: readonly string[]): BenchOptions | undefined;
