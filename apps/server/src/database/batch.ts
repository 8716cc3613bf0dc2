import pg from 'pg';
import { serialize } from 'pg-protocol';
import type { Deadlines, Timed } from '../optimizations/deadlines.js';
import { isPlanOutdated } from './errors.js';
import type { Binding, Statement } from './statement.js';

/** The result of one statement. */
export interface StatementResult {
  readonly rows: readonly object[];
  /** The first word of PostgreSQL's command tag, such as `SELECT` or `COMMIT`. */
  readonly command: string;
}

interface QueuedStatement {
  readonly statement: Statement;
  readonly resolve: (result: StatementResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Returns the fields of one row as an object. */
type RowReader = (fields: readonly (string | null)[]) => object;

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The row reader of a statement without result columns. */
const readNothing: RowReader = () => ({});

/**
 * For each connection, the row readers of its prepared statements, by the name of the statement. A statement is added only after its whole
 * batch has succeeded, because the driver does not report which statements PostgreSQL parsed before a failure.
 */
const preparedStatements = new WeakMap<pg.Connection, Map<string, RowReader>>();

/**
 * Several statements that are sent in one write with one `Sync`. PostgreSQL runs them in order and skips all statements after a failed one,
 * so each statement may rely on those before it. Without batches, the driver sends a `Sync` after each query, and PostgreSQL runs even
 * the queries that follow a failed one. Like pg-cursor, a batch implements the driver's interface `Submittable`. Add statements, then pass
 * the batch to `client.query`.
 * @source PostgreSQL 18, 54.2.3 Extended Query and 54.2.4 Pipelining
 */
export class Batch implements Timed {
  /**
   * The deadline of the results, as a time of `performance.now()`. When the deadline passes, the connection is destroyed. Set this field
   * before the batch is passed to `client.query`.
   */
  expiresAt = Number.POSITIVE_INFINITY;
  readonly #deadlines: Deadlines;
  readonly #onFailure: (error: unknown) => void;
  readonly #queued: QueuedStatement[] = [];
  readonly #results: StatementResult[] = [];
  /** The row reader of each statement, by position; undefined if the statement was not yet prepared when this batch was sent. */
  readonly #knownReaders: (RowReader | undefined)[] = [];
  /** The named statements that this batch prepared and completed. */
  readonly #newlyPrepared: { readonly name: string; readonly readRow: RowReader }[] = [];
  #connection: pg.Connection | undefined;
  #readRow: RowReader | undefined;
  #rows: object[] = [];
  /** The first error while decoding a row. */
  #unreadable: unknown;
  #isSettled = false;

  /** @param options.onFailure called before the promises of a failed batch are rejected; `cancel` does not call it */
  constructor(options: { readonly deadlines: Deadlines; readonly onFailure: (error: unknown) => void }) {
    this.#deadlines = options.deadlines;
    this.#onFailure = options.onFailure;
  }

  /** Adds a statement and resolves with its result. Must be called before the batch is passed to `client.query`. */
  add(statement: Statement): Promise<StatementResult> {
    return new Promise((resolve, reject) => this.#queued.push({ statement, resolve, reject }));
  }

  /** Adds a statement before all others. Its result is not reported. Must be called before the batch is passed to `client.query`. */
  prepend(statement: Statement): void {
    this.#queued.unshift({ statement, resolve: () => {}, reject: () => {} });
  }

  /** The SQL of the statements, in order. */
  get texts(): string[] {
    return this.#queued.map(({ statement }) => statement.text);
  }

  /** Rejects every statement of a batch that was never passed to `client.query`. */
  cancel(error: unknown): void {
    for (const { reject } of this.#queued) reject(error);
  }

  /** Writes all statements. Called by the driver. */
  submit(connection: pg.Connection): void {
    this.#connection = connection;
    this.#deadlines.add(this);
    const messages: Buffer[] = [];
    for (const { statement } of this.#queued) {
      const known = findReader(connection, statement);
      messages.push(...toMessages(statement, { isPrepared: known !== undefined }));
      this.#knownReaders.push(known);
    }
    messages.push(serialize.sync());
    const { stream } = connection;
    if (stream.writable) stream.write(Buffer.concat(messages));
    this.#awaitNextResult();
  }

  #awaitNextResult(): void {
    this.#readRow = this.#knownReaders[this.#results.length];
    this.#rows = [];
  }

  handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    try {
      this.#readRow = rowReaderOf(fields);
    } catch (error) {
      this.#unreadable ??= error;
    }
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    try {
      this.#rows.push((this.#readRow ?? readNothing)(fields));
    } catch (error) {
      this.#unreadable ??= error;
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const index = this.#results.length;
    const name = this.#queued[index]?.statement.name;
    if (name !== undefined && this.#knownReaders[index] === undefined) {
      this.#newlyPrepared.push({ name, readRow: this.#readRow ?? readNothing });
    }
    this.#results.push({ rows: this.#rows, command: text.split(' ', 1)[0] ?? '' });
    this.#awaitNextResult();
  }

  /** Rejects the failed statement and all statements after it. Called by the driver, also when the connection is lost. */
  handleError(error: unknown): void {
    // PostgreSQL does not report which prepared statement is outdated, so all statements of this connection are prepared again.
    if (this.#connection !== undefined && isPlanOutdated(error)) preparedStatements.delete(this.#connection);
    this.#settle(error);
  }

  handleReadyForQuery(): void {
    if (this.#unreadable === undefined) this.#rememberPrepared();
    this.#settle(null);
  }

  /** Called when the deadline passes. Destroys the connection, because a late result could be mistaken for the result of a later batch. */
  expire(): void {
    this.#deadlines.remove(this);
    // The event loop may have been busy while results arrived. `setImmediate` lets the driver read these results first.
    setImmediate(() => {
      if (this.#isSettled) return;
      this.#connection?.stream.destroy();
      this.#settle(new Error('timeout exceeded when waiting for the answers of PostgreSQL'));
    });
  }

  #rememberPrepared(): void {
    if (this.#connection === undefined) return;
    const prepared = preparedStatements.get(this.#connection) ?? new Map<string, RowReader>();
    preparedStatements.set(this.#connection, prepared);
    for (const { name, readRow } of this.#newlyPrepared) prepared.set(name, readRow);
  }

  #settle(error: unknown): void {
    this.#deadlines.remove(this);
    // After a timeout, this method is called twice: by `expire`, and by `handleError` when the driver reports the destroyed connection.
    if (this.#isSettled) return;
    this.#isSettled = true;
    const failure = this.#unreadable ?? error;
    // If a row cannot be decoded, all statements of the batch fail.
    if (this.#unreadable !== undefined) this.#results.length = 0;
    if (failure !== null) this.#onFailure(failure);
    for (const [index, { resolve, reject }] of this.#queued.entries()) {
      const result = this.#results[index];
      if (result === undefined) reject(failure);
      else resolve(result);
    }
  }
}

/** Returns the reader of a statement's rows if the statement is already prepared on this connection. */
function findReader(connection: pg.Connection, { name }: Statement): RowReader | undefined {
  return name === undefined ? undefined : preparedStatements.get(connection)?.get(name);
}

/** Returns the protocol messages that run a statement. They also prepare a named statement that is not prepared yet. */
function toMessages(
  { name = '', text, values = [] }: Statement,
  { isPrepared }: { readonly isPrepared: boolean },
): Buffer[] {
  const bind = serialize.bind({ statement: name, values: values.map(toParameter) });
  if (isPrepared) return [bind, serialize.execute()];
  // A failed batch may have left a prepared statement of this name. Closing a name that does not exist is not an error.
  const close = name === '' ? [] : [serialize.close({ type: 'S', name })];
  return [...close, serialize.parse({ name, text }), bind, serialize.describe({ type: 'P' }), serialize.execute()];
}

/** The driver's parser for text and for types without their own parser. It returns its argument. */
const returnText: unknown = pg.types.getTypeParser(pg.types.builtins.TEXT, 'text');

/**
 * Compiles a reader for exactly these columns. A reader that sets each property by a computed name takes six times as long, and a page of
 * movements has a thousand values. Compiling is safe: the column names come from the statements of this server and are written as string
 * literals, and none of them is `__proto__`.
 */
function rowReaderOf(fields: readonly Column[]): RowReader {
  const parsers = fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text'));
  const members = fields.map(({ name }, index) => {
    const field = `fields[${index}]`;
    const value = parsers[index] === returnText ? field : `${field} === null ? null : parsers[${index}](${field})`;
    return `${JSON.stringify(name)}: ${value}`;
  });
  return new Function('parsers', `return (fields) => ({ ${members.join(', ')} })`)(parsers) as RowReader;
}

/** Returns a value in the text format of the protocol. Returns a Buffer unchanged: the driver sends it in binary format. */
function toParameter(value: Binding): string | Buffer | null {
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object') return String(value);
  return `{${value.map((item) => `"${item.replace(/[\\"]/g, '\\$&')}"`).join()}}`;
}
