import type { FinancialClientOptions } from '@centavo/sdk';
import type { OpenKeychain } from './config/keychain.js';
import type { Prompt } from './ui/prompt.js';
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from './errors.js';

/** Text going out; a terminal also tells its width. */
export interface OutputStream {
  /** False asks the writer to wait for `drain` before it goes on. */
  write(text: string): unknown;
  once?(event: 'drain', act: () => void): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Text coming in, read whole for secrets; never for questions, which an {@link Prompt} puts. */
export interface InputStream extends AsyncIterable<Buffer | string> {
  readonly isTTY?: boolean | undefined;
}

/**
 * Everything of the world that the program touches beside the profile's files: streams, environment, time, randomness,
 * network, keychain, a person, and Ctrl-C. Tests bring their own; `main.ts` brings the real one.
 */
export interface Io {
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
  readonly prompt: Prompt;
  /** Aborted by Ctrl-C. */
  readonly interruption: AbortSignal;
}

/** Time, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Resolves after `delayMs`, or at once when `signal` aborts; it never rejects. */
  waitMs(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  waitMs: (delayMs, signal) => wait(delayMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
};

/**
 * Reads a secret that a script writes to standard input. It may begin or end with spaces; only the line's end is not
 * part of it.
 * @param what names it in messages: `password`
 * @throws UsageError (exit 2) when there is none, or standard input is a terminal, which would show it
 */
export async function readSecret(stdin: InputStream, what: string): Promise<string> {
  if (stdin.isTTY === true) {
    throw new UsageError(
      `Standard input is a terminal, which would show the ${what}.`,
      `Write the ${what} into a pipe.`,
    );
  }
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  const secret = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(`There is no ${what} on standard input.`, 'Write it there, on one line.');
  return secret;
}

/** Standard input after a token was read from it: whatever else would read it is told so. */
export function consumedStdin(): InputStream {
  return {
    // biome-ignore lint/correctness/useYield: there is nothing to yield, only somebody to tell.
    async *[Symbol.asyncIterator]() {
      throw new UsageError(
        'Standard input holds the token (--token-stdin), so nothing else can be read from it.',
        'Give the token in CENTAVO_TOKEN, or name a file.',
      );
    },
  };
}
