import pg from 'pg';

/** The database that holds the books. */
export const databaseName = 'centavo';

/** Makes the address of the embedded PostgreSQL. It contains the password: never log it. */
export function connectionStringOf(options: { port: number; password: string }): string {
  return `postgresql://centavo:${options.password}@127.0.0.1:${options.port}/${databaseName}`;
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
