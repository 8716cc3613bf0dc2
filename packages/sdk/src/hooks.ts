/** A request that the client is about to send. `Authorization`, cookies and proxy credentials are redacted; the body is omitted. */
export interface RequestEvent {
  /** The name of the operation in `@centavo/contracts`, such as `createMovement`; `request` if the operation is not in that package. */
  readonly call: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The number of this attempt; 1 for the first attempt. */
  readonly attempt: number;
  readonly idempotencyKey: string | null;
}

/** A response whose body has been read. */
export interface ResponseEvent {
  readonly call: string;
  readonly method: string;
  readonly url: string;
  readonly attempt: number;
  readonly status: number;
  readonly requestId: string | null;
  /** Milliseconds from sending the request to the end of the response. */
  readonly durationMs: number;
}

/** A retry that starts after `delayMs` milliseconds. */
export interface RetryEvent {
  readonly call: string;
  /** The attempt that failed. */
  readonly attempt: number;
  readonly delayMs: number;
  /** The status of the response to the failed attempt; null if no complete response arrived. */
  readonly status: number | null;
  readonly code: string | null;
  readonly idempotencyKey: string | null;
}

/**
 * Functions that the client calls before each request, after each response and before the wait for each retry. The client ignores their
 * results and errors, so that a failing hook does not affect the call.
 */
export interface Hooks {
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
}
