import type { HostedPostgres } from './host-postgres.js';
import type { Wire } from './start-wire.js';

/** What PostgreSQL, or the way to it, can suffer from. */
export interface Fault {
  /** Completes the sentence "While …". */
  readonly name: string;
  /** How long it lasts in a long run; without it, until everybody has asked once. */
  readonly lastsMsWhenLong?: number;
  /** Lets it begin. @returns why it cannot be had here, if so */
  begin(place: FaultPlace): Promise<string | undefined>;
  end(place: FaultPlace): Promise<void>;
  /** Puts away what it left behind, once everything has been looked at. */
  tidyUp?(place: FaultPlace): Promise<void>;
}

/** Where it strikes: a server reaches its PostgreSQL by the wire. */
export interface FaultPlace {
  readonly postgres: HostedPostgres;
  readonly wire: Wire;
  readonly accountIds: readonly string[];
  /** A path where nothing is yet. */
  readonly newFolder: () => string;
}
