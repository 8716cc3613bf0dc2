/** The options of `bench deliveries`: strings of decimal digits, because the runner passes them in environment variables. */
export interface DeliveriesOptions {
  /** The number of events in the backlog of one endpoint. */
  readonly backlog: string;
  /** The number of writes whose deliveries are timed. */
  readonly writes: string;
  /** The number of endpoints without events. */
  readonly idle: string;
  /** The duration of the measurement of an idle server. */
  readonly seconds: string;
}

/** Returns the options of `bench deliveries`, or undefined if they are invalid. */
export declare function readDeliveriesOptions(parameters: readonly string[]): DeliveriesOptions | undefined;
