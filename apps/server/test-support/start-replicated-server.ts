import { fileURLToPath } from 'node:url';
import { migrate } from '../src/database/migrate/migrate.js';
import { countRoundTrips } from './count-round-trips.js';
import { startReplicatedPostgres } from './start-replicated-postgres.js';
import { startTestServer } from './start-test-server.js';

export type ReplicatedServer = Awaited<ReturnType<typeof startReplicatedServer>>;

/**
 * Starts a server whose database has a primary and a replica. The server has one connection to the primary and one to the replica. Each
 * connection goes through a proxy that counts round trips.
 */
export async function startReplicatedServer() {
  const postgres = await startReplicatedPostgres();
  const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
  await migrate({ connectionString: postgres.primaryUrl, directory: migrations });
  const servingUrl = await postgres.prepareServingLogin();
  await postgres.catchUp();
  const toPrimary = await countRoundTrips(servingUrl);
  const toStandby = await countRoundTrips(withLoginOf(servingUrl, postgres.standbyUrl));
  const server = await startTestServer({
    env: {
      DATABASE_URL: servingUrl,
      DATABASE_REPLICA_URL: toStandby.connectionString,
      DATABASE_POOL_MAX: '1',
    },
    database: { connectionString: postgres.primaryUrl, servingUrl, drop: async () => {} },
    connectThrough: async () => toPrimary.connectionString,
  });

  async function countOutcomes(): Promise<Map<string, number>> {
    const page = await (await fetch(`${server.origin}/metrics`)).text();
    const lines = page.matchAll(/^centavo_replica_reads_total\{outcome="(\w+)"\} (\d+)$/gm);
    return new Map([...lines].map(([, outcome = '', count]) => [outcome, Number(count)]));
  }

  return {
    server,
    postgres,
    toPrimary,
    toStandby,
    /**
     * Runs `act`. Returns, for each outcome of a replica read, the number of replica reads during `act`. Reads these numbers from
     * the metrics of the server (`/metrics`).
     */
    async outcomesOf(act: () => Promise<unknown>): Promise<Record<string, number>> {
      const before = await countOutcomes();
      await act();
      const after = await countOutcomes();
      const more = [...after].map(([outcome, count]) => [outcome, count - (before.get(outcome) ?? 0)] as const);
      return Object.fromEntries(more.filter(([, count]) => count > 0));
    },
    /** Pauses the replay of the write-ahead log on the replica, runs `act`, and then waits until the replica has caught up. */
    async whileBehind<Result>(act: () => Promise<Result>): Promise<Result> {
      await postgres.pauseReplay();
      try {
        return await act();
      } finally {
        await postgres.catchUp();
      }
    },
    async close() {
      await server.close();
      await toStandby.close();
      await toPrimary.close();
      await postgres.close();
    },
  };
}

/** Returns the URL `address` with the user name and password of the URL `login`. */
function withLoginOf(login: string, address: string): string {
  const { username, password } = new URL(login);
  return Object.assign(new URL(address), { username, password }).href;
}
