import { setTimeout as sleep } from 'node:timers/promises';
import type { Awaited, Deadlines } from './deadlines.js';
import { DatabaseAway } from './postgres-errors.js';
import type { PooledConnection } from './transaction.js';
import type { Turns } from './turns.js';

/** The pool of connections, as far as it is used here. */
export interface Pool {
  acquireConnection(): Promise<PooledConnection>;
  releaseConnection(connection: PooledConnection): Promise<void>;
}

/** Somebody else's transaction, on the same connection and in front of this one, kept it from its answers. */
export class RideLost extends Error {
  constructor(cause?: unknown) {
    super('Statements in front on the same connection kept this transaction from its answers', { cause });
    this.name = 'RideLost';
  }
}

/** So many transactions have their answers from one connection, one after the other, before another connection is used. */
const seatsMax = 16;

/** Nobody goes behind one who has waited so long for its answers: it may be a long one, or many are in front already. */
const rideableMs = 5;

/** Who has waited so long for others on the same connection goes elsewhere. */
const rideMsMax = 25;

/**
 * Who is on which connection. A transaction has one to itself, but for those that only read and are on their way as a whole,
 * COMMIT included: the next reader's is sent behind it before its answers have come. PostgreSQL then finds work in its socket
 * where it would have slept and been woken, and a few of its processes stay awake where many would take turns (decision 0030).
 */
export class Lines {
  readonly #pool: Pool;
  readonly #turns: Turns;
  readonly #deadlines: Deadlines;
  readonly #acquireMs: number;
  readonly #sharesLines: boolean;
  readonly #lines: Line[] = [];

  constructor(options: {
    readonly pool: Pool;
    readonly turns: Turns;
    readonly deadlines: Deadlines;
    /** How long to wait for a connection of the pool, which gives up as soon by itself. */
    readonly acquireMs: number;
    readonly sharesLines: boolean;
  }) {
    this.#pool = options.pool;
    this.#turns = options.turns;
    this.#deadlines = options.deadlines;
    this.#acquireMs = options.acquireMs;
    this.#sharesLines = options.sharesLines;
  }

  /**
   * A place for a transaction, which leaves it when it is over.
   * @param options.mayRide whether others may be in front on the same connection
   * @param options.leftMs how long whoever asks still waits; told nothing, as long as is usual
   * @throws DatabaseAway when no connection could be had
   */
  async board(options: { readonly mayRide: boolean; readonly leftMs?: (() => number) | undefined }): Promise<Seat> {
    const { mayRide, leftMs = () => this.#acquireMs } = options;
    // Who waits for a turn is not overtaken. And whoever has hardly any time left would take the connection along when it is over.
    if (mayRide && this.#turns.waiting === 0 && leftMs() > 10 * rideMsMax) {
      const now = performance.now();
      const line = this.#lines.find((one) => one.isRideable(now));
      if (line !== undefined) return line.board();
    }
    await this.#turns.begin();
    try {
      return this.#open(await this.#acquire(leftMs())).board();
    } catch (error) {
      this.#turns.end();
      throw new DatabaseAway(error);
    }
  }

  #open(connection: PooledConnection): Line {
    const line: Line = new Line({
      connection,
      deadlines: this.#deadlines,
      onEmpty: async () => {
        if (this.#sharesLines) this.#lines.splice(this.#lines.indexOf(line), 1);
        try {
          // A ROLLBACK can be cancelled like any statement, and whoever came next would be in the transaction of another.
          if (connection.getTransactionStatus() !== 'I') discard(connection, new Error('Still in a transaction'));
          await this.#pool.releaseConnection(connection);
        } finally {
          this.#turns.end();
        }
      },
    });
    if (this.#sharesLines) this.#lines.push(line);
    return line;
  }

  async #acquire(waitMsMax: number): Promise<PooledConnection> {
    if (waitMsMax <= 0) throw new Error('There is no time left for a transaction');
    const acquiring = this.#pool.acquireConnection();
    if (waitMsMax >= this.#acquireMs) return acquiring;
    const connection = await Promise.race([acquiring, sleep(waitMsMax, undefined, { ref: false })]);
    if (connection !== undefined) return connection;
    acquiring.then((unwanted) => this.#pool.releaseConnection(unwanted)).catch(() => {});
    throw new Error('No connection came in the time that was left');
  }
}

/** Those who have their answers from one connection, in their order. */
class Line {
  readonly connection: PooledConnection;
  readonly deadlines: Deadlines;
  readonly #onEmpty: () => Promise<void>;
  readonly #seats: Seat[] = [];

  constructor(options: {
    readonly connection: PooledConnection;
    readonly deadlines: Deadlines;
    readonly onEmpty: () => Promise<void>;
  }) {
    this.connection = options.connection;
    this.deadlines = options.deadlines;
    this.#onEmpty = options.onEmpty;
  }

  /** All on it are on their way as a whole, and the first who waits has not waited for long. */
  isRideable(now: number): boolean {
    const { connection } = this;
    if (this.#seats.at(-1)?.hasSentAll !== true || this.#seats.length >= seatsMax) return false;
    if (connection.__knex__disposed !== undefined || connection.getTransactionStatus() === 'E') return false;
    return now - (this.#first?.waitsSince ?? now) < rideableMs;
  }

  board(): Seat {
    const seat = new Seat(this, { isRide: this.#seats.length > 0 });
    this.#seats.push(seat);
    return seat;
  }

  hasOthersBefore(seat: Seat): boolean {
    return this.#first !== seat;
  }

  /** Whose answers come next. */
  get #first(): Seat | undefined {
    return this.#seats.find(({ waitsSince }) => waitsSince !== undefined);
  }

  async remove(seat: Seat): Promise<void> {
    this.#seats.splice(this.#seats.indexOf(seat), 1);
    if (this.#seats.length === 0) await this.#onEmpty();
  }
}

/** A transaction's place on a connection. */
export class Seat implements Awaited {
  readonly connection: PooledConnection;
  /** Whether others were in front when it was taken. */
  readonly isRide: boolean;
  readonly #line: Line;
  #sentAt: number | undefined;
  #hasSentAll = false;
  #awaitsAnswers = false;
  #hasLeft = false;
  #giveUp: ((error: RideLost) => void) | undefined;

  constructor(line: Line, { isRide }: { readonly isRide: boolean }) {
    this.connection = line.connection;
    this.isRide = isRide;
    this.#line = line;
  }

  /** Whether others may come behind it: it sends nothing more. */
  get hasSentAll(): boolean {
    return this.#hasSentAll;
  }

  /** Since when it has waited for answers, by `performance.now()`; undefined while it waits for none. */
  get waitsSince(): number | undefined {
    return this.#awaitsAnswers ? this.#sentAt : undefined;
  }

  get expiresAt(): number {
    return (this.#sentAt ?? Number.POSITIVE_INFINITY) + rideMsMax;
  }

  /**
   * Some of the transaction is on its way.
   * @param options.isAll whether nothing comes behind it, COMMIT included
   * @param options.giveUp called when those in front take too long
   */
  sent({ isAll, giveUp }: { readonly isAll: boolean; readonly giveUp: (error: RideLost) => void }): void {
    const isFirstTime = this.#sentAt === undefined;
    this.#sentAt = performance.now();
    this.#hasSentAll = isAll;
    this.#awaitsAnswers = true;
    if (!this.isRide || !isFirstTime) return;
    this.#giveUp = giveUp;
    this.#line.deadlines.add(this);
  }

  /** All that was sent has been answered, or never will be. A connection that is lost may tell so twice. */
  answered(): void {
    if (!this.#awaitsAnswers) return;
    this.#awaitsAnswers = false;
    if (this.isRide) this.#line.deadlines.remove(this);
    if (this.#hasLeft) void this.#line.remove(this);
  }

  expire(): void {
    this.#line.deadlines.remove(this);
    // Where this process had something else to do, answers may have come that it has not read yet.
    setImmediate(() => {
      if (this.#awaitsAnswers && this.#line.hasOthersBefore(this)) this.#giveUp?.(new RideLost());
    });
  }

  /** The transaction is over. Whoever gave up leaves before the answers, and the connection waits for them. */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    if (!this.#awaitsAnswers) await this.#line.remove(this);
  }
}

/** Has the pool throw a connection away. */
export function discard(connection: PooledConnection, error: unknown): void {
  connection.__knex__disposed = error;
  connection.connection.stream.destroy();
}
