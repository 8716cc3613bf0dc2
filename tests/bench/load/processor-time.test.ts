import { describe, expect, it } from 'vitest';
import { parseProcessTimes, readProcessorMs, spentBetween } from './processor-time.mjs';

const statOf = (name: string) =>
  `4711 (${name}) S 12 4711 4711 0 -1 4194560 9000 0 0 0 250 50 30 20 20 0 11 0 1000 1 1 1 0 0 0 0`;

describe('CPU time', () => {
  it('is read separately for a process and for its exited child processes, as the sum of user and system time', () => {
    expect(parseProcessTimes(statOf('node'))).toEqual({ parentPid: 12, ownMs: 3000, endedChildrenMs: 500 });
  });

  it('is parsed even if the name of the process contains spaces and parentheses', () => {
    expect(parseProcessTimes(statOf('postgres: (1) S 99'))).toMatchObject({ parentPid: 12, ownMs: 3000 });
  });

  it('is null, not 0, if the process does not exist', () => {
    expect(readProcessorMs({ server: 0, postgres: 0 })).toEqual({ server: null, postgres: null });
  });

  it('is the difference of two readings, or null if one of them is null', () => {
    expect(spentBetween({ server: 10, postgres: null }, { server: 30, postgres: 5 })).toEqual({
      server: 20,
      postgres: null,
    });
  });
});
