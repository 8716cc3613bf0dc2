import { setTimeout as sleep } from 'node:timers/promises';
import knexModule, { type Knex } from 'knex';
import pg from 'pg';
import { Deadlines } from './deadlines.js';
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

/** Where transactions are run. */
export interface Transactions {
  /**
   * Runs `work` in one transaction on one connection and commits, or rolls back when it throws.
   * @param options.onPosition told where the log ends once all is committed; not told where that cannot be had, which is no
   *   failure
   * @throws whatever `work` throws
   * @throws DatabaseAway when no connection could be had, or for a write only one to a PostgreSQL that takes none
   * @throws CommitOutcomeUnknown when the connection was lost while COMMIT was under way
   */
  transaction<Result>(options: TransactionOptions, work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}

/** The server's door to PostgreSQL: transactions only, because the context of row-level security ends with them. */
export interface Database extends Transactions {
  /**
   * The same door for somebody who is waiting for an answer: their transactions together take no longer than `msMax`, and what
   * is on its way then is given up, with its connection. They come one after the other, and what is done between them does
   * not count.
   */
  within(msMax: number): Transactions;
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

/** The pool of knex, as far as it is used here. */
interface Pool {
  acquireConnection(): Promise<PooledConnection>;
  releaseConnection(connection: PooledConnection): Promise<void>;
  /** None once it is closed. */
  readonly pool?: { numUsed(): number; numFree(): number; numPendingAcquires(): number };
}

/**
 * Opens a pool. No connection is made before the first transaction.
 * @param options.patience how long to wait for a connection to be made, and for one of the pool
 * @param options.elapsedMs milliseconds of a clock that nobody sets
 * @param options.onStatement told of each statement, BEGIN and COMMIT included; tests count round trips with it
 */
export function createDatabase(options: {
  connectionString: string;
  poolMax: number;
  patience?: { readonly connectMs: number; readonly acquireMs: number };
  elapsedMs?: () => number;
  onStatement?: (sql: string) => void;
}): Database {
  const { connectMs, acquireMs } = options.patience ?? { connectMs: 2_000, acquireMs: 2_000 };
  const { elapsedMs = () => performance.now() } = options;
  const knex = knexModule({
    client: 'pg',
    // Or knex asks for it on the first connection, with no limit to how long it waits; it needs it for nothing that is used here.
    version: '15',
    connection: {
      connectionString: options.connectionString,
      application_name: 'centavo-server',
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: options.poolMax, idleTimeoutMillis: 30_000 },
    acquireConnectionTimeout: acquireMs,
    // knex would print to the console, past the log and its allow-list; what fails is thrown anyway.
    log: { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} },
  });
  const client = knex.client as Pool;

  const deadlines = new Deadlines();
  const environment = { onStatement: options.onStatement, preparesStatements: true, deadlines };

  /** @throws DatabaseAway when no connection could be had within `waitMsMax` */
  async function acquire(waitMsMax: number): Promise<PooledConnection> {
    try {
      if (waitMsMax <= 0) throw new Error('There is no time left for a transaction');
      const acquiring = client.acquireConnection();
      if (waitMsMax >= acquireMs) return await acquiring;
      const connection = await Promise.race([acquiring, sleep(waitMsMax, undefined, { ref: false })]);
      if (connection !== undefined) return connection;
      acquiring.then((unwanted) => client.releaseConnection(unwanted)).catch(() => {});
      throw new Error('No connection came in the time that was left');
    } catch (error) {
      throw new DatabaseAway(error);
    }
  }

  async function release(connection: PooledConnection): Promise<void> {
    // A ROLLBACK can be cancelled like any statement: the next transaction would run inside this one.
    if (connection.getTransactionStatus() !== 'I') discard(connection, new Error('Still in a transaction'));
    if (connection.connection.stream.destroyed) discard(connection, new Error('Lost'));
    await client.releaseConnection(connection);
  }

  async function attempt<Result>(
    { readOnly, onPosition }: TransactionOptions,
    work: (tx: Transaction) => Promise<Result>,
    leftMs: (() => number) | undefined,
  ): Promise<Result> {
    const connection = await acquire(leftMs?.() ?? acquireMs);
    const tx = new Transaction({ connection, readOnly, environment, leftMs });
    let isCommitting = false;
    try {
      const result = await work(tx);
      // It would be sent, and nobody would wait for its answer: what is rolled back is known.
      if (!readOnly && leftMs !== undefined && leftMs() <= 0)
        throw new DatabaseAway(new Error('No time left to commit'));
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
        await tx.rollback().catch((failure: unknown) => discard(connection, failure));
        throw error;
      }
      // knex would hand the dead connection to the next transaction, and the next, for ever.
      discard(connection, error);
      throw isCommitting && !readOnly ? new CommitOutcomeUnknown(error) : error;
    } finally {
      tx.end();
      await release(connection);
    }
  }

  async function run<Result>(
    options: TransactionOptions,
    work: (tx: Transaction) => Promise<Result>,
    leftMs?: () => number,
  ): Promise<Result> {
    try {
      return await attempt(options, work, leftMs);
    } catch (error) {
      if (!isPreparedStatementLost(error)) throw error;
      // A pooler gives each transaction another connection, and does not carry prepared statements along.
      environment.preparesStatements = false;
      return attempt(options, work, leftMs);
    }
  }

  return {
    transaction: (options, work) => run(options, work),
    within(msMax) {
      let takenMs = 0;
      return {
        async transaction(transactionOptions, work) {
          const beganAt = elapsedMs() - takenMs;
          try {
            return await run(transactionOptions, work, () => msMax - (elapsedMs() - beganAt));
          } finally {
            takenMs = elapsedMs() - beganAt;
          }
        },
      };
    },
    poolUse() {
      // Closed, there is no pool any more.
      const { pool } = client;
      return {
        used: pool?.numUsed() ?? 0,
        idle: pool?.numFree() ?? 0,
        waiting: pool?.numPendingAcquires() ?? 0,
      };
    },
    close: () => knex.destroy(),
  };
}

/** Has the pool throw a connection away. */
function discard(connection: PooledConnection, error: unknown): void {
  connection.__knex__disposed ??= error;
  connection.connection.stream.destroy();
}
