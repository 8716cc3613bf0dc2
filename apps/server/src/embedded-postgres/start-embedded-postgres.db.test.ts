import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeDataDirectory } from '../../test-support/open-test-cluster.js';
import { findRunningEmbeddedPostgres, startEmbeddedPostgres } from './index.js';
import { isProcessAlive } from './process-identity.js';

const isRoot = process.getuid?.() === 0;
const hasBatchScheduling = process.platform === 'linux' && spawnSync('chrt', ['--version']).status === 0;
if (!hasBatchScheduling)
  process.stderr.write('chrt is not installed: the scheduling policy of PostgreSQL is not tested.\n');

describe('the embedded PostgreSQL', () => {
  let dataDir: string;
  let removeDataDir: () => Promise<void>;
  let reported: string[];

  beforeEach(async () => {
    ({ path: dataDir, remove: removeDataDir } = await makeDataDirectory());
    reported = [];
  });
  afterEach(async () => {
    await removeDataDir();
  });

  const start = () => startEmbeddedPostgres({ dataDir, durable: false, report: (line) => reported.push(line) });
  const queryOne = async (connectionString: string, sql: string): Promise<unknown> => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      return Object.values((await client.query(sql)).rows[0] ?? {})[0];
    } finally {
      await client.end();
    }
  };

  test('creates a UTF-8 database on 127.0.0.1, and stores its password in a file that only the owner can read', async () => {
    const postgres = await start();
    try {
      expect(postgres.isNew).toBe(true);
      expect(postgres.directory).toBe(join(dataDir, 'postgres'));
      expect(await queryOne(postgres.connectionString, 'show listen_addresses')).toBe('127.0.0.1');
      expect(await queryOne(postgres.connectionString, 'show server_encoding')).toBe('UTF8');
      expect(await queryOne(postgres.connectionString, 'select current_database()')).toBe('centavo');
      expect(await queryOne(postgres.connectionString, 'show timezone')).toBe('UTC');
      const sql = 'select datlocale from pg_database where datname = current_database()';
      expect(await queryOne(postgres.connectionString, sql)).toBe('C.UTF-8');
      for (const name of ['postgres.json', 'postgres.log']) {
        expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
      }
      expect(reported.join('\n')).not.toContain(new URL(postgres.connectionString).password);
    } finally {
      await postgres.stop();
    }
    expect(await isProcessAlive(postgres.pid)).toBe(false);
  });

  test.skipIf(!hasBatchScheduling)(
    'runs under the batch scheduling policy of Linux, so that it does not preempt the Centavo server',
    async () => {
      const postgres = await start();
      try {
        // Field 41 is the scheduling policy; 3 is SCHED_BATCH. Source: proc(5), sched(7)
        const sql = "select split_part(pg_read_file('/proc/self/stat'), ' ', 41)";
        expect(await queryOne(postgres.connectionString, sql)).toBe('3');
      } finally {
        await postgres.stop();
      }
    },
  );

  test('rejects a wrong password', async () => {
    const postgres = await start();
    try {
      const url = new URL(postgres.connectionString);
      url.password = 'wrong';
      await expect(queryOne(url.href, 'select 1')).rejects.toThrow('password authentication failed');
    } finally {
      await postgres.stop();
    }
  });

  test('logs no data of a failed statement', async () => {
    const postgres = await start();
    try {
      await expect(queryOne(postgres.connectionString, "select 'amount 12345.67'::int")).rejects.toThrow(
        'invalid input',
      );
    } finally {
      await postgres.stop();
    }
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('12345.67');
  });

  // @proves contract 10: The environment variables
  test('keeps the data across a restart, and reports isNew as false at the second start', async () => {
    const first = await start();
    await queryOne(first.connectionString, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await start();
    try {
      expect(second.isNew).toBe(false);
      expect(await queryOne(second.connectionString, 'select answer from kept')).toBe(42);
    } finally {
      await second.stop();
    }
  });

  test('is found by findRunningEmbeddedPostgres only while it runs', async () => {
    expect(await findRunningEmbeddedPostgres({ dataDir })).toBeUndefined();
    const postgres = await start();
    try {
      expect(await findRunningEmbeddedPostgres({ dataDir })).toBe(postgres.connectionString);
    } finally {
      await postgres.stop();
    }
    expect(await findRunningEmbeddedPostgres({ dataDir })).toBeUndefined();
  });

  test('removes libpq variables such as PGOPTIONS from the environment, because they are meant for another PostgreSQL', async () => {
    const variables = {
      PGSSLMODE: 'require',
      PGSSLNEGOTIATION: 'direct',
      PGOPTIONS: '-c no.such=1 --bad',
      PGTZ: 'nowhere',
    };
    Object.assign(process.env, variables);
    const postgres = await start();
    try {
      expect(await queryOne(postgres.connectionString, 'select 42')).toBe(42);
      Object.assign(process.env, variables);
      expect(await findRunningEmbeddedPostgres({ dataDir })).toBe(postgres.connectionString);
      for (const name of Object.keys(variables)) expect(process.env).not.toHaveProperty(name);
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
      await postgres.stop();
    }
  });

  test('can be stopped more than once', async () => {
    const postgres = await start();
    await Promise.all([postgres.stop(), postgres.stop()]);
    await postgres.stop();
    expect(await isProcessAlive(postgres.pid)).toBe(false);
  });

  test('starts despite a postmaster.pid left by a crash, even if its process ID now belongs to another process', async () => {
    const first = await start();
    await first.stop();
    // Process IDs of Linux are less than 2 ** 22.
    const unusedPid = 2 ** 22 + 1;
    for (const pid of [process.pid, unusedPid]) {
      await writeFile(
        join(first.directory, 'postmaster.pid'),
        `${pid}\n${first.directory}\n1700000000\n5432\n\n127.0.0.1\n`,
      );
      const next = await start();
      expect(next.isNew).toBe(false);
      await next.stop();
    }
  });

  test('refuses to start if the data is missing, instead of creating an empty database', async () => {
    const postgres = await start();
    await postgres.stop();
    await rm(postgres.directory, { recursive: true });
    await expect(start()).rejects.toThrow(/is missing. Mount or restore it/);
  });

  test('refuses to start if the state file, which has the password, is missing; the error names the file', async () => {
    const postgres = await start();
    await postgres.stop();
    await rm(join(dataDir, 'postgres.json'));
    await expect(start()).rejects.toThrow(join(dataDir, 'postgres.json'));
  });

  test('reports why PostgreSQL cannot start, and leaves no process running', async () => {
    const postgres = await start();
    await postgres.stop();
    await writeFile(join(postgres.directory, 'PG_VERSION'), '9\n');
    await expect(start()).rejects.toThrow(/not compatible with this version|database files are incompatible/);
    expect(await findRunningEmbeddedPostgres({ dataDir })).toBeUndefined();
  });

  test.skipIf(!isRoot)(
    'stores the data under /var/lib/centavo and reports the path if root starts it with a DATA_DIR below a private directory',
    async () => {
      await chmod(dataDir, 0o700);
      dataDir = join(dataDir, 'data');
      await mkdir(dataDir);
      const first = await start();
      try {
        expect(first.directory).toMatch(/^\/var\/lib\/centavo\/[0-9a-f]{16}-[0-9a-f]{8}$/);
        expect(reported.join('\n')).toContain(first.directory);
        await queryOne(first.connectionString, 'create table kept as select 42 as answer');
        await first.stop();
        reported = [];
        const second = await start();
        expect(second.directory).toBe(first.directory);
        expect(reported).toEqual([`The data of ${dataDir} is in ${first.directory}.`]);
        expect(await queryOne(second.connectionString, 'select answer from kept')).toBe(42);
        await second.stop();
      } finally {
        await rm(first.directory, { recursive: true, force: true });
      }
    },
  );
});
