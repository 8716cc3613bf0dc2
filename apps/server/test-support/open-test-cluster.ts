import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../src/embedded-postgres/index.js';

/** A PostgreSQL for tests. */
export interface TestCluster {
  connectionString: string;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

const prefix = 'centavo-test-cluster-';

/** Gives a PostgreSQL for tests: the one at `existingUrl`, else a new one that does without safety on disk and is removed afterwards. */
export async function openTestCluster(existingUrl: string | undefined): Promise<TestCluster> {
  if (existingUrl !== undefined && existingUrl !== '') return { connectionString: existingUrl, async close() {} };
  await removeLeftClusters();
  return openTemporaryCluster(await makeTemporaryDirectory());
}

async function makeTemporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  // As root PostgreSQL runs as another user, who has to pass through.
  if (process.getuid?.() === 0) await chmod(directory, 0o711);
  return directory;
}

async function openTemporaryCluster(dataDir: string): Promise<TestCluster> {
  const remove = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, durable: false, say: () => {} });
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

/** A test run that was killed could not stop its PostgreSQL; the next run does it. */
async function removeLeftClusters(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]);
    if (!(pid > 0) || isAlive(pid)) continue;
    const dataDir = join(tmpdir(), name);
    // Readable means that it is ours; and without this file no PostgreSQL was ever started there.
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

/** Makes an empty temporary directory that every user may pass through; `remove` deletes it with what is in it. */
export async function makeDataDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'centavo-test-'));
  await chmod(path, 0o711);
  // A child of a killed program may still be writing; removal then needs a second go.
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 12, retryDelay: 100 }) };
}
