import { createHmac } from 'node:crypto';
import pg from 'pg';
import { ensureServingLogin } from '../database/serving-login.js';

/** The database that holds the books. */
export const databaseName = 'centavo';

/** Makes the address of the embedded PostgreSQL. It contains the password: never log it. */
export function connectionStringOf(options: { port: number; password: string }): string {
  return `postgresql://centavo:${options.password}@127.0.0.1:${options.port}/${databaseName}`;
}

const servingLogin = 'centavo_server';

/**
 * Makes the login that serves requests in the migrated database, or renews it. Its password follows from the owner's by a
 * function that cannot be reversed, so the state file holds one secret, and data of earlier versions needs no change.
 * @param options.connectionString the owner's
 * @returns its connection string, which contains the password: never log it
 */
export async function openServingLogin({ connectionString }: { connectionString: string }): Promise<string> {
  const url = new URL(connectionString);
  const password = createHmac('sha256', decodeURIComponent(url.password)).update(servingLogin).digest('base64url');
  await ensureServingLogin({ connectionString, name: servingLogin, password });
  url.username = servingLogin;
  url.password = password;
  return url.href;
}

/**
 * Runs `act` on one connection to the maintenance database, which exists before ours does.
 *
 * That it connects at all proves that this is our cluster: with SCRAM both sides show that they know the password.
 *
 * @throws whatever connecting or `act` throws, as `pg` gives it.
 */
export async function withOwnerConnection<Result>(
  address: { port: number; password: string },
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: address.port,
    user: 'centavo',
    password: address.password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5_000,
  });
  // A connection that breaks between two statements reports here; the next statement then fails with the reason.
  client.on('error', () => {});
  try {
    await client.connect();
    return await act(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Makes the database `centavo` if the cluster does not have it. Call it under the start lock.
 *
 * @returns true if it was made now.
 */
export async function ensureDatabase(address: { port: number; password: string }): Promise<boolean> {
  return withOwnerConnection(address, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (rowCount === 1) return false;
    await client.query(`create database ${databaseName}`);
    return true;
  });
}
