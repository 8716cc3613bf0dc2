/** What a person asked for, as the environment carries it. */
export interface GrowthOptions {
  /** Sizes, separated by commas. */
  readonly movements: string;
  readonly trackers: string;
  readonly rounds: string;
  readonly seconds: string;
}

/** What the words after `bench growth` ask for, or undefined where they are not understood. */
export declare function readGrowthOptions(parameters: readonly string[]): GrowthOptions | undefined;
