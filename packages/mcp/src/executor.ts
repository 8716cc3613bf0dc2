import type { CallContract, Scope } from '@centavo/contracts/calls';

/** A request for one operation of the API. */
export interface OperationRequest {
  readonly call: CallContract;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** A JSON object, or undefined for none. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** For `X-Service-Tracker-Id`. */
  readonly trackerId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly ifMatch?: string | undefined;
}

/** The answer of an operation: its envelope, or a refusal. */
export type OperationAnswer =
  | {
      readonly ok: true;
      readonly data: unknown;
      readonly meta: Readonly<Record<string, unknown>>;
      readonly etag: string | null;
    }
  | Refused;

export interface Refused {
  readonly ok: false;
  readonly error: Refusal;
  /** True if a write may have been recorded although no success was received. */
  readonly isOutcomeUnknown: boolean;
}

/** Why an operation was not carried out. */
export interface Refusal {
  /** A code of the error table of the API, or one of a tool. */
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Runs the operations of the tools as one caller. The command line sends requests, and the server calls its own handler of
 * operations: both authenticate, authorize, limit and log each operation.
 */
export interface Executor {
  execute(request: OperationRequest): Promise<OperationAnswer>;
  /** Returns the scopes of the caller; null if they cannot be read. The tools of all scopes are listed then. */
  readScopes(): Promise<readonly Scope[] | null>;
}
