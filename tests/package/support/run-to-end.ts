import { type EndedProgram, startProgram } from '../../acceptance/support/start-program.js';

/**
 * Runs a program, which must exit with 0. The program gets HOME, because npx and npm have their caches there.
 * @param options.program default: the Node that runs the tests
 * @throws Error with the whole output if it fails
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
