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

/**
 * One transaction on one connection. A statement is on its way as soon as it is sent, without waiting for the answers to
 * those before it, so that the one that enters a request travels with BEGIN, and the one that records a write with COMMIT:
 * two round trips less.
 */
export class Transaction {
  readonly #connection: PooledConnection;
  readonly #shared: SharedByTransactions;
  readonly #begun: Promise<unknown>;
  #hasBegun = false;
  #sent = 0;
  #last: (() => Promise<unknown>) | undefined;
  #failure: { readonly error: unknown } | undefined;

  /** Begins. That this failed is told by the next statement. */
  constructor(options: {
    readonly connection: PooledConnection;
    readonly readOnly: boolean;
    readonly shared: SharedByTransactions;
  }) {
    this.#connection = options.connection;
    this.#shared = options.shared;
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
   * @throws what PostgreSQL says of it, or said of an earlier one: the transaction can then only be rolled back
   */
  async send(statement: Statement, options: { readonly withBegin?: boolean } = {}): Promise<QueryResult> {
    if (!this.#hasBegun && options.withBegin !== true) await this.#begun;
    this.#requireSound();
    const result = await this.#send(statement);
    this.#requireSound();
    return result;
  }

  /**
   * Keeps the last statement for the COMMIT, to travel with it. The COMMIT fails as the statement does.
   * @throws Error where one is kept already: only one can be the last, and none may be forgotten
   */
  sendWithCommit(statement: () => Promise<unknown>): void {
    if (this.#last !== undefined) throw new Error('A transaction has one last statement.');
    this.#last = statement;
  }

  /**
   * Commits.
   * @throws the failure of any statement before, also of one that nobody listened to: PostgreSQL answers the COMMIT of a
   *   failed transaction with ROLLBACK, which is no error
   */
  async commit(): Promise<void> {
    this.#requireSound();
    this.#writeAtOnce();
    const sentBefore = this.#sent;
    const last = this.#last?.();
    last?.catch(() => {});
    // One that could not be sent must fail before anything is committed.
    if (this.#sent === sentBefore) await last;
    const committed = this.#send({ text: 'COMMIT' });
    committed.catch(() => {});
    await last;
    const { command } = await committed;
    this.#requireSound();
    if (command !== 'COMMIT') throw new Error(`PostgreSQL answered COMMIT with ${command}`);
  }

  /** @throws what keeps the connection in the transaction: it is good for nobody any more */
  async rollback(): Promise<void> {
    await this.#send({ text: 'ROLLBACK' });
  }

  /** Makes one write, and so one packet, of all that is sent in this tick. */
  #writeAtOnce(): void {
    const { stream } = this.#connection.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  #requireSound(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #send({ name, ...statement }: Statement): Promise<QueryResult> {
    const prepared = name !== undefined && this.#shared.preparesStatements ? { name, ...statement } : statement;
    this.#sent += 1;
    this.#shared.onStatement?.(statement.text);
    return new Promise((resolve, reject) => {
      this.#connection.query(prepared, (error: unknown, result: QueryResult) => {
        if (error === null || error === undefined) {
          resolve(result);
          return;
        }
        this.#failure ??= { error };
        reject(error);
      });
    });
  }
}
