/** Options of a dry run. The server runs the whole write, rolls it back and returns a {@link Preview}. */
export interface PreviewOptions extends CallOptions {
  readonly dryRun: true;
}

/** Options of one call, the last argument of each method. */
export interface CallOptions {
  /** Aborts the call: the client sends nothing more, and the promise rejects. */
  readonly signal?: AbortSignal | undefined;
  /** The time limit of the call in milliseconds. It covers all attempts, the waits between them, and the reading of the response body. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of retries. With 0, the client sends the request once. */
  readonly maxRetries?: number | undefined;
  /** Additional request headers. They cannot replace a header that the SDK sets, except for `Centavo-Read-After`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The idempotency key of a write: 1–200 printable ASCII characters without spaces at the ends. By default the SDK
   * creates a key. Set your own key, derived from the data, if another run of your program may send the same write again.
   * The client sends no key with reads, nor with writes of the resources `context`, `trackers`, `invitations`, `accounts`,
   * `credentials`, `webhooks` and `identity`.
   */
  readonly idempotencyKey?: string | undefined;
  /** The id of the tracker for this call, instead of the `trackerId` of the client. */
  readonly trackerId?: string | undefined;
}
