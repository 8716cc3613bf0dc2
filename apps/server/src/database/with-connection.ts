import pg from 'pg';
import { DatabaseUnavailable } from './errors.js';

// Limits the wait for a server that accepts the connection and then sends nothing, for example because it is not PostgreSQL.
const connectMsMax = 10_000;

/**
 * Runs `work` on a separate connection outside the pool, and closes the connection. Closing rolls back an open transaction.
 * @throws DatabaseUnavailable when connecting fails; no socket stays open
 * @throws every error of `work`
 */
export async function withConnection<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectMsMax });
  // The driver emits `error` if the connection breaks between two statements. The next statement then fails with the reason.
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
