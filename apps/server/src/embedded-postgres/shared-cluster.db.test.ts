import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeDataDirectory } from '../../test-support/open-test-cluster.js';
import { type PostgresHolder, preparePostgresHolder } from '../../test-support/spawn-postgres-holder.js';
import { findRunningEmbeddedPostgres, startEmbeddedPostgres } from './index.js';
import { isProcessAlive } from './process-identity.js';

describe('startEmbeddedPostgres with several processes on one DATA_DIR', () => {
  let program: Awaited<ReturnType<typeof preparePostgresHolder>>;
  let dataDir: string;
  let removeDataDir: () => Promise<void>;
  let reported: string[];
  let holders: PostgresHolder[];

  beforeAll(async () => {
    program = await preparePostgresHolder();
  });
  afterAll(() => program.remove());
  beforeEach(async () => {
    ({ path: dataDir, remove: removeDataDir } = await makeDataDirectory());
    reported = [];
    holders = [];
  });
  afterEach(async () => {
    await Promise.all(holders.map((holder) => holder.kill()));
    // If a test left PostgreSQL running, `start` reuses it. `stop` then shuts it down, because no other process uses it.
    if ((await findRunningEmbeddedPostgres({ dataDir })) !== undefined) await (await start()).stop();
    await removeDataDir();
  });

  const start = () => startEmbeddedPostgres({ dataDir, durable: false, report: (line) => reported.push(line) });
  const spawnHolder = (): PostgresHolder => {
    const holder = program.spawn(dataDir);
    holders.push(holder);
    return holder;
  };
  const canQuery = async (connectionString: string): Promise<boolean> => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    const { rowCount } = await client.query('select 1');
    await client.end();
    return rowCount === 1;
  };

  test('reuses the PostgreSQL of a Centavo server that was killed with SIGKILL; stop() ends that PostgreSQL', async () => {
    const server = spawnHolder();
    const { pid, connectionString } = await server.started;
    await server.kill();
    expect(await isProcessAlive(pid)).toBe(true);

    const adopted = await start();
    expect(adopted).toMatchObject({ pid, connectionString, isNew: false });
    expect(reported).toEqual([`PostgreSQL was already running (process ${pid}); using it.`]);
    await adopted.stop();
    expect(await isProcessAlive(pid)).toBe(false);
  });

  test('keeps PostgreSQL running for the server when another process calls stop()', async () => {
    const { pid, connectionString } = await spawnHolder().started;
    const second = await start();
    expect(second).toMatchObject({ pid, connectionString, isNew: false });
    await second.stop();
    expect(await canQuery(connectionString)).toBe(true);
  });

  test('keeps PostgreSQL running for another process when the server shuts down', async () => {
    const server = spawnHolder();
    const { pid, connectionString } = await server.started;
    const second = await start();
    await server.leave();
    expect(await canQuery(connectionString)).toBe(true);
    await second.stop();
    expect(await isProcessAlive(pid)).toBe(false);
  });

  test('stops PostgreSQL when its only server shuts down normally', async () => {
    const server = spawnHolder();
    const { pid } = await server.started;
    await server.leave();
    expect(await isProcessAlive(pid)).toBe(false);
  });

  test('reports to each caller that PostgreSQL was killed, and starts PostgreSQL at the next call', async () => {
    const first = await start();
    const second = await start();
    process.kill(first.pid, 'SIGKILL');
    expect(await first.waitForFailure()).toContain(`process ${first.pid}`);
    expect(await second.waitForFailure()).toContain(join(dataDir, 'postgres.log'));
    await Promise.all([first.stop(), second.stop()]);

    const next = await start();
    expect(next.isNew).toBe(false);
    expect(await canQuery(next.connectionString)).toBe(true);
    await next.stop();
  });

  test('does not report a normal stop of PostgreSQL as a failure', async () => {
    const postgres = await start();
    let hasFailed = false;
    void postgres.waitForFailure().then(() => {
      hasFailed = true;
    });
    await postgres.stop();
    // PostgreSQL has already ended when this `waitForFailure` is called.
    void postgres.waitForFailure().then(() => {
      hasFailed = true;
    });
    const later = await start();
    await later.stop();
    expect(hasFailed).toBe(false);
  });

  test('starts a single PostgreSQL for three concurrent calls on an empty DATA_DIR', async () => {
    const started = await Promise.all([start(), spawnHolder().started, spawnHolder().started]);
    await started[0].stop();
    expect(new Set(started.map(({ pid }) => pid)).size).toBe(1);
    expect(new Set(started.map(({ connectionString }) => connectionString)).size).toBe(1);
  });

  test('starts PostgreSQL after an earlier start was killed in the middle of initdb', async () => {
    const server = spawnHolder();
    const isInitializing = async (): Promise<boolean> => {
      const temporary = (await readdir(dataDir)).find((name) => name.startsWith('postgres.new-'));
      if (temporary === undefined) return false;
      const files = await readdir(join(dataDir, temporary, 'data')).catch((): string[] => []);
      return files.includes('PG_VERSION');
    };
    while (!(await isInitializing())) await setImmediate();
    await server.kill();
    expect(await readdir(dataDir)).not.toContain('postgres');

    const postgres = await start();
    expect(postgres.isNew).toBe(true);
    await postgres.stop();
  });

  test('starts PostgreSQL even while the initdb of an interrupted start is still writing files', async () => {
    const temporary = join(dataDir, 'postgres.new-0badcafe', 'data');
    let isWriting = true;
    const orphan = (async () => {
      for (let file = 0; isWriting; file = (file + 1) % 50) {
        // The start may remove the directory at any moment.
        await mkdir(temporary, { recursive: true }).catch(() => undefined);
        await writeFile(join(temporary, String(file)), '').catch(() => undefined);
      }
    })();

    const postgres = await start();
    expect(postgres.isNew).toBe(true);
    await postgres.stop();
    isWriting = false;
    await orphan;
  });
});
