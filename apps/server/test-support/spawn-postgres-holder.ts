import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

/** A child process that holds an embedded PostgreSQL. */
export interface PostgresHolder {
  /** The first line it prints, once PostgreSQL is there. */
  started: Promise<{ connectionString: string; pid: number }>;
  /** Ends it as `kill -9` would. */
  kill(): Promise<void>;
  /** Lets it leave in order. */
  leave(): Promise<void>;
}

/**
 * Bundles the holder program once, because Node 20 does not run TypeScript.
 *
 * @returns `spawn` starts one child on a data directory; `remove` deletes the bundle.
 */
export async function preparePostgresHolder(): Promise<{
  spawn(dataDir: string): PostgresHolder;
  remove(): Promise<void>;
}> {
  // Under node_modules of this package, so that the bundle finds `pg` and PostgreSQL's programs.
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
  if (stdout === null || stdin === null) throw new Error('The holder has no pipes.');
  const lines = createInterface({ input: stdout });
  const started = Promise.race([
    once(lines, 'line').then(([line]) => JSON.parse(String(line)) as { connectionString: string; pid: number }),
    exited.then(() => Promise.reject(new Error('The holder ended before it had started PostgreSQL.'))),
  ]);
  // A test that kills it early does not wait for this.
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
