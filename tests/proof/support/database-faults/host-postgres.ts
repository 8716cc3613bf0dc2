import { getPostgresOf } from '../../../acceptance/support/postgres-of.js';
import type { Sandbox, Server } from '../../../acceptance/support/sandbox.js';

/** A PostgreSQL that can be stopped and restarted on the same data and another port. */
export interface HostedPostgres {
  /** The connection string of the running PostgreSQL, as the owner. */
  readonly connectionString: () => string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a server on a DATA_DIR, only to run its embedded PostgreSQL. The server gets no requests. */
export async function hostPostgres(sandbox: Sandbox, dataDir: string): Promise<HostedPostgres> {
  let server: Server | undefined;
  let connectionString = '';
  async function start(): Promise<void> {
    server = await sandbox.startServer({ dataDir, env: { LOG_LEVEL: 'error' } });
    ({ connectionString } = await getPostgresOf(dataDir));
  }
  await start();
  return {
    connectionString: () => connectionString,
    start,
    async stop() {
      await server?.kill('SIGTERM');
    },
  };
}
