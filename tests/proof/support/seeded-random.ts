import { createHash } from 'node:crypto';

/** A random number generator whose numbers depend only on its seed and name. */
export interface SeededRandom {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns true with this probability. */
  hits(share: number): boolean;
  oneOf<Item>(items: readonly [Item, ...Item[]]): Item;
}

/**
 * Returns a random number generator (mulberry32). With one generator for each client, the numbers that a client gets do not depend
 * on the order in which concurrent clients run.
 */
export function seededRandom(seed: number, name: string): SeededRandom {
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
