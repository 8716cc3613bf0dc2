import { setTimeout as sleep } from 'node:timers/promises';
import knexModule, { type Knex } from 'knex';
import pg from 'pg';
import { Deadlines } from '../optimizations/deadlines.js';
import { inClientSpan } from '../tracing.js';
import {
  CommitOutcomeUnknown,
  DatabaseUnavailable,
  isConnectionFailure,
  isPreparedStatementLost,
  isReadOnlyServer,
} from './errors.js';
import { formatTimestamp } from './format-timestamp.js';
import { type PooledConnection, Transaction } from './transaction.js';

// A date stays a string: the driver would parse it as midnight in the process's time zone, and in UTC this time may be on another day.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, formatTimestamp);

/** Runs transactions. */
export interface Transactions {
  /**
   * Runs `work` in one transaction on one connection and commits, or rolls back when `work` throws. If a pooler has lost the prepared
   * statements, runs `work` again in a second transaction.
   * @param options.onPosition called after COMMIT with the end position of the write-ahead log; not called if it could not be read
   * @throws every error of `work`
   * @throws DatabaseUnavailable when no connection is available, no time is left, or a write reaches a read-only server; nothing was
   *   committed
   * @throws CommitOutcomeUnknown when the connection was lost during the COMMIT of a write, unless `commitsWithLastRead` is set
   */
  transaction<Result>(options: TransactionOptions, work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}

/**
 * The server's access to PostgreSQL. It offers only transactions, because the request context that row-level security checks exists only
 * inside a transaction.
 */
export interface Database extends Transactions {
  /**
   * Returns transactions that share one time limit. The limit applies to the sum of their durations, so they must run one after the
   * other. If PostgreSQL has not answered when the limit expires, the connection is destroyed.
   */
  within(msMax: number): Transactions;
  poolUse(): PoolUse;
  close(): Promise<void>;
}

interface TransactionOptions {
  readonly readOnly: boolean;
  /**
   * Sends COMMIT in the same batch as the statement with `isLastRead`, even if the transaction writes. A read-only transaction always does
   * this. A transaction that writes may then be committed although the caller gets an error. It may also take effect twice, because the
   * caller may retry it if the acknowledgement of COMMIT is lost.
   */
  readonly commitsWithLastRead?: boolean | undefined;
  /** Rolls back instead of committing. All statements read one snapshot. */
  readonly dryRun?: boolean | undefined;
  readonly onPosition?: ((position: string) => void) | undefined;
}

/** The numbers of used connections, idle connections, connections being opened, and transactions that wait for a connection. */
export interface PoolUse {
  readonly used: number;
  readonly idle: number;
  readonly opening: number;
  readonly waiting: number;
}

/** The parts of knex's pool that are used here. */
interface Pool {
  acquireConnection(): Promise<PooledConnection>;
  releaseConnection(connection: PooledConnection): Promise<void>;
  /** Undefined after the pool is closed. */
  readonly pool?: {
    numUsed(): number;
    numFree(): number;
    numPendingCreates(): number;
    numPendingAcquires(): number;
  };
}

/**
 * Opens a pool. No connection is made before the first transaction.
 * @param options.connectsDirectly true if no pooler is between this process and PostgreSQL; false by default
 * @param options.initialRole the role of each new connection; not allowed behind a pooler, which would give other clients a connection with
 *   this role
 * @param options.timeouts the maximum waits for a new connection and for a connection from the pool
 * @param options.elapsedMs a monotonic clock, in milliseconds
 * @param options.onStatement called with each statement, BEGIN and COMMIT included; for tests
 */
export function createDatabase(options: {
  connectionString: string;
  poolMax: number;
  connectsDirectly?: boolean;
  initialRole?: string;
  timeouts?: { readonly connectMs: number; readonly acquireMs: number };
  elapsedMs?: () => number;
  onStatement?: (sql: string) => void;
}): Database {
  const { connectMs, acquireMs } = options.timeouts ?? { connectMs: 2_000, acquireMs: 2_000 };
  const { elapsedMs = () => performance.now(), initialRole } = options;
  const knex = knexModule({
    client: 'pg',
    // Without this option, knex queries the version of PostgreSQL on the first connection, without a timeout. The functions of knex that
    // are used here do not need the version.
    version: '15',
    connection: {
      connectionString: options.connectionString,
      application_name: 'centavo-server',
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
    } as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max: options.poolMax,
      idleTimeoutMillis: 30_000,
      ...(initialRole === undefined ? {} : { afterCreate: setRole(initialRole) }),
    },
    acquireConnectionTimeout: acquireMs,
    // By default, knex prints its messages to the console, so they bypass the server's log, which contains only allowed fields. The
    // messages are dropped, because failures are thrown anyway.
    log: { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} },
  });
  const client = knex.client as Pool;

  // This client parses the URL as the driver does, and never connects.
  const { database, host, port } = new pg.Client({ connectionString: options.connectionString });
  const span = {
    name: `transaction ${database}`,
    attributes: {
      'db.system.name': 'postgresql',
      'db.namespace': database,
      'db.operation.name': 'transaction',
      'server.address': host,
      'server.port': port,
    },
  };

  const deadlines = new Deadlines();
  const environment = {
    onStatement: options.onStatement,
    preparesStatements: true,
    connectsDirectly: options.connectsDirectly ?? false,
    initialRole,
    deadlines,
  };

  /**
   * Leases a connection from the pool.
   * @throws DatabaseUnavailable when connecting fails, or when no connection is free within `waitMsMax` or the pool's own time limit
   */
  async function acquire(waitMsMax: number): Promise<PooledConnection> {
    try {
      if (waitMsMax <= 0) throw new Error('There is no time left for a transaction');
      const acquiring = client.acquireConnection();
      if (waitMsMax >= acquireMs) return await acquiring;
      const connection = await Promise.race([acquiring, sleep(waitMsMax, undefined, { ref: false })]);
      if (connection !== undefined) return connection;
      acquiring.then((unwanted) => client.releaseConnection(unwanted)).catch(() => {});
      throw new Error('No connection became free within the time limit');
    } catch (error) {
      throw new DatabaseUnavailable(error);
    }
  }

  async function release(connection: PooledConnection): Promise<void> {
    // PostgreSQL can cancel a ROLLBACK like any other statement. The connection is then still in this transaction, and the next
    // transaction would run inside it.
    if (connection.getTransactionStatus() !== 'I') discard(connection, new Error('Still in a transaction'));
    if (connection.connection.stream.destroyed) discard(connection, new Error('Lost'));
    await client.releaseConnection(connection);
  }

  async function attempt<Result>(
    { readOnly, commitsWithLastRead = readOnly, dryRun = false, onPosition }: TransactionOptions,
    work: (tx: Transaction) => Promise<Result>,
    leftMs: (() => number) | undefined,
  ): Promise<Result> {
    const connection = await acquire(leftMs?.() ?? acquireMs);
    const tx = new Transaction({ connection, readOnly, commitsWithLastRead, dryRun, environment, leftMs });
    let isCommitting = false;
    try {
      const result = await work(tx);
      if (dryRun) {
        await tx.rollback().catch((failure: unknown) => discard(connection, failure));
        return result;
      }
      // Without time to wait for the result of COMMIT, the outcome would be unknown. A rollback avoids this.
      if (!commitsWithLastRead && leftMs !== undefined && leftMs() <= 0)
        throw new DatabaseUnavailable(new Error('No time left to commit'));
      isCommitting = true;
      const { position } = await tx.commit({ readsPosition: onPosition !== undefined });
      // If reading the position in the write-ahead log failed, the driver may still consider the transaction open. The connection then
      // cannot be reused.
      await position?.then(onPosition, (error: unknown) => discard(connection, error));
      return result;
    } catch (error) {
      if (!readOnly && isReadOnlyServer(error)) {
        // After a failover a new connection may reach the new primary. This connection never does.
        discard(connection, error);
        throw new DatabaseUnavailable(error);
      }
      if (!isConnectionFailure(error)) {
        await tx.rollback().catch((failure: unknown) => discard(connection, failure));
        throw error;
      }
      // Without `discard`, knex would give the dead connection to later transactions.
      discard(connection, error);
      throw isCommitting && !commitsWithLastRead ? new CommitOutcomeUnknown(error) : error;
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
      // A pooler may give each transaction another connection, which may lack the prepared statements. From now on, this pool
      // prepares no statement.
      environment.preparesStatements = false;
      return attempt(options, work, leftMs);
    }
  }

  return {
    transaction: (options, work) => inClientSpan(span, () => run(options, work)),
    within(msMax) {
      let takenMs = 0;
      return {
        async transaction(transactionOptions, work) {
          const beganAt = elapsedMs() - takenMs;
          try {
            const leftMs = () => msMax - (elapsedMs() - beganAt);
            return await inClientSpan(span, () => run(transactionOptions, work, leftMs));
          } finally {
            takenMs = elapsedMs() - beganAt;
          }
        },
      };
    },
    poolUse() {
      const { pool } = client;
      return {
        used: pool?.numUsed() ?? 0,
        idle: pool?.numFree() ?? 0,
        opening: pool?.numPendingCreates() ?? 0,
        waiting: pool?.numPendingAcquires() ?? 0,
      };
    },
    close: () => knex.destroy(),
  };
}

/** Returns a function that sets the role of a new connection, before the pool leases it. */
function setRole(role: string) {
  return (connection: pg.Client, done: (error: Error | null, connection: pg.Client) => void) =>
    connection.query(`set role ${role}`, (error) => done(error, connection));
}

/** Destroys a connection and marks it, so that the pool discards it. */
function discard(connection: PooledConnection, error: unknown): void {
  connection.__knex__disposed ??= error;
  connection.connection.stream.destroy();
}
