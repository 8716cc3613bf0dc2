/** The options of `bench deliveries`: decimal digits, for environment variables. */
export interface DeliveriesOptions {
  readonly backlog: string;
  readonly writes: string;
  readonly idle: string;
  readonly seconds: string;
}

/** Returns the options of `bench deliveries`, or undefined if they are invalid. */
export declare function readDeliveriesOptions(parameters: readonly string[]): DeliveriesOptions | undefined;
