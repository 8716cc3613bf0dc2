import type { HostedPostgres } from './host-postgres.js';
import type { DatabaseProxy } from './start-database-proxy.js';

/** A fault of PostgreSQL or of the connection to it. */
export interface Fault {
  /** Completes the sentence "While …". */
  readonly name: string;
  /** The duration of the fault in a long run, in milliseconds; by default, the fault ends when all requests were sent once. */
  readonly lastsMsWhenLong?: number;
  /** Starts the fault. @returns the reason if this machine cannot inject it, otherwise undefined */
  begin(environment: FaultEnvironment): Promise<string | undefined>;
  end(environment: FaultEnvironment): Promise<void>;
  /** Cleans up after all checks. */
  cleanUp?(environment: FaultEnvironment): Promise<void>;
}

/** The environment of a fault: a server that reaches its PostgreSQL through a proxy. */
export interface FaultEnvironment {
  readonly postgres: HostedPostgres;
  readonly proxy: DatabaseProxy;
  readonly accountIds: readonly string[];
  /** Returns an unused path. */
  readonly newFolder: () => string;
}
