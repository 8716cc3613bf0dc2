import { expect } from 'vitest';
import { cliProgram, repository } from './repository.js';
import { type EndedProgram, type StartedProgram, startProgram } from './start-program.js';

/** A record of the API. Other tests check its shape. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it asserts.
export type Shown = any;

/** A terminal of one user or program: the built CLI in the folder of the repository, with its own home folder. */
export interface Terminal {
  /** Runs `centavo <line>` and waits for its end. Words are separated by spaces; quotes group words. */
  run(line: string, options?: { readonly stdin?: string }): Promise<EndedProgram>;
  /** Runs `centavo <line> -o json`, which must succeed, and returns the output. */
  show(line: string, options?: { readonly stdin?: string }): Promise<Shown>;
  /** Starts `centavo <line>` without waiting for its end. */
  start(line: string, options?: { readonly stdin?: string }): StartedProgram;
}

/**
 * Opens a terminal.
 * @param options.home an empty folder, or the home of an earlier terminal of the same user
 * @param options.onStart called for each program, so that the sandbox can end those that a failed test leaves running
 */
export function openTerminal(options: {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onStart: (program: StartedProgram) => void;
}): Terminal {
  const start: Terminal['start'] = (line, input = {}) => {
    const program = startProgram({
      words: [cliProgram, ...wordsOf(line)],
      cwd: repository,
      // Tests must not use the keychain of the developer.
      env: { HOME: options.home, XDG_CONFIG_HOME: options.home, CENTAVO_SECRET_STORE: 'file', ...options.env },
      ...input,
    });
    options.onStart(program);
    return program;
  };
  return {
    start,
    run: (line, input) => start(line, input).ended,
    async show(line, input) {
      const { exitCode, stdout, stderr } = await start(`${line} -o json`, input).ended;
      expect({ line, exitCode, stderr }).toMatchObject({ exitCode: 0 });
      return JSON.parse(stdout);
    },
  };
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
