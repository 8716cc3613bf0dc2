import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { board, boardWhole, connectionOf, openLines } from '../../test-support/open-lines.js';

beforeEach(() =>
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'setInterval', 'clearInterval', 'setImmediate'] }),
);
afterEach(() => vi.useRealTimers());

const ignore = () => {};

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
    expect(opened.released.map(({ number, __knex__disposed }) => [number, __knex__disposed])).toEqual([[1, undefined]]);
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

  it('does not give up for its own answers, which had come as well', async () => {
    const opened = openLines();
    const first = await boardWhole(opened);
    const second = await boardWhole(opened);
    const third = await boardWhole(opened);
    second.expire();
    first.answered();
    second.answered();
    await vi.advanceTimersByTimeAsync(0);
    expect([second.gaveUp, third.gaveUp]).toEqual([[], []]);
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

  it('with more to send gives up for good, also where its answers come before it leaves', async () => {
    const opened = openLines();
    const first = await boardWhole(opened);
    const second = await board(opened);
    second.sent({ isAll: false, giveUp: ignore });
    await vi.advanceTimersByTimeAsync(60);
    first.answered();
    second.answered();
    await second.leave();
    expect(connectionOf(await board(opened)).number).toBe(2);
    await first.leave();
    expect(opened.released).toMatchObject([{ number: 1, __knex__disposed: { name: 'RideLost' } }]);
  });
});
