import knexModule, { type Knex } from 'knex';
import pg from 'pg';
import {
  CommitOutcomeUnknown,
  DatabaseAway,
  isConnectionFailure,
  isPreparedStatementLost,
  isWithoutWrites,
} from './postgres-errors.js';
import { type PooledConnection, Transaction } from './transaction.js';

// A date is a day, not a moment: the driver would shift it by the process's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** What queries run in. Only `*.queries.ts` and `database/` look inside. */
export type { Transaction } from './transaction.js';

/** The server's door to PostgreSQL: transactions only, because the context of row-level security ends with them. */
export interface Database {
  /**
   * Runs `work` in one transaction on one connection and commits, or rolls back when it throws.
   * @throws whatever `work` throws
   * @throws DatabaseAway when no connection could be had, or for a write only one to a PostgreSQL that takes none
   * @throws CommitOutcomeUnknown when the connection was lost while COMMIT was under way
   */
  transaction<Result>(options: { readOnly: boolean }, work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  poolUse(): PoolUse;
  close(): Promise<void>;
}

/** Connections in use and idle, and transactions that wait for one. */
export interface PoolUse {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/**
 * Opens a pool. No connection is made before the first transaction.
 * @param options.onStatement told of each statement, BEGIN and COMMIT included; tests count round trips with it
 */
export function createDatabase(options: {
  connectionString: string;
  poolMax: number;
  onStatement?: (sql: string) => void;
}): Database {
  const knex = knexModule({
    client: 'pg',
    connection: {
      connectionString: options.connectionString,
      application_name: 'centavo-server',
      connectionTimeoutMillis: 2_000,
      // Longer than the statement_timeout that each transaction sets: PostgreSQL should be the first to give up.
      query_timeout: 5_000,
      keepAlive: true,
      pipeline: true,
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: options.poolMax, idleTimeoutMillis: 30_000 },
    acquireConnectionTimeout: 4_000,
    // knex would print to the console, past the log and its allow-list; what fails is thrown anyway.
    log: { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} },
  });
  const client = knex.client as PoolOfKnex;

  const shared = { onStatement: options.onStatement, preparesStatements: true };

  async function attempt<Result>(readOnly: boolean, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const connection = await client.acquireConnection().catch((error: unknown) => {
      throw new DatabaseAway(error);
    });
    const tx = new Transaction({ connection, readOnly, shared });
    let isCommitting = false;
    try {
      const result = await work(tx);
      isCommitting = true;
      await tx.commit();
      return result;
    } catch (error) {
      if (!readOnly && isWithoutWrites(error)) {
        // After a failover the next connection may lead to a primary; this one never will.
        discard(connection, error);
        throw new DatabaseAway(error);
      }
      if (!isConnectionFailure(error)) {
        await tx.rollback().catch(() => {});
        throw error;
      }
      // knex would hand the dead connection to the next transaction, and the next, for ever.
      discard(connection, error);
      throw isCommitting && !readOnly ? new CommitOutcomeUnknown(error) : error;
    } finally {
      // A ROLLBACK can be cancelled like any statement, and whoever came next would be in the transaction of another.
      if (connection.getTransactionStatus() !== 'I') discard(connection, new Error('Still in a transaction'));
      await client.releaseConnection(connection);
    }
  }

  return {
    async transaction({ readOnly }, work) {
      try {
        return await attempt(readOnly, work);
      } catch (error) {
        if (!isPreparedStatementLost(error)) throw error;
        // A pooler gives each transaction another connection, and does not carry prepared statements along.
        shared.preparesStatements = false;
        return attempt(readOnly, work);
      }
    },
    poolUse() {
      const { pool } = client;
      return { used: pool.numUsed(), idle: pool.numFree(), waiting: pool.numPendingAcquires() };
    },
    close: () => knex.destroy(),
  };
}

interface PoolOfKnex {
  acquireConnection(): Promise<PooledConnection>;
  releaseConnection(connection: PooledConnection): Promise<void>;
  readonly pool: { numUsed(): number; numFree(): number; numPendingAcquires(): number };
}

function discard(connection: PooledConnection, error: unknown): void {
  connection.__knex__disposed = error;
  connection.connection.stream.destroy();
}
