import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeDataDirectory } from '../../test-support/open-test-cluster.js';
import { type PostgresHolder, preparePostgresHolder } from '../../test-support/spawn-postgres-holder.js';
import { findRunningEmbeddedPostgres, startEmbeddedPostgres } from './index.js';
import { isProcessAlive } from './process-identity.js';

describe('an embedded PostgreSQL with several processes on one DATA_DIR', () => {
  let program: Awaited<ReturnType<typeof preparePostgresHolder>>;
  let dataDir: string;
  let removeDataDir: () => Promise<void>;
  let said: string[];
  let holders: PostgresHolder[];

  beforeAll(async () => {
    program = await preparePostgresHolder();
  });
  afterAll(() => program.remove());
  beforeEach(async () => {
    ({ path: dataDir, remove: removeDataDir } = await makeDataDirectory());
    said = [];
    holders = [];
  });
  afterEach(async () => {
    await Promise.all(holders.map((holder) => holder.kill()));
    // Whatever a test left running, the last one to leave stops.
    if ((await findRunningEmbeddedPostgres({ dataDir })) !== undefined) await (await start()).stop();
    await removeDataDir();
  });

  const start = () => startEmbeddedPostgres({ dataDir, durable: false, say: (line) => said.push(line) });
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

  test('after kill -9 of the server its PostgreSQL is adopted, and stopped by who adopted it', async () => {
    const server = spawnHolder();
    const { pid, connectionString } = await server.started;
    await server.kill();
    expect(await isProcessAlive(pid)).toBe(true);

    const adopted = await start();
    expect(adopted).toMatchObject({ pid, connectionString, isNew: false });
    expect(said).toEqual([`PostgreSQL was already running (process ${pid}); using it.`]);
    await adopted.stop();
    expect(await isProcessAlive(pid)).toBe(false);
  });

  test('a guest that leaves does not stop the PostgreSQL of the server', async () => {
    const { pid, connectionString } = await spawnHolder().started;
    const guest = await start();
    expect(guest).toMatchObject({ pid, connectionString, isNew: false });
    await guest.stop();
    expect(await canQuery(connectionString)).toBe(true);
  });

  test('a server that leaves does not take PostgreSQL away from its guest, who stops it at last', async () => {
    const server = spawnHolder();
    const { pid, connectionString } = await server.started;
    const guest = await start();
    await server.leave();
    expect(await canQuery(connectionString)).toBe(true);
    await guest.stop();
    expect(await isProcessAlive(pid)).toBe(false);
  });

  test('a server that leaves in order stops its PostgreSQL', async () => {
    const server = spawnHolder();
    const { pid } = await server.started;
    await server.leave();
    expect(await isProcessAlive(pid)).toBe(false);
  });

  test('a PostgreSQL that somebody kills is told lost to who started it and to who joined, and starts again', async () => {
    const first = await start();
    const guest = await start();
    process.kill(first.pid, 'SIGKILL');
    expect(await first.untilLost()).toContain(`process ${first.pid}`);
    expect(await guest.untilLost()).toContain(join(dataDir, 'postgres.log'));
    await Promise.all([first.stop(), guest.stop()]);

    const next = await start();
    expect(next.isNew).toBe(false);
    expect(await canQuery(next.connectionString)).toBe(true);
    await next.stop();
  });

  test('a PostgreSQL that was stopped in order is never told lost', async () => {
    const postgres = await start();
    let isLost = false;
    void postgres.untilLost().then(() => {
      isLost = true;
    });
    await postgres.stop();
    // Who looks only now finds no process at all.
    void postgres.untilLost().then(() => {
      isLost = true;
    });
    const later = await start();
    await later.stop();
    expect(isLost).toBe(false);
  });

  test('simultaneous cold starts end up with one PostgreSQL', async () => {
    const started = await Promise.all([start(), spawnHolder().started, spawnHolder().started]);
    await started[0].stop();
    expect(new Set(started.map(({ pid }) => pid)).size).toBe(1);
    expect(new Set(started.map(({ connectionString }) => connectionString)).size).toBe(1);
  });

  test('a kill -9 in the middle of initdb leaves a DATA_DIR that starts', async () => {
    const server = spawnHolder();
    const isInitializing = async (): Promise<boolean> => {
      const draft = (await readdir(dataDir)).find((name) => name.startsWith('postgres.new-'));
      if (draft === undefined) return false;
      const files = await readdir(join(dataDir, draft, 'data')).catch((): string[] => []);
      return files.includes('PG_VERSION');
    };
    while (!(await isInitializing())) await setImmediate();
    await server.kill();
    expect(await readdir(dataDir)).not.toContain('postgres');

    const postgres = await start();
    expect(postgres.isNew).toBe(true);
    await postgres.stop();
  });

  test('an interrupted attempt whose initdb still writes does not stop a new start', async () => {
    const draft = join(dataDir, 'postgres.new-0badcafe', 'data');
    let isWriting = true;
    const orphan = (async () => {
      for (let file = 0; isWriting; file = (file + 1) % 50) {
        // Its folder may vanish under its hands at any moment.
        await mkdir(draft, { recursive: true }).catch(() => undefined);
        await writeFile(join(draft, String(file)), '').catch(() => undefined);
      }
    })();

    const postgres = await start();
    expect(postgres.isNew).toBe(true);
    await postgres.stop();
    isWriting = false;
    await orphan;
  });
});
