import pg from 'pg';
import { until } from '../../acceptance/support/until.js';

/**
 * Opens a connection as the owner of the tables. In the tests, the owner is a superuser, so row-level security does not apply to the
 * connection. Ignores a later loss of the connection.
 */
export async function connectAsOwner(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Kills one backend, so that PostgreSQL ends all other backends and recovers from its log. Returns after the recovery. */
export async function crashPostgres(connectionString: string): Promise<void> {
  const victim = await connectAsOwner(connectionString);
  const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid');
  const other = await connectAsOwner(connectionString);
  const isDisconnected = new Promise<void>((resolve) => other.once('end', resolve));
  process.kill(rows[0]?.pid as number, 'SIGKILL');
  await isDisconnected;
  await until('PostgreSQL is back', async () => {
    const next = await connectAsOwner(connectionString).catch(() => undefined);
    await next?.end();
    return next !== undefined;
  });
}
