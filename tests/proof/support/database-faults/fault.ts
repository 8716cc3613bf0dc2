import type { HostedPostgres } from './host-postgres.js';
import type { Wire } from './start-database-proxy.js';

/** A fault of PostgreSQL or of the connection to it. */
export interface Fault {
  /** Completes the sentence "While …". */
  readonly name: string;
  /** Its duration in a long run, in milliseconds; by default until all requests were sent once. */
  readonly lastsMsWhenLong?: number;
  /** Starts the fault. @returns the reason why this machine cannot inject it, if so */
  begin(place: FaultPlace): Promise<string | undefined>;
  end(place: FaultPlace): Promise<void>;
  /** Cleans up after all checks. */
  tidyUp?(place: FaultPlace): Promise<void>;
}

/** The environment of a fault: a server that reaches its PostgreSQL through a proxy. */
export interface FaultPlace {
  readonly postgres: HostedPostgres;
  readonly wire: Wire;
  readonly accountIds: readonly string[];
  /** Returns an unused path. */
  readonly newFolder: () => string;
}
