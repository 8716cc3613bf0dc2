import { validate, version } from 'uuid';
import { describe, expect, it } from 'vitest';
import { IdSource } from './new-id.js';

describe('IdSource', () => {
  it('creates UUIDs of version 7 that all differ', () => {
    const { next } = new IdSource();
    const ids = Array.from({ length: 2_000 }, next);
    expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('creates ids that increase, even within a millisecond and when the clock is set back', () => {
    const times = [1_000, 1_000, 1_000, 1_001, 999, 999, 1_002];
    const { next } = new IdSource(() => times.shift() ?? 1_003);
    const ids = Array.from({ length: 600 }, next);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('creates ids that begin with the time of their creation and have their own random bytes', () => {
    const { next } = new IdSource(() => 0x0123456789ab);
    const ids = Array.from({ length: 600 }, next);
    expect(ids.every((id) => id.startsWith('01234567-89ab-7'))).toBe(true);
    expect(new Set(ids.map((id) => id.slice(-10))).size).toBe(ids.length);
  });
});
