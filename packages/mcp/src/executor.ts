import type { CallContract, Scope } from '@centavo/contracts/calls';

/** A request for one operation of the API. */
export interface OperationRequest {
  readonly call: CallContract;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** A JSON object; undefined if the request has no body. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** The value of the header `X-Service-Tracker-Id`. */
  readonly trackerId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly ifMatch?: string | undefined;
}

/** The response of an operation: the parts of its envelope, or a refusal. */
export type OperationResponse =
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
  /** True if a write may have been recorded although no successful response was received. */
  readonly isOutcomeUnknown: boolean;
}

/** The error of an operation that failed or was refused. */
export interface Refusal {
  /** A code of the API's error table, or a code of this package or the executor, such as `CONFIRM_MISMATCH` or `TIMEOUT`. */
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Runs the operations of the tools for one caller. The executor of the command line sends requests to a server. The executor inside
 * the server calls the operation handler directly. In both cases the server authenticates, authorizes, rate-limits and logs each
 * operation.
 */
export interface Executor {
  execute(request: OperationRequest): Promise<OperationResponse>;
  /** Returns the scopes of the caller, or null if they cannot be read. With null, `tools/list` returns the tools of all scopes. */
  readScopes(): Promise<readonly Scope[] | null>;
}
