import type { Hooks } from './hooks.js';
import type { Clock } from './transport/clock.js';
import type { ReadPosition } from './transport/read-position.js';
import type { RetryBudget } from './transport/retry-budget.js';

/**
 * A token, or a function that returns it. The client calls the function before each attempt, so that a rotated or refreshed token takes
 * effect at once.
 */
export type TokenSource = string | (() => string | Promise<string>);

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Checks the data of a successful response. Returns a description of the fault, or undefined if the data is valid.
 * @param answer.call the name of the operation in `@centavo/contracts`, such as `listAccounts`; `request` for any other operation
 * @param answer.data the field `data` of the response body; undefined if the response has no body
 * @param answer.isDryRun whether the data is the preview of a dry run, in which each value that the write would generate is null
 */
export type CheckData = (answer: {
  readonly call: string;
  readonly data: unknown;
  readonly isDryRun: boolean;
}) => string | undefined;

export interface FinancialClientOptions {
  /** The URL of the API, with or without `/v1/financial` at its end. Default `http://127.0.0.1:8080/v1/financial`. */
  readonly baseUrl?: string | undefined;
  /**
   * The secret of an API key or integration client, or the access token of a session. Methods that register a user, log in or refresh a
   * session need no token.
   */
  readonly token?: TokenSource | undefined;
  /** The id of the tracker for all calls of the client. By default the server chooses the tracker. */
  readonly trackerId?: string | undefined;
  /** The function that sends requests. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /**
   * The time limit of a call in milliseconds. It covers all attempts, the waits between them, and the reading of the response body.
   * Default 30 000. `Infinity` means no limit.
   */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of retries of a call. Default 3. */
  readonly maxRetries?: number | undefined;
  /**
   * The longest `Retry-After`, in milliseconds, for which the client waits. If the server asks for a longer wait, the call fails at
   * once. Exception: `changes.follow` waits for `retryAfterMsMax`, plus a random time of up to 25 % of it, and retries. Default 60 000.
   */
  readonly retryAfterMsMax?: number | undefined;
  /**
   * Checks the data of each successful response of the API. If the function finds a fault, the client retries the call, except a write
   * without an idempotency key. If the client makes no further retry, the call rejects: a read or dry run with MalformedAnswerError,
   * and a write with OutcomeUnknownError, whose `cause` is the MalformedAnswerError. By default the client checks the structure of the
   * body, such as its fields `data` and `meta`, but not the records in `data`.
   */
  readonly checkData?: CheckData | undefined;
  /** Allows a `baseUrl` with `http://` for a host other than this machine. With such a URL, the client sends the token unencrypted. */
  readonly allowInsecure?: boolean | undefined;
  /** Functions that the client calls for each request, response and retry. They receive no tokens and no bodies. */
  readonly hooks?: Hooks | undefined;
  /** The name of the application, which precedes the name of the SDK in the header `User-Agent`. */
  readonly userAgent?: string | undefined;
  /** @internal Time, randomness and shared state, which tests and `forTracker` set. */
  readonly internals?: ClientInternals | undefined;
}

/** @internal */
export interface ClientInternals {
  readonly clock?: Clock | undefined;
  /** Returns a uniformly distributed number in [0, 1). */
  readonly random?: (() => number) | undefined;
  readonly createKey?: (() => string) | undefined;
  readonly retryBudget?: RetryBudget | undefined;
  readonly readPosition?: ReadPosition | undefined;
}
