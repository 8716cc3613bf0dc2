import type { Socket } from 'node:net';
import type { Client } from 'pg';
import type { Deadlines } from '../optimizations/deadlines.js';
import { Batch, type StatementResult } from './batch.js';
import type { Statement } from './statement.js';

/** A client of the pool, with its socket, and with the field that makes knex discard the client. */
export type PooledConnection = Client & {
  readonly connection: { readonly stream: Socket };
  __knex__disposed?: unknown;
};

/** The settings that all transactions of one pool share. */
export interface TransactionEnvironment {
  /** Called with each statement that is sent, BEGIN and COMMIT included. */
  readonly onStatement: ((sql: string) => void) | undefined;
  /** True if named statements are prepared, once for each connection. */
  readonly preparesStatements: boolean;
  /** True if no pooler is between this process and PostgreSQL, so that all statements of a batch reach the same connection. */
  readonly connectsDirectly: boolean;
  /** The role of each new connection; undefined for the login's own role. */
  readonly initialRole: string | undefined;
  readonly deadlines: Deadlines;
}

/**
 * The default time limit of one batch. It is longer than the statement_timeout of requests (3 s), so that PostgreSQL cancels a slow
 * statement first.
 */
const batchMsMax = 5_000;

/** How a statement is sent. */
export interface SendOptions {
  /**
   * True for the last read of the transaction. If the transaction is read-only or has the option `commitsWithLastRead`, COMMIT is sent
   * together with this statement, and no statement may follow. In all other transactions, `isLastRead` has no effect.
   */
  readonly isLastRead?: boolean;
  /**
   * The time limit of the statement's batch, in milliseconds. If the transaction has less time left, that shorter time is the limit. When
   * the limit passes, the connection is destroyed.
   */
  readonly answerMsMax?: number;
  /** Called synchronously after the statement is queued. The statements that this function queues are sent in the same batch. */
  readonly afterSend?: (() => void) | undefined;
}

// ROLLBACK has no `name`, so it is never prepared: it must work even if a pooler has lost the prepared statements.
const begin = { name: 'BEGIN', text: 'BEGIN' };
const beginReadOnly = { name: 'BEGIN READ ONLY', text: 'BEGIN READ ONLY' };
// For dry runs. All reads see one snapshot, so two reads differ only by the changes that this transaction made between them.
const beginRepeatableRead = { name: 'BEGIN REPEATABLE READ', text: 'BEGIN ISOLATION LEVEL REPEATABLE READ' };
const commit = { name: 'COMMIT', text: 'COMMIT' };
const rollback = { text: 'ROLLBACK' };
const selectPosition = { text: 'select pg_current_wal_insert_lsn() as position' };

/**
 * One transaction on one connection. Statements that are sent before the next `process.nextTick` form one batch. The first batch begins
 * with BEGIN. If the transaction is read-only or has the option `commitsWithLastRead`, COMMIT is sent in the batch of the read with
 * `isLastRead`. In all other transactions, COMMIT is sent in the batch of the statements that {@link Transaction.sendWithCommit} deferred.
 * If a statement fails, PostgreSQL skips the rest of its batch, COMMIT included.
 *
 * If no pooler is between this process and PostgreSQL, a read-only transaction that fits in one batch is sent without BEGIN and COMMIT.
 * PostgreSQL runs a batch as one transaction anyway. Omitting BEGIN and COMMIT saves 12 % of the CPU time of GET /balances, and 8 % of
 * GET /movements.
 * @source PostgreSQL 18, 54.2.4 Pipelining
 */
export class Transaction {
  readonly #connection: PooledConnection;
  readonly #environment: TransactionEnvironment;
  readonly #isReadOnly: boolean;
  readonly #commitsWithLastRead: boolean;
  readonly #isDryRun: boolean;
  readonly #leftMs: (() => number) | undefined;
  readonly #deferred: (() => Promise<unknown>)[] = [];
  #batch: Batch | undefined;
  #answerMsMax: number | undefined;
  /** The number of statements that were queued, without BEGIN. */
  #sent = 0;
  #isRolledBack = false;
  #isOver = false;
  /** The result of COMMIT, or of the last read if no COMMIT is sent. Undefined until one of them is queued. */
  #committed: Promise<StatementResult> | undefined;
  #isFirstBatchSent = false;
  /** True if the transaction is a single batch that is sent without BEGIN and COMMIT. */
  #isOneBatch = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: {
    readonly connection: PooledConnection;
    readonly readOnly: boolean;
    /** True if the statement with `isLastRead` ends the transaction. It always ends a read-only transaction. */
    readonly commitsWithLastRead?: boolean | undefined;
    /** True for a dry run: all statements read one snapshot, and the caller rolls the transaction back at the end. */
    readonly dryRun?: boolean | undefined;
    readonly environment: TransactionEnvironment;
    /**
     * Returns the milliseconds that the caller still waits for results. Without this function, each batch has its own `answerMsMax` or the
     * default time limit.
     */
    readonly leftMs?: (() => number) | undefined;
  }) {
    this.#connection = options.connection;
    this.#environment = options.environment;
    this.#isReadOnly = options.readOnly;
    this.#commitsWithLastRead = options.readOnly || (options.commitsWithLastRead ?? false);
    this.#isDryRun = options.dryRun ?? false;
    this.#leftMs = options.leftMs;
  }

  /** The role with which this transaction starts; undefined for the login's own role. */
  get initialRole(): string | undefined {
    return this.#environment.initialRole;
  }

  /** True if this transaction needs no BEGIN when it fits in one batch. */
  get mayOmitBegin(): boolean {
    return this.#isReadOnly && this.#environment.connectsDirectly;
  }

  /**
   * Sends a statement and resolves with its result.
   * @throws the error that PostgreSQL reports for this or an earlier statement; the transaction can then only be rolled back
   */
  async send(
    statement: Statement,
    { isLastRead = false, answerMsMax, afterSend }: SendOptions = {},
  ): Promise<StatementResult> {
    this.#requireNoFailure();
    // After the ROLLBACK, PostgreSQL would run the statement outside any transaction and keep its effect.
    if (this.#isRolledBack) throw transactionOver();
    if (this.#committed !== undefined) throw new Error('No statement may follow the last read of this transaction.');
    const result = this.#enqueue(statement);
    this.#answerMsMax ??= answerMsMax;
    if (this.#commitsWithLastRead && isLastRead) this.#commitWith(result);
    afterSend?.();
    return result;
  }

  /**
   * Defers a statement until the commit. The commit sends the deferred statements in order, in the batch of COMMIT, and throws their first
   * error.
   * @param statement a function that calls `send` once, before its first `await`, so that the statement and COMMIT are in one batch
   */
  sendWithCommit(statement: () => Promise<unknown>): void {
    this.#deferred.push(statement);
  }

  /**
   * Sends the deferred statements now instead of with COMMIT, each after the previous one has succeeded.
   * @throws the first error
   */
  async sendDeferred(): Promise<void> {
    for (const statement of this.#deferred.splice(0)) await statement();
  }

  /**
   * Commits.
   * @param options.readsPosition true if the end position of the write-ahead log is read right after COMMIT
   * @returns the promise of that position, if it is read; this promise may be rejected although the transaction is committed
   * @throws the error of any earlier or deferred statement, even if the caller ignored its rejection
   */
  async commit({ readsPosition = false } = {}): Promise<{ readonly position: Promise<string> | undefined }> {
    this.#requireNoFailure();
    const results: Promise<unknown>[] = [];
    for (const statement of this.#deferred) {
      const sentBefore = this.#sent;
      const result = statement();
      result.catch(() => {});
      results.push(result);
      // If `statement` queued nothing, for example because a binding is missing, its error is thrown before COMMIT is queued.
      if (this.#sent === sentBefore) await result;
    }
    if (this.#sent === 0) return { position: undefined };
    const committed = this.#committed ?? this.#enqueueCommit();
    const position = readsPosition ? this.#readPosition() : undefined;
    position?.catch(() => {});
    for (const result of results) await result;
    const { command } = await committed;
    if (this.#isOneBatch) return { position };
    // PostgreSQL answers COMMIT with ROLLBACK if a statement of an earlier batch failed.
    if (command !== 'COMMIT') throw this.#failure?.error ?? new Error(`PostgreSQL answered COMMIT with ${command}`);
    return { position };
  }

  /**
   * Rolls back, unless the batch of the last read has ended the transaction.
   * @throws the error of ROLLBACK; the connection may still be in the transaction and must be discarded
   */
  async rollback(): Promise<void> {
    this.#isRolledBack = true;
    const isCommitted = await this.#committed?.then(
      () => true,
      () => false,
    );
    if (this.#sent > 0 && isCommitted !== true && !this.#isOneBatch) await this.#enqueue(rollback);
  }

  /** Rejects later statements, because the connection may then belong to another transaction. */
  end(): void {
    this.#isOver = true;
  }

  /** Commits in the batch of the last read. A transaction without BEGIN needs no COMMIT. */
  #commitWith(lastRead: Promise<StatementResult>): void {
    this.#isOneBatch = this.mayOmitBegin && !this.#isFirstBatchSent;
    if (!this.#isOneBatch) void this.#enqueueCommit();
    else {
      lastRead.catch(() => {});
      this.#committed = lastRead;
    }
  }

  #enqueueCommit(): Promise<StatementResult> {
    const committed = this.#enqueue(commit);
    committed.catch(() => {});
    this.#committed = committed;
    return committed;
  }

  /**
   * Returns the insert position of the write-ahead log. The flush position is not used: it may lie before this COMMIT, because a COMMIT
   * with `synchronous_commit = off` does not wait for the disk.
   */
  async #readPosition(): Promise<string> {
    const { rows } = await this.#enqueue(selectPosition);
    return (rows[0] as { readonly position: string }).position;
  }

  #requireNoFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Adds the statement to the batch that is sent at the next `process.nextTick`. */
  #enqueue(statement: Statement): Promise<StatementResult> {
    this.#sent += 1;
    this.#batch ??= this.#openBatch();
    return this.#batch.add(this.#toPrepared(statement));
  }

  #toPrepared(statement: Statement): Statement {
    return this.#environment.preparesStatements ? statement : { text: statement.text, values: statement.values };
  }

  #openBatch(): Batch {
    const onFailure = (error: unknown) => {
      this.#failure ??= { error };
    };
    const batch = new Batch({ deadlines: this.#environment.deadlines, onFailure });
    process.nextTick(() => {
      this.#batch = undefined;
      batch.expiresAt = performance.now() + this.#batchMsMax();
      this.#answerMsMax = undefined;
      if (this.#isOver) batch.cancel(transactionOver());
      else this.#sendBatch(batch);
    });
    return batch;
  }

  #sendBatch(batch: Batch): void {
    if (!this.#isFirstBatchSent && !this.#isOneBatch) {
      batch.prepend(this.#toPrepared(this.#begin()));
    }
    this.#isFirstBatchSent = true;
    if (this.#environment.onStatement !== undefined) batch.texts.forEach(this.#environment.onStatement);
    this.#connection.query(batch);
  }

  #begin(): Statement {
    if (this.#isReadOnly) return beginReadOnly;
    return this.#isDryRun ? beginRepeatableRead : begin;
  }

  #batchMsMax(): number {
    const leftMs = this.#leftMs?.();
    if (leftMs === undefined) return this.#answerMsMax ?? batchMsMax;
    return Math.min(leftMs, this.#answerMsMax ?? leftMs);
  }
}

const transactionOver = () => new Error('The transaction is over.');
