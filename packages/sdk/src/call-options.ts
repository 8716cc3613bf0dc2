/** What the last argument of every method takes. Everything is optional and counts for this one call. */
export interface CallOptions {
  /** Ends the call: nothing is sent any more, and the promise rejects. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that the whole call may take: every attempt, every wait, and reading the body. */
  readonly timeoutMs?: number | undefined;
  /** How often the call may be sent again after its first attempt; 0 sends once. */
  readonly maxRetries?: number | undefined;
  /** Further request headers. Those that the SDK sets itself (authorization, key, tracker, ETag) cannot be replaced. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The key of a write, 1–200 printable ASCII characters, no spaces at its ends; made by the SDK when left out. Give your own, derived from
   * what is recorded, when the same intent may be sent again by another run of your program. Calls on which the server
   * ignores keys (reads, management, credentials, identity) do not send it.
   */
  readonly idempotencyKey?: string | undefined;
  /** Acts in this tracker instead of the client's. */
  readonly trackerId?: string | undefined;
}
