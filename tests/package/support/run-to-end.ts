import { type EndedProgram, startProgram } from '../../acceptance/support/start-program.js';

/**
 * Runs a program, and requires exit code 0. It gets a home, because npx and npm keep what they fetched there.
 * @param options.program without it, the Node that runs the tests
 * @throws Error with all that it said
 */
export async function runToEnd(options: {
  readonly program?: string;
  readonly words: readonly string[];
  readonly cwd: string;
}): Promise<EndedProgram> {
  const ended = await startProgram({ ...options, env: { HOME: process.env.HOME ?? '' } }).ended;
  if (ended.exitCode === 0) return ended;
  const line = [options.program ?? 'node', ...options.words].join(' ');
  throw new Error(`${line} ended with ${ended.signal ?? ended.exitCode}:\n${ended.stdout}${ended.stderr}`);
}
