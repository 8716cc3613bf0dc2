/** The names of all workloads. */
export declare const workloadIds: readonly string[];

/** The options of `bench`. The numbers are strings of decimal digits, because the runner passes them in environment variables. */
export interface BenchOptions {
  /** The chosen workloads; empty for all. */
  readonly workloads: readonly string[];
  readonly rounds: string;
  /** The duration of a round. */
  readonly seconds: string;
  /** The number of rows of the CSV file that the CLI imports. */
  readonly rows: string;
}

/** Returns the options of `bench`, or undefined if they are invalid. */
export declare function readBenchOptions(parameters: readonly string[]): BenchOptions | undefined;
