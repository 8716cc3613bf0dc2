import type { CheckData, Fetch, TokenSource } from '../client-options.js';
import type { Hooks } from '../hooks.js';
import type { Clock } from './clock.js';
import type { ReadPosition } from './read-position.js';
import type { RetryBudget } from './retry-budget.js';

/** The options of a client, with defaults filled in, and the state that all calls of the client share. */
export interface Transport {
  /** The URL of the server, without `/v1/financial` and without a final slash. */
  readonly root: string;
  readonly token: TokenSource | undefined;
  readonly trackerId: string | undefined;
  readonly fetch: Fetch;
  readonly checkData: CheckData | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retryAfterMsMax: number;
  readonly userAgent: string;
  readonly hooks: Hooks;
  readonly clock: Clock;
  readonly random: () => number;
  readonly createKey: () => string;
  readonly retryBudget: RetryBudget;
  readonly readPosition: ReadPosition;
}
