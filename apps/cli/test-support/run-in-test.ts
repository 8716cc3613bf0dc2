import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Keychain } from '../src/config/keychain.js';
import type { Clock, Io } from '../src/io.js';
import { runCli } from '../src/run.js';

/** The result of a run of the CLI. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The questions that the CLI asked, in order. */
  readonly questions: readonly string[];
}

/** A machine that runs commands, with its own configuration directory, and a clock that advances only during waits. */
export interface TestMachine {
  readonly configHome: string;
  readonly clock: Clock & { currentMs: number };
  readonly interruption: AbortController;
  /** The secrets in the keychain. By default undefined: the machine has no keychain. */
  keychain: Map<string, string> | undefined;
  /** Returns the error of a request that is sent at `nowMs`, or undefined if the request does not fail. Tests replace this function. */
  connectionFault: (nowMs: number) => Error | undefined;
  /** Replaces a response before the machine receives it. */
  tamper: (response: Response, request: { method: string; url: URL }) => Response | Promise<Response>;
  run(args: string | readonly string[], options?: RunOptions): Promise<Outcome>;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Answers to questions, in order. If they are set, the machine has a terminal. */
  readonly answers?: readonly (string | boolean)[];
  /**
   * Returns the answer to a question. For a confirmation, the result is ignored and the answer is yes. If this function is set, the machine
   * has a terminal.
   */
  readonly answer?: (question: string) => string;
  readonly isTerminal?: boolean;
  /** The width of the terminal, in columns. */
  readonly columns?: number;
}

export const noon = Date.parse('2026-01-01T12:00:00.000Z');

/** Creates a machine without a session. Its clock starts at `noon`. Its environment has a token unless a test removes it. */
export async function createMachine(): Promise<TestMachine> {
  const configHome = await mkdtemp(join(tmpdir(), 'centavo-cli-'));
  const interruption = new AbortController();
  const clock = {
    currentMs: noon,
    nowMs: () => clock.currentMs,
    waitMs: async (delayMs: number) => {
      clock.currentMs += delayMs;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
  let ids = 0;
  const run = async (args: string | readonly string[], options: RunOptions = {}): Promise<Outcome> => {
    const out = { stdout: '', stderr: '' };
    const answers = [...(options.answers ?? [])];
    const questions: string[] = [];
    const isInteractive = options.answers !== undefined || options.answer !== undefined;
    const ask = async (question: string) => {
      questions.push(question);
      return (options.answer?.(question) ?? answers.shift()) as never;
    };
    const confirm = async (question: string) => {
      const answer: string | boolean = await ask(question);
      return options.answer === undefined ? (answer as never) : true;
    };
    const isTTY = options.isTerminal ?? isInteractive;
    const stream = (name: 'stdout' | 'stderr') => ({
      isTTY,
      columns: options.columns ?? 100,
      write: (text: string) => {
        out[name] += text;
      },
    });
    const io: Io = {
      env: { HOME: configHome, XDG_CONFIG_HOME: configHome, CENTAVO_TOKEN: 'test-token', ...options.env },
      stdin: stdinOf(options.stdin ?? ''),
      stdout: stream('stdout'),
      stderr: stream('stderr'),
      clock,
      makeId: () => {
        ids += 1;
        return `test-key-${ids}`;
      },
      fetch: async (url, init) => {
        const fault = machine.connectionFault(clock.nowMs());
        if (fault !== undefined) throw fault;
        const response = await globalThis.fetch(url, init);
        return machine.tamper(response, { method: init?.method ?? 'GET', url: new URL(String(url)) });
      },
      sdkInternals: { clock: stillSdkClock, random: () => 0 },
      openKeychain: async (account) => machine.keychain && keychainOf(machine.keychain, account),
      prompt: { isInteractive, text: ask, secret: ask, confirm },
      interruption: interruption.signal,
    };
    const list = typeof args === 'string' ? args.split(' ') : args;
    const code = await runCli(list, io);
    return { code, ...out, questions };
  };
  const machine: TestMachine = {
    configHome,
    clock,
    interruption,
    keychain: undefined,
    connectionFault: () => undefined,
    tamper: (response) => response,
    run,
  };
  return machine;
}

/** The longest time, in milliseconds, that the SDK waits between two pages of changes. Every timeout of the SDK is longer. */
const sdkPauseMsMax = 1_000;

/**
 * A clock that does not advance, for the SDK. A wait of at most a second, such as the pause between two pages of changes, ends at once. A
 * longer wait never ends, so that no request times out.
 */
const stillSdkClock = {
  nowMs: () => noon,
  elapsedMs: () => 0,
  schedule: (delayMs: number, act: () => void) => {
    if (delayMs > sdkPauseMsMax) return () => {};
    const immediate = setImmediate(act);
    return () => clearImmediate(immediate);
  },
};

function keychainOf(secrets: Map<string, string>, account: string): Keychain {
  return {
    read: async () => secrets.get(account),
    write: async (secret) => void secrets.set(account, secret),
    remove: async () => void secrets.delete(account),
  };
}

/** Returns the error that Node's `fetch` throws if no server listens. */
export function connectionRefused(): Error {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:8080'), { code: 'ECONNREFUSED' });
  return new TypeError('fetch failed', { cause });
}

async function* stdinOf(text: string): AsyncGenerator<string> {
  yield text;
}
