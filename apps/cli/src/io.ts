import { setTimeout as wait } from 'node:timers/promises';
import type { FinancialClientOptions } from '@centavo/sdk';
import type { OpenKeychain } from './config/keychain.js';
import { UsageError } from './errors.js';
import type { Prompt } from './ui/prompt.js';

/** A stream for text; a terminal also has a width. */
export interface OutputStream {
  /** Returns false if the writer has to wait for `drain` before it continues. */
  write(text: string): unknown;
  once?(event: 'drain', act: () => void): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Standard input, for secrets and files. Questions go through {@link Prompt}. */
export interface InputStream extends AsyncIterable<Buffer | string> {
  readonly isTTY?: boolean | undefined;
}

/**
 * Everything outside the program except files: streams, environment, time, randomness, network, keychain,
 * prompt and Ctrl-C. `main.ts` passes the real implementations, and tests pass their own.
 */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly clock: Clock;
  /** Returns a new UUID, for example the idempotency key of a write. */
  readonly makeId: () => string;
  readonly fetch: typeof globalThis.fetch;
  /** Time and randomness of the SDK's retries; only tests pass them. */
  readonly sdkInternals?: FinancialClientOptions['internals'];
  readonly openKeychain: OpenKeychain;
  readonly prompt: Prompt;
  /** Aborted by Ctrl-C. */
  readonly interruption: AbortSignal;
}

/** The current time and waiting. Tests pass their own clock, so that they do not really wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Resolves after `delayMs`, or at once when `signal` aborts. Never rejects. */
  waitMs(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  waitMs: (delayMs, signal) => wait(delayMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
};

/**
 * Reads a secret from standard input. Removes the newline after the secret, but no spaces.
 * @param what the word for the secret in messages, such as `password`
 * @throws UsageError (exit 2) when standard input is empty, or is a terminal, which would show the secret
 */
export async function readSecret(stdin: InputStream, what: string): Promise<string> {
  if (stdin.isTTY === true) {
    throw new UsageError(
      `Standard input is a terminal, which would show the ${what}.`,
      `Pipe the ${what} into the command.`,
    );
  }
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  const secret = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (secret === '')
    throw new UsageError(`There is no ${what} on standard input.`, 'Pipe it into the command, on one line.');
  return secret;
}

/** Returns a replacement for standard input after `--token-stdin` has read the token from it. The replacement throws when it is read. */
export function consumedStdin(): InputStream {
  const next = async () => {
    throw new UsageError(
      'Standard input has the token (--token-stdin), so the command cannot read anything else from it.',
      'Pass the token in CENTAVO_TOKEN, or read the other data from a file.',
    );
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
