import type { Hooks } from './hooks.js';
import type { Clock } from './transport/clock.js';
import type { ReadPosition } from './transport/read-position.js';
import type { RetryBudget } from './transport/retry-budget.js';

/** A token, or a function that is asked for one before every attempt, so that a rotated or refreshed one is used at once. */
export type TokenSource = string | (() => string | Promise<string>);

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Returns what is wrong with the data of a success, or undefined if nothing is.
 * @param answer.call the operation's name in the contracts, `listAccounts`; `request` for one that they do not name
 * @param answer.data of the envelope; undefined for an answer without a body
 */
export type CheckData = (answer: { readonly call: string; readonly data: unknown }) => string | undefined;

export interface FinancialClientOptions {
  /** Where the API is, with or without `/v1/financial` at its end. Default `http://127.0.0.1:8080/v1/financial`. */
  readonly baseUrl?: string | undefined;
  /** An API key or a session's access token; may be left out for the calls that log in. */
  readonly token?: TokenSource | undefined;
  /** The tracker to act in; left out, the server resolves one. */
  readonly trackerId?: string | undefined;
  /** The network. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Milliseconds that a whole call may take, retries, waits and body included. Default 30 000; `Infinity` sets no limit. */
  readonly timeoutMs?: number | undefined;
  /** How often a call may be sent again. Default 3. */
  readonly maxRetries?: number | undefined;
  /** The longest `Retry-After` that is waited for; beyond it the call fails at once. Default 60 000. */
  readonly retryAfterMsMax?: number | undefined;
  /**
   * Checks the data of every success before it is returned. Data that it finds a fault in is a MalformedAnswerError, or for
   * a write an OutcomeUnknownError with that cause. Left out, only the envelope is checked.
   */
  readonly checkData?: CheckData | undefined;
  /** Allows `http://` to a host that is not this machine. The token then travels in the clear. */
  readonly allowInsecure?: boolean | undefined;
  /** Observers of every attempt; they see no token and no body. */
  readonly hooks?: Hooks | undefined;
  /** Put in front of the SDK's own name in `User-Agent`. */
  readonly userAgent?: string | undefined;
  /** @internal Time, chance and shared state, given by tests and by `forTracker`. */
  readonly internals?: ClientInternals | undefined;
}

/** @internal */
export interface ClientInternals {
  readonly clock?: Clock | undefined;
  /** Uniform in [0, 1). */
  readonly random?: (() => number) | undefined;
  readonly createKey?: (() => string) | undefined;
  readonly retryBudget?: RetryBudget | undefined;
  readonly readPosition?: ReadPosition | undefined;
}
