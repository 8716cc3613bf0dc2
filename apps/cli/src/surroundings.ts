import type { FinancialClientOptions } from '@centavo/sdk';
import type { Clock } from './clock.js';
import type { OpenKeychain } from './config/keychain.js';
import type { Asker } from './ui/prompt.js';

/** Text going out; a terminal also tells its width. */
export interface OutputStream {
  /** False asks the writer to wait for `drain` before it goes on. */
  write(text: string): unknown;
  once?(event: 'drain', act: () => void): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Text coming in, read whole for secrets; never for questions, which an {@link Asker} puts. */
export interface InputStream extends AsyncIterable<Buffer | string> {
  readonly isTTY?: boolean | undefined;
}

/**
 * Everything of the world that the program touches beside the profile's files: streams, environment, time, randomness,
 * network, keychain, a person, and Ctrl-C. Tests bring their own; `main.ts` brings the real one.
 */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly clock: Clock;
  /** A fresh UUID; the idempotency key of a write is made here, before anything is sent. */
  readonly makeId: () => string;
  readonly fetch: typeof globalThis.fetch;
  /** Time and chance of the SDK's own retries, which tests decide; left out, the machine's. */
  readonly sdkInternals?: FinancialClientOptions['internals'];
  readonly openKeychain: OpenKeychain;
  readonly asker: Asker;
  /** Aborted by Ctrl-C. */
  readonly interruption: AbortSignal;
}
