import { type PostgresProxy, startPostgresProxy } from './start-postgres-proxy.js';

/** A proxy in front of PostgreSQL that counts the round trips of its clients. */
export interface RoundTripCounter extends PostgresProxy {
  /** Returns the number of round trips so far, over all connections. */
  readonly count: () => number;
}

/** Starts the proxy. All bytes that a client sends before PostgreSQL responds belong to one round trip. */
export async function countRoundTrips(connectionString: string): Promise<RoundTripCounter> {
  let count = 0;
  const proxy = await startPostgresProxy({
    connectionString,
    onConnection({ client, database }) {
      let isWaiting = false;
      return {
        onClientData(bytes) {
          if (!isWaiting) count += 1;
          isWaiting = true;
          database.write(bytes);
        },
        onDatabaseData(bytes) {
          isWaiting = false;
          client.write(bytes);
        },
      };
    },
  });
  return { ...proxy, count: () => count };
}
