import knexModule, { type Knex } from 'knex';
import pg from 'pg';
import { CommitOutcomeUnknown, DatabaseAway, isConnectionFailure, isWithoutWrites } from './postgres-errors.js';

// A date is a day, not a moment: the driver would shift it by the process's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** What queries run in. Only `*.queries.ts` and `database/` look inside. */
export type Transaction = Knex.Transaction;

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
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: options.poolMax, idleTimeoutMillis: 30_000 },
    acquireConnectionTimeout: 4_000,
    // knex would print to the console, past the log and its allow-list; what fails is thrown anyway.
    log: { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} },
  });
  (knex.client as { validateConnection: (connection: pg.Client) => boolean }).validateConnection = isOutsideTransaction;
  const { onStatement } = options;
  if (onStatement !== undefined) knex.on('query', (query: { sql: string }) => onStatement(query.sql));

  return {
    async transaction<Result>({ readOnly }: { readOnly: boolean }, work: (tx: Transaction) => Promise<Result>) {
      let isCommitting = false;
      let connection: PooledConnection | undefined;
      try {
        return await knex.transaction(
          async (tx) => {
            connection = await connectionOf(tx);
            // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, and knex takes that for success: a
            // statement whose error was swallowed must still fail the whole.
            let failure: unknown;
            tx.on('query-error', (error: unknown) => {
              failure ??= error;
            });
            const result = await work(tx);
            if (failure !== undefined) throw failure;
            isCommitting = true;
            return result;
          },
          { readOnly },
        );
      } catch (error) {
        if (connection === undefined) throw new DatabaseAway(error);
        if (!readOnly && isWithoutWrites(error)) {
          // After a failover the next connection may lead to a primary; this one never will.
          discard(connection, error);
          throw new DatabaseAway(error);
        }
        if (!isConnectionFailure(error)) throw error;
        // knex would hand the dead connection to the next transaction, and the next, for ever.
        discard(connection, error);
        throw isCommitting && !readOnly ? new CommitOutcomeUnknown(error) : error;
      }
    },
    poolUse() {
      const { pool } = knex.client as { pool: { numUsed(): number; numFree(): number; numPendingAcquires(): number } };
      return { used: pool.numUsed(), idle: pool.numFree(), waiting: pool.numPendingAcquires() };
    },
    close: () => knex.destroy(),
  };
}

/**
 * Asked by the pool before it hands a connection out. A ROLLBACK can be cancelled like any statement; knex takes the
 * connection back all the same, and whoever got it next, and next, would find itself in the transaction of another.
 */
function isOutsideTransaction(connection: pg.Client): boolean {
  return connection.getTransactionStatus() === 'I';
}

interface PooledConnection {
  __knex__disposed?: unknown;
  connection?: { stream?: { destroy(): void } };
}

function connectionOf(tx: Transaction): Promise<PooledConnection> {
  // Inside a transaction this gives its own connection and takes none from the pool.
  return (tx as unknown as { client: { acquireConnection(): Promise<PooledConnection> } }).client.acquireConnection();
}

function discard(connection: PooledConnection, error: unknown): void {
  connection.__knex__disposed = error;
  connection.connection?.stream?.destroy();
}
