import { createHmac } from 'node:crypto';
import pg from 'pg';
import { ensureServingLogin } from '../database/checks/login-roles.js';

/** The database with Centavo's tables. */
export const databaseName = 'centavo';

/** Returns the connection string of the embedded PostgreSQL. It contains the password: never log it. */
export function connectionStringOf(options: { port: number; password: string }): string {
  return `postgresql://centavo:${options.password}@127.0.0.1:${options.port}/${databaseName}`;
}

/**
 * Removes the variables of libpq, such as PGSSLMODE and PGOPTIONS, from an environment. The driver reads them, but they may be meant for
 * another PostgreSQL. For example, PGSSLMODE=require would break connections to the embedded PostgreSQL, which has no TLS. Setting
 * connection options to empty strings would not be enough: the driver ignores an empty option and uses the variable.
 */
export function removePostgresVariables(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) if (/^PG[A-Z]+(_[A-Z]+)*$/.test(name)) delete env[name];
}

/** The name of the serving login: the PostgreSQL login role that the server uses for requests. */
const servingLogin = 'centavo_server';

/**
 * Creates the serving login, or restores its privileges and its password. The database must be migrated. The login's password is derived
 * one-way from the owner's password. The state file therefore holds only one secret, and state files of earlier versions stay valid.
 * @param options.connectionString the connection string of the owner
 * @returns the connection string of the login. It contains the password: never log it
 */
export async function prepareServingLogin({ connectionString }: { connectionString: string }): Promise<string> {
  const url = new URL(connectionString);
  const password = createHmac('sha256', decodeURIComponent(url.password)).update(servingLogin).digest('base64url');
  await ensureServingLogin({ connectionString, name: servingLogin, password });
  url.username = servingLogin;
  url.password = password;
  return url.href;
}

/**
 * Runs `work` on one connection to the maintenance database `postgres`, which exists before the database `centavo`.
 *
 * A successful connection proves that this is the expected cluster: with SCRAM both sides prove that they have the password.
 *
 * @throws the error of `pg` or of `work`, unchanged.
 */
export async function withOwnerConnection<Result>(
  address: { port: number; password: string },
  work: (client: pg.Client) => Promise<Result>,
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
  // The driver emits `error` if the connection breaks between two statements. Without a listener, the event would end this process.
  // With the listener, only the next statement fails.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Creates the database `centavo` if it does not exist. The caller holds the start lock.
 *
 * @returns true if this call created it.
 */
export async function ensureDatabase(address: { port: number; password: string }): Promise<boolean> {
  return withOwnerConnection(address, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (rowCount === 1) return false;
    await client.query(`create database ${databaseName}`);
    return true;
  });
}
