import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { board, boardWhole, connectionOf, openLines } from '../../test-support/open-lines.js';
import { Line, type Seat } from './line.js';
import { DatabaseAway } from './postgres-errors.js';

beforeEach(() =>
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'setInterval', 'clearInterval', 'setImmediate'] }),
);
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const numberOf = (seat: Seat) => connectionOf(seat).number;
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

  it('goes on no connection that is in a transaction, whoever left it there', async () => {
    const opened = openLines();
    connectionOf(await boardWhole(opened)).status = 'T';
    expect(numberOf(await boardWhole(opened))).toBe(2);
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

  it('overtakes nobody who waits for a connection', async () => {
    const opened = openLines();
    await boardWhole(opened);
    opened.waitingForConnections.count = 1;
    expect(numberOf(await boardWhole(opened))).toBe(2);
    opened.waitingForConnections.count = 0;
    expect(numberOf(await boardWhole(opened))).toBe(1);
  });

  it('shares with nobody while reads usually take 5 ms, and does again when they are short', async () => {
    const opened = openLines({ connectionsMax: 100 });
    const readFor = async (ms: number) => {
      const seat = await boardWhole(opened);
      await vi.advanceTimersByTimeAsync(ms);
      seat.answered();
      await seat.leave();
    };
    const areShared = async () => {
      const seats = [await boardWhole(opened), await boardWhole(opened)];
      for (const seat of seats) seat.answered();
      for (const seat of seats) await seat.leave();
      return new Set(seats.map(numberOf)).size === 1;
    };
    // One long one is none that is usual.
    await readFor(30);
    expect(await areShared()).toBe(true);
    for (let count = 0; count < 20; count += 1) await readFor(6);
    expect(await areShared()).toBe(false);
    for (let count = 0; count < 20; count += 1) await readFor(1);
    expect(await areShared()).toBe(true);
  });

  it('tries it again 5 s later: without sharing, short reads look long where this process has much to do', async () => {
    const opened = openLines({ connectionsMax: 100, atOnce: 100 });
    for (let count = 0; count < 20; count += 1) {
      const seat = await board(opened, { mayRide: false });
      seat.sent({ isAll: true, giveUp: ignore });
      await vi.advanceTimersByTimeAsync(30);
      seat.answered();
      await seat.leave();
    }
    const seats: Seat[] = [];
    for (const ms of [0, 4_999, 1]) {
      const first = await boardWhole(opened);
      await vi.advanceTimersByTimeAsync(ms);
      first.answered();
      seats.push(first, await board(opened));
    }
    expect(seats.map(({ isRide }) => isRide)).toEqual([false, false, false, false, false, true]);
  });

  it('is not taken for long because of writes, or of readers of several packets, that are', async () => {
    const opened = openLines({ connectionsMax: 100 });
    for (let count = 0; count < 20; count += 1) {
      const seat = await board(opened, { mayRide: count % 2 === 0 });
      seat.sent({ isAll: false, giveUp: ignore });
      await vi.advanceTimersByTimeAsync(20);
      seat.answered();
      await seat.leave();
    }
    const seats = [await boardWhole(opened), await boardWhole(opened)];
    expect(new Set(seats.map(numberOf)).size).toBe(1);
  });

  it('is not taken for long because of those in front of it', async () => {
    const opened = openLines({ connectionsMax: 100 });
    for (let count = 0; count < 20; count += 1) {
      const seats = [await boardWhole(opened), await boardWhole(opened), await boardWhole(opened)];
      expect(new Set(seats.map(numberOf)).size).toBe(1);
      for (const seat of seats) {
        await vi.advanceTimersByTimeAsync(4);
        seat.answered();
        await seat.leave();
      }
    }
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

  it('that went back is not looked at again', async () => {
    const looks = vi.spyOn(Line.prototype, 'isRideable');
    const opened = openLines();
    for (let count = 0; count < 3; count += 1) {
      const seat = await boardWhole(opened);
      seat.answered();
      await seat.leave();
    }
    expect(looks).not.toHaveBeenCalled();
  });

  it('that is lost when the last has left is not used again', async () => {
    const opened = openLines();
    const seat = await board(opened, { mayRide: false });
    connectionOf(seat).connection.stream.destroyed = true;
    await seat.leave();
    expect(opened.released[0]?.__knex__disposed).toEqual(new Error('Lost'));
  });

  it.each(['T', 'E'])('that is still in a transaction (%s) when the last has left is thrown away', async (status) => {
    const opened = openLines();
    const seat = await board(opened, { mayRide: false });
    connectionOf(seat).status = status;
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
