/** The options of `bench growth`: decimal digits, for environment variables. */
export interface GrowthOptions {
  /** The numbers of movements to measure, separated by commas. */
  readonly movements: string;
  readonly trackers: string;
  readonly rounds: string;
  readonly seconds: string;
}

/** Returns the options of `bench growth`, or undefined if they are invalid. */
export declare function readGrowthOptions(parameters: readonly string[]): GrowthOptions | undefined;
