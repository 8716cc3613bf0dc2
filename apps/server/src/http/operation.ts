import type { EnteredFacts } from '../access/access.queries.js';
import type { Presented } from '../access/authenticate.js';
import type { CredentialUse } from '../access/credential-use.js';
import type { Access } from '../access/decide-access.js';
import type { IdentityProvider } from '../access/identity-provider.js';
import type { Database } from '../database/database.js';
import type { Replica } from '../database/open-replica.js';
import type { Limiter } from '../limits/create-limiter.js';
import type { Pace } from '../writes/repeat-until-decided.js';
import type { SingleFlight } from '../writes/single-flight.js';
import type { Endpoint } from './endpoint.js';
import type { Incoming } from './read-incoming.js';
import type { RequestLimit } from './request-limit.js';
import type { Validation, ValidRequest } from './validate-request.js';

/** The parts of the server that operations need. */
export interface OperationServer {
  readonly database: Database;
  /** A standby of the database, for reads that allow it. */
  readonly replica: Replica | null;
  readonly identity: IdentityProvider;
  readonly limiter: Limiter;
  readonly credentialUse: CredentialUse;
  readonly singleFlight: SingleFlight;
  readonly pace: Pace;
  readonly newId: () => string;
  /** The clock for sessions and one-time codes. */
  readonly now: () => Date;
  readonly stepUpMaxAgeSeconds: number;
  /** The operations that need a recent one-time code by the operator's choice, in addition to those of the contract. */
  readonly stepUpCalls: ReadonlySet<string>;
  /**
   * Whether an endpoint's first statement may be sent together with the one that authenticates. It then reads the tracker from
   * the transaction's context, by which Citus cannot choose a machine.
   */
  readonly canPrefetch: boolean;
}

/** A request for one operation, as it arrived. */
export interface OperationRequest {
  readonly endpoint: Endpoint;
  readonly incoming: Incoming;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** The IP address of the client. */
  readonly address: string;
  /** Adds headers to the response, whatever it will be. */
  readonly announce: (headers: Readonly<Record<string, string>>) => void;
}

/** A request whose credential was read, on its way through all attempts of its transaction. */
export interface Operation {
  readonly server: OperationServer;
  readonly request: OperationRequest;
  /** The validation errors are reported only after authentication and authorization. */
  readonly validation: Validation;
  readonly credential: Presented;
  readonly limit: RequestLimit;
  /** When its handling began, by the clock of `server.pace`. */
  readonly startedAt: number;
}

/** A valid request whose caller may make it. */
export interface Authorized {
  readonly access: Access;
  readonly facts: EnteredFacts;
  readonly valid: ValidRequest;
  /** The result of the endpoint's load if that was prefetched. */
  readonly prefetched: (() => Promise<unknown> | undefined) | undefined;
}
