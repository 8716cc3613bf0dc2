import pg from 'pg';
import { DatabaseUnavailable } from './errors.js';

// The limit for a server that accepts the connection and then sends nothing: it is not a PostgreSQL.
const connectMsMax = 10_000;

/**
 * Runs `work` on a connection of its own, outside the pool, and closes the connection. Closing rolls back an open transaction.
 * @throws DatabaseUnavailable when connecting fails; nothing stays open
 * @throws every error of `work`
 */
export async function withConnection<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectMsMax });
  // A connection that breaks between two statements reports here; the next statement then fails with the reason.
  client.on('error', () => {});
  try {
    await client.connect().catch((cause: unknown) => {
      throw new DatabaseUnavailable(cause);
    });
    return await work(client);
  } finally {
    // After a failed connect the driver leaves the socket open, which would keep the process alive.
    await client.end().catch(() => {});
  }
}
