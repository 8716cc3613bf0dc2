import { databaseName, withOwnerConnection } from './owner-connection.js';

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
