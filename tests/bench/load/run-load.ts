import { fileURLToPath } from 'node:url';
import { repository } from '../../acceptance/support/repository.js';
import { startProgram } from '../../acceptance/support/start-program.js';
import type { Round } from '../figures.js';
import type { Books } from '../server/create-books.js';

const client = fileURLToPath(new URL('send-load.mjs', import.meta.url));

/**
 * Sends requests to a server from a separate process for the given time.
 * @throws Error if a response has another status than the workload expects
 */
export async function runLoad(job: {
  readonly workload: string;
  readonly origin: string;
  /** The processes whose CPU time is measured. */
  readonly pids: { readonly server: number; readonly postgres: number };
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  readonly books: Books['forClient'] & { readonly pageCursor?: string };
}): Promise<Round> {
  const stdin = JSON.stringify({ ...job, basePath: '/v1/financial' });
  const { exitCode, stdout, stderr } = await startProgram({ words: [client], cwd: repository, env: {}, stdin }).ended;
  if (exitCode !== 0) throw new Error(`The client of ${job.workload} failed:\n${stderr}`);
  const { unexpected, ...round } = JSON.parse(stdout) as Round & { unexpected: Record<string, number> };
  if (Object.keys(unexpected).length > 0) {
    throw new Error(`${job.workload} had responses with unexpected statuses: ${JSON.stringify(unexpected)}`);
  }
  return round;
}
