import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadlines } from './deadlines.js';
import type { Seat } from './line.js';
import { Lines } from './lines.js';
import { DatabaseAway } from './postgres-errors.js';
import type { PooledConnection } from './transaction.js';
import { Turns } from './turns.js';

beforeEach(() =>
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'setInterval', 'clearInterval', 'setImmediate'] }),
);
afterEach(() => vi.useRealTimers());

interface FakeConnection {
  readonly number: number;
  status: string;
  __knex__disposed?: unknown;
  readonly connection: { readonly stream: { destroyed: boolean; destroy(): void } };
}

function openLines({ sharesLines = true, atOnce = 3, connectionsMax = 5 } = {}) {
  let made = 0;
  const released: FakeConnection[] = [];
  const pool = {
    acquireConnection: async () => {
      if (made === connectionsMax) throw new Error('the pool is empty');
      made += 1;
      const connection = { number: made, status: 'I', connection: { stream: { destroyed: false, destroy: () => {} } } };
      return Object.assign(connection, {
        getTransactionStatus: () => connection.status,
      }) as unknown as PooledConnection;
    },
    releaseConnection: async (connection: PooledConnection) => {
      released.push(connection as unknown as FakeConnection);
    },
  };
  const turns = new Turns({ atOnce, patienceMs: 25 });
  const lines = new Lines({ pool, turns, deadlines: new Deadlines(), acquireMs: 2_000, sharesLines });
  return { lines, released, turns };
}

const connectionOf = (seat: Seat) => seat.connection as unknown as FakeConnection;
const numberOf = (seat: Seat) => connectionOf(seat).number;

type Opened = ReturnType<typeof openLines>;

async function board({ lines }: Opened, { mayRide = true, leftMs = 2_000 } = {}): Promise<Seat> {
  return lines.board({ mayRide, leftMs: () => leftMs });
}

/** A reader all of whose transaction is on its way; tells what it was told when it had waited too long. */
async function boardWhole(opened: Opened): Promise<Seat & { readonly gaveUp: Error[] }> {
  const seat = await board(opened);
  const gaveUp: Error[] = [];
  seat.sent({ isAll: true, giveUp: (error) => gaveUp.push(error) });
  return Object.assign(seat, { gaveUp });
}

const ignore = () => {};

describe('a reader', () => {
  it('shares the connection of another that has sent all of its transaction', async () => {
    const opened = openLines();
    const first = await boardWhole(opened);
    const second = await boardWhole(opened);
    const third = await boardWhole(opened);
    expect([first, second, third].map(numberOf)).toEqual([1, 1, 1]);
    expect([first, second, third].map(({ isRide }) => isRide)).toEqual([false, true, true]);
  });

  it('shares none that may yet send something, nor one of somebody who does not share', async () => {
    const opened = openLines();
    const reading = await board(opened);
    reading.sent({ isAll: false, giveUp: ignore });
    expect(numberOf(await board(opened))).toBe(2);
    // One that has sent nothing yet.
    expect(numberOf(await board(opened, { mayRide: false }))).toBe(3);
  });

  it('that rides keeps others from riding until it has sent all itself', async () => {
    const opened = openLines();
    await boardWhole(opened);
    const riding = await board(opened);
    expect(numberOf(riding)).toBe(1);
    expect(numberOf(await board(opened))).toBe(2);
    riding.sent({ isAll: true, giveUp: ignore });
    expect(numberOf(await board(opened))).toBe(1);
  });

  it('does not go behind one that has waited for 5 ms: it may be a long one', async () => {
    const opened = openLines();
    await boardWhole(opened);
    await vi.advanceTimersByTimeAsync(4);
    expect(numberOf(await boardWhole(opened))).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(numberOf(await boardWhole(opened))).toBe(2);
  });

  it('goes behind one whose answers have come, however long it keeps its place', async () => {
    const opened = openLines();
    const first = await boardWhole(opened);
    first.answered();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(numberOf(await board(opened))).toBe(1);
  });

  it('is one of four at most', async () => {
    const opened = openLines();
    const numbers: number[] = [];
    for (let count = 0; count < 5; count += 1) numbers.push(numberOf(await boardWhole(opened)));
    expect(numbers).toEqual([...Array<number>(4).fill(1), 2]);
  });

  it('goes on no connection that was lost or thrown away', async () => {
    const opened = openLines();
    connectionOf(await boardWhole(opened)).connection.stream.destroyed = true;
    const second = await boardWhole(opened);
    expect(numberOf(second)).toBe(2);
    connectionOf(second).__knex__disposed = new Error('thrown away');
    expect(numberOf(await board(opened))).toBe(3);
  });

  it('overtakes nobody who waits for a turn', async () => {
    const opened = openLines({ atOnce: 1 });
    await boardWhole(opened);
    const order: string[] = [];
    void board(opened, { mayRide: false }).then(() => order.push('writer'));
    void board(opened).then(() => order.push('reader'));
    await vi.advanceTimersByTimeAsync(0);
    expect([order, opened.turns.waiting]).toEqual([[], 2]);
    await vi.advanceTimersByTimeAsync(25);
    expect(order).toEqual(['writer', 'reader']);
  });

  it('with hardly any time left has a connection to itself: when it is over, the connection is too', async () => {
    const opened = openLines();
    await boardWhole(opened);
    expect(numberOf(await board(opened, { leftMs: 250 }))).toBe(2);
    expect(numberOf(await board(opened, { leftMs: 251 }))).toBe(1);
  });

  it('shares with nobody where connections are not shared', async () => {
    const opened = openLines({ sharesLines: false });
    await boardWhole(opened);
    expect(numberOf(await boardWhole(opened))).toBe(2);
  });
});

describe('a connection', () => {
  it('goes back to the pool once all have left, in whatever order, and then the turn is over', async () => {
    const opened = openLines({ atOnce: 1 });
    const [first, second, third] = [await boardWhole(opened), await boardWhole(opened), await boardWhole(opened)];
    for (const seat of [first, second, third]) seat.answered();
    await second.leave();
    await first.leave();
    let next: Seat | undefined;
    void board(opened, { mayRide: false }).then((seat) => (next = seat));
    await vi.advanceTimersByTimeAsync(0);
    expect([opened.released.length, next]).toEqual([0, undefined]);
    await third.leave();
    await vi.advanceTimersByTimeAsync(0);
    expect(opened.released.map(({ number }) => number)).toEqual([1]);
    expect(next === undefined ? undefined : numberOf(next)).toBe(2);
  });

  it('that is lost when the last has left is not used again', async () => {
    const opened = openLines();
    const seat = await board(opened, { mayRide: false });
    connectionOf(seat).connection.stream.destroyed = true;
    await seat.leave();
    expect(opened.released[0]?.__knex__disposed).toEqual(new Error('Lost'));
  });

  it('that is still in a transaction when the last has left is thrown away', async () => {
    const opened = openLines();
    const seat = await board(opened, { mayRide: false });
    connectionOf(seat).status = 'T';
    await seat.leave();
    expect(opened.released[0]?.__knex__disposed).toEqual(new Error('Still in a transaction'));
  });

  it('that could not be had is told as a database that is away, and the turn is over', async () => {
    const opened = openLines({ connectionsMax: 0, atOnce: 1 });
    await expect(board(opened)).rejects.toThrow(DatabaseAway);
    await expect(board(opened)).rejects.toThrow(DatabaseAway);
    expect(opened.turns.waiting).toBe(0);
  });
});

describe('who waits behind others', () => {
  it('gives up when they take too long, and leaves before its answers: the connection waits for those', async () => {
    const opened = openLines();
    const slow = await boardWhole(opened);
    const behind = await boardWhole(opened);
    await vi.advanceTimersByTimeAsync(24);
    expect(behind.gaveUp).toEqual([]);
    await vi.advanceTimersByTimeAsync(30);
    expect(behind.gaveUp).toMatchObject([{ name: 'RideLost' }]);
    expect(slow.gaveUp).toEqual([]);
    await behind.leave();
    slow.answered();
    await slow.leave();
    expect(opened.released).toEqual([]);
    behind.answered();
    await vi.advanceTimersByTimeAsync(0);
    expect(opened.released.map(({ number }) => number)).toEqual([1]);
  });

  it('does not give up when its own turn has come meanwhile, nor when it has its answers', async () => {
    const opened = openLines();
    const first = await boardWhole(opened);
    const second = await boardWhole(opened);
    const third = await boardWhole(opened);
    first.answered();
    await vi.advanceTimersByTimeAsync(20);
    expect(second.gaveUp).toEqual([]);
    second.answered();
    third.answered();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([second.gaveUp, third.gaveUp]).toEqual([[], []]);
  });

  it('and is the next when the time is over goes on waiting for itself', async () => {
    const opened = openLines();
    const first = await boardWhole(opened);
    const second = await boardWhole(opened);
    first.answered();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(second.gaveUp).toEqual([]);
  });

  it('does not give up for what had come when the time was over, and was only not read yet', async () => {
    const opened = openLines();
    const first = await boardWhole(opened);
    const second = await boardWhole(opened);
    // The clock goes on while the process is busy; what its sockets hold is read before it looks again.
    vi.advanceTimersByTime(0);
    second.expire();
    first.answered();
    await vi.advanceTimersByTimeAsync(0);
    expect(second.gaveUp).toEqual([]);
  });

  it('with more to send than it has sent yet gives up as well, and then its connection is good for nobody', async () => {
    const opened = openLines();
    const first = await boardWhole(opened);
    const gaveUp: Error[] = [];
    const second = await board(opened);
    second.sent({ isAll: false, giveUp: (error) => gaveUp.push(error) });
    second.sent({ isAll: false, giveUp: ignore });
    await vi.advanceTimersByTimeAsync(60);
    expect(gaveUp).toHaveLength(1);
    await second.leave();
    first.answered();
    await first.leave();
    second.answered();
    await vi.advanceTimersByTimeAsync(0);
    expect(opened.released).toEqual([]);
    second.answered();
    await vi.advanceTimersByTimeAsync(0);
    expect(opened.released).toMatchObject([{ number: 1, __knex__disposed: { name: 'RideLost' } }]);
  });
});
