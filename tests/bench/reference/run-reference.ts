import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram } from '../../acceptance/support/start-program.js';
import { parsePgbenchLog, parsePgbenchSummary } from './parse-pgbench.js';

/** The results of a round of pgbench. */
export interface ReferenceRun {
  readonly latenciesUs: readonly number[];
  readonly seconds: number;
}

/** Returns the version of pgbench, such as 15.18, or null if it is not installed. */
export function findPgbench(): string | null {
  const { status, stdout } = spawnSync('pgbench', ['--version'], { encoding: 'utf8' });
  return status === 0 ? (/\d+(\.\d+)*/.exec(stdout)?.[0] ?? 'unknown') : null;
}

/**
 * Runs `<workload>.sql` of this folder with pgbench for the given time.
 * @param run.names the values of the script's variables
 * @throws Error if a transaction failed
 */
export async function runReference(run: {
  readonly workload: string;
  readonly connectionString: string;
  readonly connections: number;
  readonly seconds: number;
  readonly names: Readonly<Record<string, string>>;
}): Promise<ReferenceRun> {
  const { hostname, port, username, password, pathname } = new URL(run.connectionString);
  const folder = await mkdtemp(join(tmpdir(), 'centavo-bench-'));
  try {
    const script = fileURLToPath(new URL(`${run.workload}.sql`, import.meta.url));
    const { exitCode, stdout, stderr } = await startProgram({
      program: 'pgbench',
      words: [
        ...['--host', hostname, '--port', port, '--username', username, '--no-vacuum', '--protocol', 'prepared'],
        ...['--client', String(run.connections), '--jobs', '1', '--time', String(run.seconds), '--file', script],
        ...['--log', '--log-prefix', join(folder, 'log')],
        ...Object.entries(run.names).flatMap(([name, value]) => ['--define', `${name}=${value}`]),
        pathname.slice(1),
      ],
      cwd: folder,
      env: { PGPASSWORD: decodeURIComponent(password) },
    }).ended;
    if (exitCode !== 0) throw new Error(`The reference of ${run.workload} failed:\n${stdout}${stderr}`);
    const { perSecond, failed } = parsePgbenchSummary(stdout);
    if (failed > 0) throw new Error(`The reference of ${run.workload} had transactions that failed:\n${stdout}`);
    const latenciesUs: number[] = [];
    for (const file of await readdir(folder)) {
      for (const latency of parsePgbenchLog(await readFile(join(folder, file), 'utf8'))) latenciesUs.push(latency);
    }
    return { latenciesUs, seconds: latenciesUs.length / perSecond };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
