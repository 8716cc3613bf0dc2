import pg from 'pg';
import type { Binding, Statement } from './compile-statement.js';
import type { Awaited, Deadlines } from './deadlines.js';
import { isPlanOutdated } from './postgres-errors.js';

/** What PostgreSQL answered to a statement. */
export interface StatementAnswer {
  readonly rows: readonly object[];
  /** The command it says it has carried out, such as `SELECT` or `COMMIT`. */
  readonly command: string;
}

/** A statement on its way, and who waits for its answer. */
export interface Passenger {
  readonly statement: Statement;
  readonly resolve: (answer: StatementAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** The driver's connection as far as a trip writes to it, as it is and not as its types say: the extended query protocol. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void; destroy(): void };
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly (string | Buffer | null)[] }): void;
  describe(message: { readonly type: 'P' | 'S'; readonly name: string }): void;
  execute(message: object): void;
  close(message: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
}

/** Makes a row of what came on the wire, by the columns of a statement, which stay as they are as long as it is prepared. */
type RowReader = (fields: readonly (string | null)[]) => object;

const readNothing: RowReader = () => ({});

/** What is prepared on each connection, by name. Only what a whole trip proved: after a failure it is prepared anew. */
const preparedOn = new WeakMap<Wire, Map<string, RowReader>>();

// The driver sends nobody else's queries on a pipeline than those of its own class, of which nothing else is used here.
const DriverQuery = pg.Query as unknown as new (text: string) => object;

/**
 * Statements that travel together: one write, one packet back, and one Sync. They are carried out in their order, and where
 * one fails none behind it is, so each may count on those before it. The driver's own queries have a Sync each: PostgreSQL
 * would answer each by itself and go on behind one that failed.
 * Source: PostgreSQL 18, 54.2.3 Extended Query and 54.2.4 Pipelining
 */
export class Trip extends DriverQuery implements Awaited {
  readonly expiresAt: number;
  readonly #deadlines: Deadlines;
  readonly #passengers: readonly Passenger[];
  readonly #answers: StatementAnswer[] = [];
  readonly #onFailure: (error: unknown) => void;
  readonly #described: { readonly name: string; readonly readRow: RowReader }[] = [];
  #wire: Wire | undefined;
  #readRow: RowReader | undefined;
  #rows: object[] = [];
  #unreadable: unknown;
  /** Of each statement that was prepared when it was written. */
  readonly #known: (RowReader | undefined)[] = [];
  readonly #closed: string[] = [];
  #isSettled = false;

  /**
   * @param options.onFailure told at once, before anybody hears of the answers that came in the same packet
   * @param options.answerMsMax for all answers together; then the connection is lost
   */
  constructor(options: {
    readonly passengers: readonly Passenger[];
    readonly onFailure: (error: unknown) => void;
    readonly answerMsMax: number;
    readonly deadlines: Deadlines;
  }) {
    super('trip');
    this.#passengers = options.passengers;
    this.#onFailure = options.onFailure;
    this.expiresAt = performance.now() + options.answerMsMax;
    this.#deadlines = options.deadlines;
  }

  /** Writes everything. Called by the driver. */
  submit(connection: pg.Connection): null {
    const wire = connection as unknown as Wire;
    this.#wire = wire;
    wire.stream.cork();
    for (const { statement } of this.#passengers) this.#known.push(this.#write(wire, statement));
    wire.sync();
    wire.stream.uncork();
    this.#deadlines.add(this);
    this.#awaitNext();
    return null;
  }

  /** @returns the reader of its rows where it is prepared: what others do to that meanwhile does not change what it gives */
  #write(wire: Wire, { name = '', text, values = [] }: Statement): RowReader | undefined {
    const known = name === '' ? undefined : preparedOn.get(wire)?.get(name);
    if (known === undefined) {
      // One of that name may be left from a trip that failed. To close what is not there is no error.
      if (name !== '') {
        wire.close({ type: 'S', name });
        this.#closed.push(name);
      }
      wire.parse({ name, text });
    }
    wire.bind({ statement: name, values: values.map(wireValue) });
    if (known === undefined) wire.describe({ type: 'P', name: '' });
    wire.execute({});
    return known;
  }

  /** The columns of the next statement are known, or will be described. */
  #awaitNext(): void {
    this.#readRow = this.#known[this.#answers.length];
    this.#rows = [];
  }

  handleRowDescription({
    fields,
  }: {
    readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  }) {
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
    const { name } = this.#passengers[this.#answers.length]?.statement ?? {};
    const wasKnown = this.#known[this.#answers.length] !== undefined;
    if (name !== undefined && !wasKnown) this.#described.push({ name, readRow: this.#readRow ?? readNothing });
    this.#answers.push({ rows: this.#rows, command: text.split(' ', 1)[0] ?? '' });
    this.#awaitNext();
  }

  /** Whatever still comes on this connection nobody can tell apart from what is asked next. */
  expire(): void {
    this.#deadlines.remove(this);
    // Where this process had something else to do, answers may have come that it has not read yet.
    setImmediate(() => {
      if (this.#isSettled) return;
      this.#wire?.stream.destroy();
      this.#settle(new Error('timeout exceeded when waiting for the answers of PostgreSQL'));
    });
  }

  /** Those that were answered before have their answers; the one that failed, and those behind it, have the failure. */
  handleError(error: unknown): void {
    // Which of them it is, and which others are too, is not told: all are prepared anew.
    if (this.#wire !== undefined && isPlanOutdated(error)) preparedOn.delete(this.#wire);
    // A trip in front may have proved them after they were written here, and before they were closed for this one.
    for (const name of this.#closed) this.#preparedNames?.delete(name);
    this.#settle(error);
  }

  handleReadyForQuery(): void {
    if (this.#unreadable === undefined) this.#remember();
    this.#settle(null);
  }

  get #preparedNames(): Map<string, RowReader> | undefined {
    return this.#wire === undefined ? undefined : preparedOn.get(this.#wire);
  }

  #remember(): void {
    if (this.#wire === undefined) return;
    const prepared = preparedOn.get(this.#wire) ?? new Map<string, RowReader>();
    preparedOn.set(this.#wire, prepared);
    for (const { name, readRow } of this.#described) prepared.set(name, readRow);
  }

  #settle(refusal: unknown): void {
    this.#deadlines.remove(this);
    // A connection that is lost tells so twice where it was given up.
    if (this.#isSettled) return;
    this.#isSettled = true;
    const failure = this.#unreadable ?? refusal;
    // Nobody is given half of an answer.
    if (this.#unreadable !== undefined) this.#answers.length = 0;
    if (failure !== null) this.#onFailure(failure);
    for (const [index, { resolve, reject }] of this.#passengers.entries()) {
      const answer = this.#answers[index];
      if (answer === undefined) reject(failure);
      else resolve(answer);
    }
  }
}

/** What the driver does with a text, and with every type that it knows nothing better for: nothing. */
const leaveText: unknown = pg.types.getTypeParser(pg.types.builtins.TEXT, 'text');

/**
 * Written as source for these very columns, so that it is compiled as if a person had: a page of movements has a thousand
 * values, and to set each by a name that is not known when the code is compiled takes six times as long. The names are those
 * of our own statements, and enter as string literals; none of them is `__proto__`.
 */
function rowReaderOf(fields: readonly { readonly name: string; readonly dataTypeID: number }[]): RowReader {
  const parsers = fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text'));
  const members = fields.map(({ name }, index) => {
    const field = `fields[${index}]`;
    const value = parsers[index] === leaveText ? field : `${field} === null ? null : parsers[${index}](${field})`;
    return `${JSON.stringify(name)}: ${value}`;
  });
  return new Function('parsers', `return (fields) => ({ ${members.join(', ')} })`)(parsers) as RowReader;
}

/** A value as PostgreSQL reads it: text, or bytes. */
function wireValue(value: Binding): string | Buffer | null {
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object') return String(value);
  return `{${value.map((item) => `"${item.replace(/[\\"]/g, '\\$&')}"`).join()}}`;
}
