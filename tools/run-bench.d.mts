/** The names of all workloads. */
export declare const workloadIds: readonly string[];

/** What a person asked for. */
export interface BenchWishes {
  readonly chosen: readonly string[];
  /** Digits, as the environment carries them. */
  readonly rounds: string;
  readonly seconds: string;
  readonly rows: string;
}

/** What the words after `bench` ask for, or undefined where they are not understood. */
export declare function readWishes(parameters: readonly string[]): BenchWishes | undefined;
