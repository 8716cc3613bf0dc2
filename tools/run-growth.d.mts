/** The options of `bench growth`. The numbers are strings of decimal digits, because the runner passes them in environment variables. */
export interface GrowthOptions {
  /** The numbers of movements to measure, separated by commas. */
  readonly movements: string;
  /** The number of other users, each with a tracker. */
  readonly trackers: string;
  readonly rounds: string;
  /** The duration of a round. */
  readonly seconds: string;
}

/** Returns the options of `bench growth`, or undefined if they are invalid. */
export declare function readGrowthOptions(parameters: readonly string[]): GrowthOptions | undefined;
