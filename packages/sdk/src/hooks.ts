/** A request that an attempt is about to send. `Authorization`, cookies and proxy credentials are redacted; the body is omitted. */
export interface RequestEvent {
  /** The name of the operation in the contracts, such as `createMovement`; `request` if it is not in the contracts. */
  readonly call: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** 1 for the first attempt. */
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
  /** The status of the failed attempt; null if it received no complete response. */
  readonly status: number | null;
  readonly code: string | null;
  readonly idempotencyKey: string | null;
}

/** Observers of attempts. The client ignores the results and errors of hooks, so that a failing hook does not affect a write. */
export interface Hooks {
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
}
