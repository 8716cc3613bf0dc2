import knexModule, { type Knex } from 'knex';
import pg from 'pg';
import {
  CommitOutcomeUnknown,
  DatabaseAway,
  isConnectionFailure,
  isPreparedStatementLost,
  isWithoutWrites,
} from './postgres-errors.js';
import { toMoment } from './to-moment.js';
import { type PooledConnection, Transaction } from './transaction.js';

// A date is a day, not a moment: the driver would shift it by the process's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, toMoment);

/** What queries run in. Only `*.queries.ts` and `database/` look inside. */
export type { Transaction } from './transaction.js';

/** The server's door to PostgreSQL: transactions only, because the context of row-level security ends with them. */
export interface Database {
  /**
   * Runs `work` in one transaction on one connection and commits, or rolls back when it throws.
   * @param options.onPosition told where the log ends once all is committed; not told where that cannot be had, which is no
   *   failure
   * @throws whatever `work` throws
   * @throws DatabaseAway when no connection could be had, or for a write only one to a PostgreSQL that takes none
   * @throws CommitOutcomeUnknown when the connection was lost while COMMIT was under way
   */
  transaction<Result>(options: TransactionOptions, work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  poolUse(): PoolUse;
  close(): Promise<void>;
}

interface TransactionOptions {
  readonly readOnly: boolean;
  readonly onPosition?: ((position: string) => void) | undefined;
}

/** Connections in use and idle, and transactions that wait for one. */
export interface PoolUse {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/**
 * Opens a pool. No connection is made before the first transaction.
 * @param options.patience how long to wait for a connection to be made, and for one of the pool
 * @param options.onStatement told of each statement, BEGIN and COMMIT included; tests count round trips with it
 */
export function createDatabase(options: {
  connectionString: string;
  poolMax: number;
  patience?: { readonly connectMs: number; readonly acquireMs: number };
  onStatement?: (sql: string) => void;
}): Database {
  const { connectMs, acquireMs } = options.patience ?? { connectMs: 2_000, acquireMs: 4_000 };
  const knex = knexModule({
    client: 'pg',
    connection: {
      connectionString: options.connectionString,
      application_name: 'centavo-server',
      connectionTimeoutMillis: connectMs,
      // Longer than the statement_timeout that each transaction sets: PostgreSQL should be the first to give up.
      query_timeout: 5_000,
      keepAlive: true,
      pipeline: true,
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: options.poolMax, idleTimeoutMillis: 30_000 },
    acquireConnectionTimeout: acquireMs,
    // knex would print to the console, past the log and its allow-list; what fails is thrown anyway.
    log: { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} },
  });
  const client = knex.client as PoolOfKnex;

  const shared = { onStatement: options.onStatement, preparesStatements: true };

  async function attempt<Result>(
    { readOnly, onPosition }: TransactionOptions,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const connection = await client.acquireConnection().catch((error: unknown) => {
      throw new DatabaseAway(error);
    });
    const tx = new Transaction({ connection, readOnly, shared });
    let isCommitting = false;
    try {
      const result = await work(tx);
      isCommitting = true;
      const { position } = await tx.commit({ asksPosition: onPosition !== undefined });
      // Refused or lost: that the connection is out of the transaction may not have been told yet, and nobody waits for it.
      await position?.then(onPosition, (error: unknown) => discard(connection, error));
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
    async transaction(options, work) {
      try {
        return await attempt(options, work);
      } catch (error) {
        if (!isPreparedStatementLost(error)) throw error;
        // A pooler gives each transaction another connection, and does not carry prepared statements along.
        shared.preparesStatements = false;
        return attempt(options, work);
      }
    },
    poolUse() {
      // Closed, there is no pool any more.
      const { pool } = client;
      return { used: pool?.numUsed() ?? 0, idle: pool?.numFree() ?? 0, waiting: pool?.numPendingAcquires() ?? 0 };
    },
    close: () => knex.destroy(),
  };
}

interface PoolOfKnex {
  acquireConnection(): Promise<PooledConnection>;
  releaseConnection(connection: PooledConnection): Promise<void>;
  readonly pool?: { numUsed(): number; numFree(): number; numPendingAcquires(): number };
}

function discard(connection: PooledConnection, error: unknown): void {
  connection.__knex__disposed = error;
  connection.connection.stream.destroy();
}
