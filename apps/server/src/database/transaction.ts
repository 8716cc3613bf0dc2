import type { Socket } from 'node:net';
import type { Client } from 'pg';
import type { Statement } from './compile-statement.js';
import type { Deadlines } from './deadlines.js';
import { type Passenger, type StatementAnswer, Trip } from './trip.js';

/** A connection of the pool: the driver's, with its socket, and with the mark by which knex throws it away. */
export type PooledConnection = Client & {
  readonly connection: { readonly stream: Socket };
  __knex__disposed?: unknown;
};

/** What the transactions of one database have in common. */
export interface SharedByTransactions {
  readonly onStatement: ((sql: string) => void) | undefined;
  /** Whether a statement with a name is prepared under it, once for each connection. */
  readonly preparesStatements: boolean;
  readonly deadlines: Deadlines;
}

/**
 * How long PostgreSQL may take for what travels together, where nobody says otherwise: longer than the statement_timeout that
 * each transaction sets, because PostgreSQL should be the first to give up.
 */
const usualAnswerMsMax = 5_000;

/** What else is known of a statement when it is sent. */
export interface SendOptions {
  readonly isLastRead?: boolean;
  readonly answerMsMax?: number;
}

// Named as they are called, so that whoever looks at the wire sees them there. ROLLBACK is not prepared: it must work where
// what was prepared is lost.
const begin = { name: 'BEGIN', text: 'BEGIN' };
const beginReadOnly = { name: 'BEGIN READ ONLY', text: 'BEGIN READ ONLY' };
const commit = { name: 'COMMIT', text: 'COMMIT' };
const rollback = { text: 'ROLLBACK' };
const askPosition = { text: 'select pg_current_wal_insert_lsn() as position' };

/**
 * One transaction on one connection. What is sent in one turn of the event loop travels together, and what comes first takes
 * BEGIN along: the last read of a transaction that only reads travels with COMMIT, and so do the statements that record a
 * write. Of what travels together nothing is carried out behind a statement that failed, COMMIT neither.
 */
export class Transaction {
  readonly #connection: PooledConnection;
  readonly #shared: SharedByTransactions;
  readonly #readOnly: boolean;
  readonly #kept: (() => Promise<unknown>)[] = [];
  readonly #leftMs: (() => number) | undefined;
  #boarding: Passenger[] | undefined;
  #answerMsMax: number | undefined;
  #sent = 0;
  #isRolledBack = false;
  #isOver = false;
  #committed: Promise<StatementAnswer> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: {
    readonly connection: PooledConnection;
    readonly readOnly: boolean;
    readonly shared: SharedByTransactions;
    /** How long whoever began it still waits for answers; told nothing, as long as is usual. */
    readonly leftMs?: (() => number) | undefined;
  }) {
    this.#connection = options.connection;
    this.#shared = options.shared;
    this.#readOnly = options.readOnly;
    this.#leftMs = options.leftMs;
  }

  /** Whether a statement was sent: what is sent from now on is carried out behind it, or not at all. */
  get isUnderWay(): boolean {
    return this.#sent > 0;
  }

  /**
   * Sends a statement.
   * @param options.isLastRead where the transaction only reads, nothing comes after it and COMMIT travels with it; where it
   *   also writes this says nothing
   * @param options.answerMsMax how long to wait for the answer, where that is less than for others; the connection is then lost
   * @throws what PostgreSQL says of it, or said of an earlier one: the transaction can then only be rolled back
   */
  async send(statement: Statement, { isLastRead = false, answerMsMax }: SendOptions = {}): Promise<StatementAnswer> {
    this.#requireSound();
    // Carried out behind the ROLLBACK it would be in no transaction, and stay.
    if (this.#isRolledBack) throw transactionOver();
    if (this.#committed !== undefined) throw new Error('The last read of this transaction was sent already.');
    if (this.#sent === 0) this.#board(this.#readOnly ? beginReadOnly : begin).catch(() => {});
    const answered = this.#board(statement);
    this.#answerMsMax ??= answerMsMax;
    if (this.#readOnly && isLastRead) void this.#boardCommit();
    return answered;
  }

  /**
   * Keeps a statement for the COMMIT, to travel with it behind those that are kept already. The COMMIT fails as the first
   * of them does that fails.
   */
  sendWithCommit(statement: () => Promise<unknown>): void {
    this.#kept.push(statement);
  }

  /**
   * Commits.
   * @param options.asksPosition asks in the packet of the COMMIT where the log ends behind it
   * @returns the answer to that, which the transaction does not depend on: it may fail when all is committed
   * @throws the failure of any statement before, also of one that nobody listened to
   */
  async commit({ asksPosition = false } = {}): Promise<{ readonly position: Promise<string> | undefined }> {
    this.#requireSound();
    const kept: Promise<unknown>[] = [];
    for (const statement of this.#kept) {
      const sentBefore = this.#sent;
      const answered = statement();
      answered.catch(() => {});
      kept.push(answered);
      // One that could not be sent must fail before anything is committed.
      if (this.#sent === sentBefore) await answered;
    }
    if (this.#sent === 0) return { position: undefined };
    const committed = this.#committed ?? this.#boardCommit();
    const position = asksPosition ? this.#askPosition() : undefined;
    position?.catch(() => {});
    for (const answered of kept) await answered;
    const { command } = await committed;
    // That is how PostgreSQL answers the COMMIT of a transaction in which a statement failed on an earlier trip.
    if (command !== 'COMMIT') throw this.#failure?.error ?? new Error(`PostgreSQL answered COMMIT with ${command}`);
    return { position };
  }

  /** Rolls back what was begun. @throws what keeps the connection in the transaction: it is good for nobody any more */
  async rollback(): Promise<void> {
    this.#isRolledBack = true;
    const isOver = await this.#committed?.then(
      () => true,
      () => false,
    );
    if (this.#sent > 0 && isOver !== true) await this.#board(rollback);
  }

  /** From now on nothing is sent any more: the connection belongs to others. */
  end(): void {
    this.#isOver = true;
  }

  #boardCommit(): Promise<StatementAnswer> {
    const committed = this.#board(commit);
    committed.catch(() => {});
    this.#committed = committed;
    return committed;
  }

  /**
   * Where the log ends. What was inserted, not what was flushed: behind a COMMIT that does not wait for the disk its record is
   * in the one and not yet in the other.
   */
  async #askPosition(): Promise<string> {
    const { rows } = await this.#board(askPosition);
    return (rows[0] as { readonly position: string }).position;
  }

  /** @throws the failure of a statement, whichever */
  #requireSound(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** The statement leaves at the end of this turn, with all others that are boarded until then. */
  #board({ name, ...unnamed }: Statement): Promise<StatementAnswer> {
    const statement = name !== undefined && this.#shared.preparesStatements ? { name, ...unnamed } : unnamed;
    this.#sent += 1;
    this.#shared.onStatement?.(statement.text);
    if (this.#boarding === undefined) {
      this.#boarding = [];
      process.nextTick(() => this.#depart());
    }
    const boarding = this.#boarding;
    return new Promise((resolve, reject) => boarding.push({ statement, resolve, reject }));
  }

  #depart(): void {
    const boarded = this.#boarding ?? [];
    const answerMsMax = this.#patienceMs();
    this.#boarding = undefined;
    this.#answerMsMax = undefined;
    if (this.#isOver) {
      for (const { reject } of boarded) reject(transactionOver());
      return;
    }
    const onFailure = (error: unknown) => {
      this.#failure ??= { error };
    };
    const { deadlines } = this.#shared;
    this.#connection.query(new Trip({ passengers: boarded, onFailure, answerMsMax, deadlines }));
  }

  /** How long to wait for all that is boarded. */
  #patienceMs(): number {
    const leftMs = this.#leftMs?.();
    if (leftMs === undefined) return this.#answerMsMax ?? usualAnswerMsMax;
    return Math.min(leftMs, this.#answerMsMax ?? leftMs);
  }
}

const transactionOver = () => new Error('The transaction is over.');
