/** An attempt that is about to be sent. `Authorization`, cookies and proxy credentials are redacted; the body is not shown. */
export interface RequestEvent {
  /** The contract's name of the call, such as `createMovement`; `request` for one that the contract does not name. */
  readonly call: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly idempotencyKey: string | null;
}

/** An answer that has arrived, body included. */
export interface ResponseEvent {
  readonly call: string;
  readonly method: string;
  readonly url: string;
  readonly attempt: number;
  readonly status: number;
  readonly requestId: string | null;
  /** From sending to the answer's end. */
  readonly durationMs: number;
}

/** A further attempt that has been decided upon and will start after `delayMs`. */
export interface RetryEvent {
  readonly call: string;
  /** The attempt that failed. */
  readonly attempt: number;
  readonly delayMs: number;
  /** Status of the answer that is retried; null when none came. */
  readonly status: number | null;
  readonly code: string | null;
  readonly idempotencyKey: string | null;
}

/** Observers. What they return or throw is ignored: a line in a log never changes what becomes of a write. */
export interface Hooks {
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
}
