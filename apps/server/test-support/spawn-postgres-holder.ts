import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

/** A child process that runs an embedded PostgreSQL. */
export interface PostgresHolder {
  /** Resolves to the connection details that the child prints when PostgreSQL accepts connections. */
  started: Promise<{ connectionString: string; pid: number }>;
  /** Kills the child with SIGKILL. */
  kill(): Promise<void>;
  /** Ends the input of the child, so that it stops PostgreSQL and exits. */
  leave(): Promise<void>;
}

/**
 * Bundles the child's program once, because Node 20 does not run TypeScript.
 * @returns `spawn` starts one child on a data directory; `remove` deletes the bundle
 */
export async function preparePostgresHolder(): Promise<{
  spawn(dataDir: string): PostgresHolder;
  remove(): Promise<void>;
}> {
  // The bundle is under node_modules of this package, so that it resolves `pg` and PostgreSQL's binaries.
  const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
  await mkdir(cache, { recursive: true });
  const outDir = await mkdtemp(join(cache, 'postgres-holder-'));
  const entry = fileURLToPath(new URL('./embedded-postgres-holder.ts', import.meta.url));
  await build({
    entry: [entry],
    outDir,
    format: ['esm'],
    target: 'node20',
    config: false,
    silent: true,
    outExtension: () => ({ js: '.mjs' }),
  });
  return {
    spawn: (dataDir) =>
      holderOf(
        spawn(process.execPath, [join(outDir, 'embedded-postgres-holder.mjs'), dataDir], {
          stdio: ['pipe', 'pipe', 'inherit'],
        }),
      ),
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}

function holderOf(child: ChildProcess): PostgresHolder {
  const exited = once(child, 'exit');
  const { stdout, stdin } = child;
  if (stdout === null || stdin === null) throw new Error('The child process has no pipes.');
  const lines = createInterface({ input: stdout });
  const started = Promise.race([
    once(lines, 'line').then(([line]) => JSON.parse(String(line)) as { connectionString: string; pid: number }),
    exited.then(() => Promise.reject(new Error('The child process exited before PostgreSQL had started.'))),
  ]);
  // A test that kills the child early does not await this promise. The handler prevents an unhandled rejection.
  started.catch(() => {});
  return {
    started,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async leave() {
      stdin.end();
      await exited;
    },
  };
}
