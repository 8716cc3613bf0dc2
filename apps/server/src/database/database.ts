import knexModule, { type Knex } from 'knex';
import pg from 'pg';
import { Deadlines } from './deadlines.js';
import { discard, RideLost } from './line.js';
import { Lines, type Pool } from './lines.js';
import {
  CommitOutcomeUnknown,
  DatabaseAway,
  isConnectionFailure,
  isOfOthersInFront,
  isPreparedStatementLost,
  isWithoutWrites,
} from './postgres-errors.js';
import { toMoment } from './to-moment.js';
import { Transaction } from './transaction.js';
import { Turns } from './turns.js';

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

/** Who has waited so long for a turn waits for one that waits, and takes another connection. */
const turnMsMax = 25;

/** Who lost so many places behind others takes a connection to itself. */
const ridesMax = 2;

/** Connections in use and idle, and transactions that wait for one. */
export interface PoolUse {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/**
 * Opens a pool. No connection is made before the first transaction.
 * @param options.usualMax so many connections suffice to keep PostgreSQL's processors busy; more are used while some of them
 *   wait for something else, and reads share theirs; unless told nobody waits for a turn, and nobody shares
 * @param options.patience how long to wait for a connection to be made, and for one of the pool
 * @param options.elapsedMs milliseconds of a clock that nobody sets
 * @param options.onStatement told of each statement, BEGIN and COMMIT included; tests count round trips with it
 */
export function createDatabase(options: {
  connectionString: string;
  poolMax: number;
  usualMax?: number;
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
      pipeline: true,
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: options.poolMax, idleTimeoutMillis: 30_000 },
    acquireConnectionTimeout: acquireMs,
    // knex would print to the console, past the log and its allow-list; what fails is thrown anyway.
    log: { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} },
  });
  const client = knex.client as Pool;

  const deadlines = new Deadlines();
  const shared = { onStatement: options.onStatement, preparesStatements: true, deadlines };
  const turns = new Turns({ atOnce: options.usualMax ?? Number.POSITIVE_INFINITY, patienceMs: turnMsMax });
  const sharesLines = options.usualMax !== undefined;
  const lines = new Lines({ pool: client, turns, deadlines, acquireMs, sharesLines });

  async function attempt<Result>(
    { readOnly, onPosition }: TransactionOptions,
    work: (tx: Transaction) => Promise<Result>,
    { leftMs, mayRide }: { readonly leftMs: (() => number) | undefined; readonly mayRide: boolean },
  ): Promise<Result> {
    const seat = await lines.board({ mayRide: readOnly && mayRide, leftMs });
    const { connection } = seat;
    const tx = new Transaction({ seat, readOnly, shared, leftMs });
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
      if (error instanceof RideLost) throw error;
      // Nobody rides who writes.
      if (seat.isRide && readOnly && tx.hasFailed && isOfOthersInFront(error)) {
        discard(connection, error);
        throw new RideLost(error);
      }
      if (!readOnly && isWithoutWrites(error)) {
        // After a failover the next connection may lead to a primary; this one never will.
        discard(connection, error);
        throw new DatabaseAway(error);
      }
      // An error of the work's own may look like one of the connection, which others are on.
      if (!isConnectionFailure(error) || (seat.isRide && !tx.hasFailed)) {
        await tx.rollback().catch((failure: unknown) => discard(connection, failure));
        throw error;
      }
      // knex would hand the dead connection to the next transaction, and the next, for ever.
      discard(connection, error);
      throw isCommitting && !readOnly ? new CommitOutcomeUnknown(error) : error;
    } finally {
      tx.end();
      await seat.leave();
    }
  }

  async function run<Result>(
    options: TransactionOptions,
    work: (tx: Transaction) => Promise<Result>,
    leftMs?: () => number,
    ridesLeft = ridesMax,
  ): Promise<Result> {
    try {
      return await attempt(options, work, { leftMs, mayRide: ridesLeft > 0 });
    } catch (error) {
      if (error instanceof RideLost) return run(options, work, leftMs, ridesLeft - 1);
      if (!isPreparedStatementLost(error)) throw error;
      // A pooler gives each transaction another connection, and does not carry prepared statements along.
      shared.preparesStatements = false;
      return attempt(options, work, { leftMs, mayRide: false });
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
        waiting: turns.waiting + (pool?.numPendingAcquires() ?? 0),
      };
    },
    close: () => knex.destroy(),
  };
}
