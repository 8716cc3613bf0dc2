import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadlines } from './deadlines.js';
import { discard, isInTransaction, isLost, Line, rideableMs, rideMsMax, type Seat } from './line.js';
import { DatabaseAway } from './postgres-errors.js';
import type { PooledConnection } from './transaction.js';
import type { Turns } from './turns.js';

/** The pool of connections, as far as it is used here. */
export interface Pool {
  acquireConnection(): Promise<PooledConnection>;
  releaseConnection(connection: PooledConnection): Promise<void>;
  /** None once it is closed. */
  readonly pool?: { numUsed(): number; numFree(): number; numPendingAcquires(): number };
}

/** How much of what is taken for usual is of the last read. */
const shareOfLast = 1 / 8;

/**
 * So long nobody shares where reads usually take long. Then it is tried again: what is measured has the work of this process in
 * it, and where nobody shares an answer waits for that of all others, so short reads would be taken for long ones for ever.
 */
const pauseMs = 5_000;

/**
 * Who is on which connection. A transaction has one to itself, but for those that only read and are one packet: the next reader's
 * is sent behind it before its answers have come. PostgreSQL then finds work in its socket where it would have slept and been
 * woken, and a few of its processes stay awake where many would take turns (decision 0030).
 */
export class Lines {
  readonly #pool: Pool;
  readonly #turns: Turns;
  readonly #deadlines: Deadlines;
  readonly #acquireMs: number;
  readonly #sharesLines: boolean;
  readonly #lines: Line[] = [];
  /** How long it usually takes until a read that is one packet has its answers, once those in front have theirs. */
  #usualMs = 0;
  #triesAgainAt: number | undefined;

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
    // Whoever has hardly any time left would take the connection along when it is over.
    if (mayRide && !this.#areOthersWaiting && leftMs() > 10 * rideMsMax) {
      const now = performance.now();
      const line = this.#areReadsShort(now) ? this.#lines.find((one) => one.isRideable(now)) : undefined;
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

  /** For a turn, or for a connection: nobody overtakes them. */
  get #areOthersWaiting(): boolean {
    return this.#turns.waiting > 0 || (this.#pool.pool?.numPendingAcquires() ?? 0) > 0;
  }

  #areReadsShort(now: number): boolean {
    if (this.#usualMs < rideableMs) {
      this.#triesAgainAt = undefined;
      return true;
    }
    this.#triesAgainAt ??= now + pauseMs;
    if (now < this.#triesAgainAt) return false;
    this.#usualMs = 0;
    return true;
  }

  #open(connection: PooledConnection): Line {
    const line: Line = new Line({
      connection,
      isShared: this.#sharesLines,
      deadlines: this.#deadlines,
      onAnswered: (ms) => {
        this.#usualMs += (ms - this.#usualMs) * shareOfLast;
      },
      onEmpty: async () => {
        if (this.#sharesLines) this.#lines.splice(this.#lines.indexOf(line), 1);
        try {
          // A ROLLBACK can be cancelled like any statement, and whoever came next would be in the transaction of another.
          if (isInTransaction(connection)) discard(connection, new Error('Still in a transaction'));
          if (isLost(connection)) discard(connection, new Error('Lost'));
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
