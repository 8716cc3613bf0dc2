import { expect } from 'vitest';
import { cliProgram, repository } from './repository.js';
import { type EndedProgram, type StartedProgram, startProgram } from './start-program.js';

/** What the tests know of a record of the API; its shape is the contract's affair. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it asserts.
export type Shown = any;

/** One person's or program's terminal: the built CLI, in the repository's folder, with a home of its own. */
export interface Terminal {
  /** Runs `centavo <line>` to its end. Words are split at spaces; quotes keep them together. */
  run(line: string, options?: { readonly stdin?: string }): Promise<EndedProgram>;
  /** Runs `centavo <line> -o json`, which must succeed, and gives what it shows. */
  show(line: string, options?: { readonly stdin?: string }): Promise<Shown>;
  /** Starts `centavo <line>` without waiting for its end. */
  start(line: string, options?: { readonly stdin?: string }): StartedProgram;
}

/**
 * Opens a terminal.
 * @param options.home an empty folder, or that of an earlier terminal of the same person
 * @param options.onStart told of each program, to end those that a failed test leaves behind
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
      // The keychain of whoever runs the tests is not theirs.
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
