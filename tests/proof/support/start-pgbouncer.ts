import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { chooseFreePort } from '../../acceptance/support/choose-free-port.js';
import { until } from '../../acceptance/support/until.js';

/** A PgBouncer in transaction mode in front of a PostgreSQL. */
export interface PgBouncer {
  readonly connectionString: string;
  close(): Promise<void>;
}

const program = '/usr/sbin/pgbouncer';

/** Whether PgBouncer is installed. Proofs that need it are skipped otherwise. */
export const hasPgBouncer = spawnSync(program, ['--version']).status === 0;

/**
 * Starts PgBouncer on a free port in front of the PostgreSQL of `connectionString`, with few connections, so that its clients share
 * them. Apart from the mode, the number of connections and `server_login_retry`, all settings that affect the pool have their defaults.
 */
export async function startPgBouncer(
  connectionString: string,
  { connections }: { connections: number },
): Promise<PgBouncer> {
  const upstream = new URL(connectionString);
  const folder = await mkdtemp(join(tmpdir(), 'centavo-pgbouncer-'));
  const port = await chooseFreePort();
  const users = join(folder, 'users.txt');
  const settings = join(folder, 'pgbouncer.ini');
  const name = upstream.pathname.slice(1);
  await writeFile(users, `"${decodeURIComponent(upstream.username)}" "${decodeURIComponent(upstream.password)}"\n`);
  await writeFile(
    settings,
    [
      '[databases]',
      `${name} = host=${upstream.hostname} port=${upstream.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      `default_pool_size = ${connections}`,
      // After a crash of PostgreSQL, PgBouncer would otherwise refuse all logins for 15 seconds, longer than a server tries to start.
      'server_login_retry = 1',
      '',
    ].join('\n'),
  );
  const user = await handOver(folder, [users, settings]);
  const child = spawn(program, [...(user === null ? [] : ['-u', user]), settings], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const pooled = new URL(connectionString);
  pooled.port = port;
  try {
    await until('PgBouncer answers', () => isAnswering(pooled.href), { attemptsMax: 1_000 });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    connectionString: pooled.href,
    async close() {
      // Since version 1.23, PgBouncer waits until all clients have disconnected. Earlier versions stop immediately.
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * PgBouncer refuses to run as root. If this process runs as root, returns another user for PgBouncer, and makes that user the
 * owner of the files. Otherwise returns null.
 */
async function handOver(folder: string, files: readonly string[]): Promise<string | null> {
  for (const file of files) await chmod(file, 0o600);
  if (process.getuid?.() !== 0) return null;
  const user = 'nobody';
  const [uid, gid] = ['-u', '-g'].map((which) => Number(spawnSync('id', [which, user], { encoding: 'utf8' }).stdout));
  for (const path of [folder, ...files]) await chown(path, uid as number, gid as number);
  return user;
}

async function isAnswering(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
