import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../src/embedded-postgres/index.js';

/** A PostgreSQL cluster for tests. */
export interface TestCluster {
  connectionString: string;
  /** Stops a temporary cluster and removes its data. Does nothing to an existing cluster. */
  close(): Promise<void>;
}

const prefix = 'centavo-test-cluster-';

/** Opens the PostgreSQL cluster at `existingUrl`. If there is no URL, creates a temporary cluster without `fsync`. */
export async function openTestCluster(existingUrl: string | undefined): Promise<TestCluster> {
  if (existingUrl !== undefined && existingUrl !== '') return { connectionString: existingUrl, async close() {} };
  await removeLeftClusters();
  return openTemporaryCluster(await makeTemporaryDirectory());
}

async function makeTemporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  // If the tests run as root, PostgreSQL runs as another user, which needs the right to traverse this directory.
  if (process.getuid?.() === 0) await chmod(directory, 0o711);
  return directory;
}

async function openTemporaryCluster(dataDir: string): Promise<TestCluster> {
  const remove = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, durable: false, report: () => {} });
    return {
      connectionString: postgres.connectionString,
      async close() {
        await postgres.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Stops and removes the clusters of test runs that were killed. */
async function removeLeftClusters(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]);
    if (!(pid > 0) || isAlive(pid)) continue;
    const dataDir = join(tmpdir(), name);
    // If `postgres.json` is not readable, the cluster belongs to another user. If it is missing, PostgreSQL was never started there.
    const isOurs = await readFile(join(dataDir, 'postgres.json')).then(
      () => true,
      () => false,
    );
    if (isOurs) await openTemporaryCluster(dataDir).then((cluster) => cluster.close());
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Creates an empty temporary directory that every user may traverse. `remove` deletes it with its contents. */
export async function makeDataDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'centavo-test-'));
  await chmod(path, 0o711);
  // A child of a killed process may still write files, so the removal is retried.
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 12, retryDelay: 100 }) };
}
