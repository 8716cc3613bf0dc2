import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** How a program ended, and all that it said. */
export interface EndedProgram {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program under way. */
export interface StartedProgram {
  readonly pid: number;
  readonly ended: Promise<EndedProgram>;
  /** What it has said on stdout so far. */
  readonly output: string;
  /** Resolves once stdout matches; rejects, with everything it said, if it ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends the signal and resolves once the program has ended. */
  kill(signal: NodeJS.Signals): Promise<EndedProgram>;
}

/** Starts a program of Node with an environment that inherits nothing but PATH, so that a test says all that matters. */
export function startProgram(options: {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** `/bin/sh` and the like; without it, the Node that runs the tests. */
  readonly program?: string;
  readonly stdin?: string;
}): StartedProgram {
  const child = spawn(options.program ?? process.execPath, options.words, {
    cwd: options.cwd,
    env: { PATH: process.env.PATH ?? '', ...options.env },
    stdio: 'pipe',
  });
  // A program that does not read its input, or was killed, closes the pipe; that is not the test's affair.
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  const ended = endOf(child, said);
  // Whoever only sends a signal does not wait for this.
  ended.catch(() => {});

  return {
    pid: child.pid ?? 0,
    ended,
    get output() {
      return said.stdout;
    },
    async says(pattern) {
      let listen = () => {};
      const matched = new Promise<RegExpExecArray>((resolve) => {
        listen = () => {
          const match = pattern.exec(said.stdout);
          if (match !== null) resolve(match);
        };
        listen();
        child.stdout.on('data', listen);
      });
      const endedBefore = ended.then(({ exitCode, signal, stdout, stderr }) => {
        throw new Error(`It ended with ${signal ?? exitCode} and never said ${pattern}:\n${stdout}${stderr}`);
      });
      return Promise.race([matched, endedBefore]).finally(() => child.stdout.off('data', listen));
    },
    async kill(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

async function endOf(child: ChildProcess, said: { stdout: string; stderr: string }): Promise<EndedProgram> {
  // `close` rather than `exit`: only then has everything it said arrived.
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { exitCode, signal, ...said };
}
