import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The exit code or signal of a program, and its output. */
export interface EndedProgram {
  /** Null if a signal ended the program. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program. */
export interface StartedProgram {
  readonly pid: number;
  readonly ended: Promise<EndedProgram>;
  /** The stdout of the program so far. */
  readonly output: string;
  /** Resolves when stdout matches. Rejects with the whole output if the program ends before that. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends the signal, and resolves when the program has ended. */
  kill(signal: NodeJS.Signals): Promise<EndedProgram>;
}

/** Starts a program, by default with Node. Its environment inherits only PATH, so that the test sets everything else. */
export function startProgram(options: {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A program such as `/bin/sh`; by default the Node that runs the tests. */
  readonly program?: string;
  readonly stdin?: string;
}): StartedProgram {
  const child = spawn(options.program ?? process.execPath, options.words, {
    cwd: options.cwd,
    env: { PATH: process.env.PATH ?? '', ...options.env },
    stdio: 'pipe',
  });
  // A program that does not read its input, or was killed, closes the pipe. The test must not fail for this.
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const ended = endOf(child, output);
  // A test that only sends a signal does not wait for this promise, so its rejection must not fail the run.
  ended.catch(() => {});

  return {
    pid: child.pid ?? 0,
    ended,
    get output() {
      return output.stdout;
    },
    async prints(pattern) {
      let listen = () => {};
      const matched = new Promise<RegExpExecArray>((resolve) => {
        listen = () => {
          const match = pattern.exec(output.stdout);
          if (match !== null) resolve(match);
        };
        listen();
        child.stdout.on('data', listen);
      });
      const endedEarly = ended.then(({ exitCode, signal, stdout, stderr }) => {
        throw new Error(
          `The program ended with ${signal ?? exitCode} and never printed ${pattern}:\n${stdout}${stderr}`,
        );
      });
      return Promise.race([matched, endedEarly]).finally(() => child.stdout.off('data', listen));
    },
    async kill(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

async function endOf(child: ChildProcess, output: { stdout: string; stderr: string }): Promise<EndedProgram> {
  // Waits for `close` instead of `exit`, because a part of the output may arrive after `exit`.
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { exitCode, signal, ...output };
}
