import { createHash } from 'node:crypto';

/** Chance that comes out the same whenever its seed and name do. */
export interface Chance {
  /** At least 0, less than 1. */
  next(): number;
  /** True this often: with 0.3, three times in ten. */
  hits(share: number): boolean;
  oneOf<Item>(items: readonly [Item, ...Item[]]): Item;
}

/**
 * Gives the chance of one decision. Each has a name, so that what it comes to does not depend on which of many clients,
 * whose order nobody can repeat, rolled before it. The generator is mulberry32.
 */
export function chanceOf(seed: number, name: string): Chance {
  let state = createHash('sha256').update(`${seed} ${name}`).digest().readUInt32LE();
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    hits: (share) => next() < share,
    oneOf: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  };
}
