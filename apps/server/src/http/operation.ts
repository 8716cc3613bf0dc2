import type { RequestFacts } from '../auth/auth.queries.js';
import type { Access } from '../auth/authorize.js';
import type { CredentialUse, PresentedCredential } from '../auth/credentials.js';
import type { IdentityProvider } from '../auth/principal.js';
import type { Database } from '../database/pool.js';
import type { Replica } from '../database/replica.js';
import type { KeyedMutex } from '../idempotency/keyed-mutex.js';
import type { Clock } from '../idempotency/retry.js';
import type { Limiter } from '../rate-limit/limiter.js';
import type { Endpoint } from './endpoint.js';
import type { EventWaits } from './event-waits.js';
import type { Incoming } from './request.js';
import type { RequestLimit } from './request-limit.js';
import type { Validation, ValidRequest } from './validate.js';

/** The parts of the server that operations need. */
export interface OperationServer {
  readonly database: Database;
  /** A standby of the database. Reads with a position in the header `Centavo-Read-After` may run on it. */
  readonly replica: Replica | null;
  readonly identity: IdentityProvider;
  readonly limiter: Limiter;
  readonly credentialUse: CredentialUse;
  readonly keyedMutex: KeyedMutex;
  readonly clock: Clock;
  readonly eventWaits: EventWaits;
  readonly newId: () => string;
  /** The wall clock, which measures the age of one-time codes. */
  readonly now: () => Date;
  readonly stepUpMaxAgeSeconds: number;
  /** The operations for which the operator requires a recent one-time code, in addition to those that the contract names. */
  readonly stepUpCalls: ReadonlySet<string>;
  /**
   * True if Citus distributes the tables. The first statements of an endpoint (`load`) are then not sent in the batch of the authenticating
   * statement. In that batch they would read the tracker id from the transaction's context, and Citus cannot use the context to choose a
   * node. If the tables are distributed, events also get their sequence numbers in separate transactions, before the transaction of the
   * request.
   */
  readonly isSharded: boolean;
}

/** A request for one operation, as it arrived. */
export interface OperationRequest {
  readonly endpoint: Endpoint;
  readonly incoming: Incoming;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** The IP address of the client. */
  readonly address: string;
  /** Adds headers to the response, also to an error response. */
  readonly addHeaders: (headers: Readonly<Record<string, string>>) => void;
  /**
   * Calls the listener when the response is closed, for example because the client has disconnected. Calls the listener at once if the
   * response is already closed.
   */
  readonly onClose: (listener: () => void) => void;
}

/** A request whose credential was read. All attempts of its transaction share this object. */
export interface Operation {
  readonly server: OperationServer;
  readonly request: OperationRequest;
  /** The validated request, or its validation errors, which are reported only after authentication and authorization. */
  readonly validation: Validation;
  readonly credential: PresentedCredential;
  readonly limit: RequestLimit;
  /** True for a read that does not assign sequence numbers to events. Its transaction is read-only. */
  readonly readOnly: boolean;
  /** When handling began, in milliseconds of `server.clock.now()`. */
  readonly startedAt: number;
}

/** A valid request and its authorized caller. */
export interface Authorized {
  readonly access: Access;
  readonly facts: RequestFacts;
  readonly valid: ValidRequest;
  /** The promise of `load` if `load` was prefetched; otherwise undefined. */
  readonly prefetched: Promise<unknown> | undefined;
}
