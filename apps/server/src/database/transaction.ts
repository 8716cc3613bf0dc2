import type { Socket } from 'node:net';
import type { Client, QueryResult } from 'pg';
import type { Statement } from './compile-statement.js';

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
}

/** Company that a statement may travel in. */
export interface SendOptions {
  readonly withBegin?: boolean;
  readonly isLastRead?: boolean;
  readonly answerMsMax?: number;
}

/**
 * One transaction on one connection. A statement is on its way as soon as it is sent, without waiting for the answers to
 * those before it, so that the one that enters a request travels with BEGIN, and with COMMIT those that record a write or
 * the last one that reads: two round trips less.
 */
export class Transaction {
  readonly #connection: PooledConnection;
  readonly #shared: SharedByTransactions;
  readonly #readOnly: boolean;
  readonly #begun: Promise<unknown>;
  #hasBegun = false;
  #sent = 0;
  readonly #kept: (() => Promise<unknown>)[] = [];
  #committed: Promise<QueryResult> | undefined;
  #failure: { readonly error: unknown; readonly place: number } | undefined;

  /** Begins. That this failed is told by the next statement. */
  constructor(options: {
    readonly connection: PooledConnection;
    readonly readOnly: boolean;
    readonly shared: SharedByTransactions;
  }) {
    this.#connection = options.connection;
    this.#shared = options.shared;
    this.#readOnly = options.readOnly;
    this.#writeAtOnce();
    this.#begun = this.#send({ text: options.readOnly ? 'BEGIN READ ONLY' : 'BEGIN' });
    this.#begun.then(
      () => {
        this.#hasBegun = true;
      },
      () => {},
    );
  }

  /**
   * Sends a statement.
   * @param options.withBegin does not wait for BEGIN. Where that is refused, because somebody cancelled it say, the statement
   *   is a transaction of its own: it must be one that leaves nothing behind
   * @param options.isLastRead where the transaction only reads, nothing comes after it and COMMIT travels with it; where it
   *   also writes this says nothing
   * @param options.answerMsMax how long to wait for the answer, where that is less than for others; the connection is then lost
   * @throws what PostgreSQL says of it, or said of an earlier one: the transaction can then only be rolled back
   */
  async send(statement: Statement, options: SendOptions = {}): Promise<QueryResult> {
    if (!this.#hasBegun && options.withBegin !== true) await this.#begun;
    this.#requireSound();
    if (this.#committed !== undefined) throw new Error('The last read of this transaction was sent already.');
    const endsHere = this.#readOnly && options.isLastRead === true;
    if (endsHere) this.#writeAtOnce();
    const answered = this.#send(withPatience(statement, options));
    const place = this.#sent;
    if (endsHere) void this.#sendCommit();
    const result = await answered;
    // One sent later may have failed by now, and that is for it to tell.
    this.#requireSound(place);
    return result;
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
   * @throws the failure of any statement before, also of one that nobody listened to: PostgreSQL answers the COMMIT of a
   *   failed transaction with ROLLBACK, which is no error
   */
  async commit({ asksPosition = false } = {}): Promise<{ readonly position: Promise<string> | undefined }> {
    this.#requireSound();
    this.#writeAtOnce();
    const kept: Promise<unknown>[] = [];
    for (const statement of this.#kept) {
      const sentBefore = this.#sent;
      const answered = statement();
      answered.catch(() => {});
      kept.push(answered);
      // One that could not be sent must fail before anything is committed.
      if (this.#sent === sentBefore) await answered;
    }
    const committed = this.#committed ?? this.#sendCommit();
    const position = asksPosition ? this.#askPosition() : undefined;
    position?.catch(() => {});
    for (const answered of kept) await answered;
    const { command } = await committed;
    this.#requireSound();
    if (command !== 'COMMIT') throw new Error(`PostgreSQL answered COMMIT with ${command}`);
    return { position };
  }

  /** @throws what keeps the connection in the transaction: it is good for nobody any more */
  async rollback(): Promise<void> {
    await (this.#committed ?? this.#send({ text: 'ROLLBACK' }));
  }

  #sendCommit(): Promise<QueryResult> {
    const committed = this.#send({ text: 'COMMIT' });
    committed.catch(() => {});
    this.#committed = committed;
    return committed;
  }

  /**
   * Where the log ends. What was inserted, not what was flushed: behind a COMMIT that does not wait for the disk its record is
   * in the one and not yet in the other.
   */
  async #askPosition(): Promise<string> {
    const { rows } = await this.#send({ text: 'select pg_current_wal_insert_lsn() as position' }, () => {});
    return (rows[0] as { readonly position: string }).position;
  }

  /** Makes one write, and so one packet, of all that is sent in this tick. */
  #writeAtOnce(): void {
    const { stream } = this.#connection.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  /** @throws the failure of a statement up to that place in the order of sending; unless told, of any */
  #requireSound(place = this.#sent): void {
    if (this.#failure !== undefined && this.#failure.place <= place) throw this.#failure.error;
  }

  /** @param onFailure told at once, before anybody hears of the answers that came in the same packet */
  #send(
    { name, ...statement }: Statement,
    onFailure = (error: unknown, place: number) => {
      this.#failure ??= { error, place };
    },
  ): Promise<QueryResult> {
    const prepared = name !== undefined && this.#shared.preparesStatements ? { name, ...statement } : statement;
    this.#sent += 1;
    const place = this.#sent;
    this.#shared.onStatement?.(statement.text);
    return new Promise((resolve, reject) => {
      this.#connection.query(prepared, (error: unknown, result: QueryResult) => {
        if (error === null || error === undefined) {
          resolve(result);
          return;
        }
        onFailure(error, place);
        reject(error);
      });
    });
  }
}

/** The driver's own name for how long an answer may take. */
function withPatience(
  statement: Statement,
  { answerMsMax }: SendOptions,
): Statement & { readonly query_timeout?: number } {
  return answerMsMax === undefined ? statement : { ...statement, query_timeout: answerMsMax };
}
