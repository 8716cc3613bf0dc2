import { type PostgresProxy, startPostgresProxy } from './start-postgres-proxy.js';

/**
 * The point at which the proxy cuts a connection. `before`: PostgreSQL never receives COMMIT. `after`: PostgreSQL commits, but the server
 * never receives the response. Null: no cut.
 */
export type Cut = 'before' | 'after' | null;

/** A proxy between a server and PostgreSQL. It cuts connections immediately before or after a COMMIT. */
export interface CommitCutter extends PostgresProxy {
  /** Cuts the connection at each of the next `times` COMMITs, before or after the COMMIT as `where` says. */
  cut(where: Cut, times?: number): void;
  /**
   * Calls `choose` at each later COMMIT to select the cut.
   * @param choose `transaction` contains all bytes that the server sent to PostgreSQL since BEGIN, decoded as latin1
   */
  cutBy(choose: (transaction: string) => Cut): void;
  readonly cutCount: () => number;
}

/** Starts the proxy. It forwards everything until `cut` or `cutBy` is called. */
export async function startCommitCutter(connectionString: string): Promise<CommitCutter> {
  let choose: (transaction: string) => Cut = () => null;
  let cutCount = 0;
  const proxy = await startPostgresProxy({
    connectionString,
    onConnection({ client, database }) {
      let isCutting = false;
      let transaction = '';
      return {
        onClientData(bytes) {
          if (bytes.includes('BEGIN')) transaction = '';
          transaction += bytes.toString('latin1');
          const where = bytes.includes('COMMIT') ? choose(transaction) : null;
          if (where !== null) cutCount += 1;
          if (where === 'before') {
            client.destroy();
            return;
          }
          if (where === 'after') isCutting = true;
          database.write(bytes);
        },
        onDatabaseData(bytes) {
          // PostgreSQL responds to COMMIT after it has committed. If the cut is `after`, the server never receives this response.
          if (!isCutting) client.write(bytes);
          else if (bytes.includes('COMMIT')) client.destroy();
        },
      };
    },
  });
  return {
    ...proxy,
    cut(where, times = 1) {
      let remaining = times;
      choose = () => {
        remaining -= 1;
        return remaining >= 0 ? where : null;
      };
    },
    cutBy(chosen) {
      choose = chosen;
    },
    cutCount: () => cutCount,
  };
}
