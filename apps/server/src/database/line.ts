import type { Awaited, Deadlines } from './deadlines.js';
import type { PooledConnection } from './transaction.js';

/** Somebody else's transaction, on the same connection and in front of this one, kept it from its answers. */
export class RideLost extends Error {
  constructor(cause?: unknown) {
    super('Statements in front on the same connection kept this transaction from its answers', { cause });
    this.name = 'RideLost';
  }
}

/** So many transactions at once have their answers from one connection: more, and all of them wait where one processor is away. */
const seatsMax = 4;

/**
 * Nobody goes behind one who has waited so long for its answers: it may be a long one, or many are in front already. And where
 * a read usually takes so long, nobody goes behind another.
 */
export const rideableMs = 5;

/** Who has waited so long for others on the same connection goes elsewhere. */
export const rideMsMax = 25;

/** Those who have their answers from one connection, in their order. */
export class Line {
  readonly connection: PooledConnection;
  readonly isShared: boolean;
  readonly deadlines: Deadlines;
  readonly #onEmpty: () => Promise<void>;
  readonly #onAnswered: (ms: number) => void;
  readonly #seats: Seat[] = [];
  #answeredAt = 0;

  constructor(options: {
    readonly connection: PooledConnection;
    readonly isShared: boolean;
    readonly deadlines: Deadlines;
    readonly onEmpty: () => Promise<void>;
    /** Told of each transaction that is one packet how long it took, once those in front had their answers. */
    readonly onAnswered: (ms: number) => void;
  }) {
    this.connection = options.connection;
    this.isShared = options.isShared;
    this.deadlines = options.deadlines;
    this.#onEmpty = options.onEmpty;
    this.#onAnswered = options.onAnswered;
  }

  /** All on it are on their way as a whole, and the first who waits has not waited for long. */
  isRideable(now: number): boolean {
    if (this.#seats.at(-1)?.hasSentAll !== true || this.#seats.length >= seatsMax) return false;
    if (isLost(this.connection) || isInTransaction(this.connection)) return false;
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

  /** One that is a packet, and was sent at that moment, has its answers. */
  answered({ sentAt }: { readonly sentAt: number }): void {
    const now = performance.now();
    this.#onAnswered(now - Math.max(sentAt, this.#answeredAt));
    this.#answeredAt = now;
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
  #tripsUnderWay = 0;
  #hasLeft = false;
  /** It gave up before it had sent all, and nobody will end its transaction. */
  #isUnfinished = false;
  #giveUp: ((error: RideLost) => void) | undefined;

  constructor(line: Line, { isRide }: { readonly isRide: boolean }) {
    this.connection = line.connection;
    this.isRide = isRide;
    this.#line = line;
  }

  /** Whether others may come behind it, once it has sent all. */
  get mayBeShared(): boolean {
    return this.#line.isShared;
  }

  /** Whether others come behind it: its transaction is one packet, and sends nothing more, whatever becomes of it. */
  get hasSentAll(): boolean {
    return this.#hasSentAll;
  }

  /** Since when it has waited for answers, by `performance.now()`; undefined while it waits for none. */
  get waitsSince(): number | undefined {
    return this.#tripsUnderWay > 0 ? this.#sentAt : undefined;
  }

  /** No less time for the answers than until it is known who is in front: when it is over the connection is lost for all on it. */
  get answerMsMin(): number {
    return this.isRide ? 4 * rideMsMax : 0;
  }

  get expiresAt(): number {
    return (this.#sentAt ?? Number.POSITIVE_INFINITY) + rideMsMax;
  }

  /**
   * Something is on its way.
   * @param options.isAll whether it is all of the transaction, and ends it whatever becomes of it
   * @param options.giveUp called when those in front take too long
   */
  sent({ isAll, giveUp }: { readonly isAll: boolean; readonly giveUp: (error: RideLost) => void }): void {
    const isFirstTrip = this.#sentAt === undefined;
    this.#sentAt ??= performance.now();
    this.#hasSentAll = isAll;
    this.#tripsUnderWay += 1;
    if (!this.isRide || !isFirstTrip) return;
    this.#giveUp = giveUp;
    this.#line.deadlines.add(this);
  }

  /** What was sent at one time has been answered, or never will be. */
  answered(): void {
    this.#tripsUnderWay -= 1;
    if (this.#hasSentAll && this.#sentAt !== undefined) this.#line.answered({ sentAt: this.#sentAt });
    if (this.isRide) this.#line.deadlines.remove(this);
    if (this.#hasLeft && this.#tripsUnderWay === 0) void this.#remove();
  }

  expire(): void {
    this.#line.deadlines.remove(this);
    // Where this process had something else to do, answers may have come that it has not read yet.
    setImmediate(() => {
      if (this.#tripsUnderWay === 0 || !this.#line.hasOthersBefore(this)) return;
      // Also where its answers come before it leaves: nobody ends its transaction.
      this.#isUnfinished = !this.#hasSentAll;
      this.#giveUp?.(new RideLost());
    });
  }

  /** The transaction is over. Whoever gave up leaves before the answers, and the connection waits for them. */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    if (this.#tripsUnderWay === 0) await this.#remove();
    else if (!this.#hasSentAll) this.#isUnfinished = true;
  }

  async #remove(): Promise<void> {
    if (this.#isUnfinished) discard(this.connection, new RideLost());
    await this.#line.remove(this);
  }
}

/** Has the pool throw a connection away. */
export function discard(connection: PooledConnection, error: unknown): void {
  connection.__knex__disposed ??= error;
  connection.connection.stream.destroy();
}

/** Whether a transaction was begun on it and not ended, as far as has been told. */
export function isInTransaction(connection: PooledConnection): boolean {
  return connection.getTransactionStatus() !== 'I';
}

/** Whether nothing can be sent on it any more. */
export function isLost(connection: PooledConnection): boolean {
  return connection.__knex__disposed !== undefined || connection.connection.stream.destroyed;
}
