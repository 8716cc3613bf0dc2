import { NumberColumn } from './number-column.js';

/**
 * Finds the ids that a file has more than once: `see` every id, then ask `settle`. It keeps eight
 * bytes of each; of two ids that share those it says that they may be repeated, which only costs a closer look.
 */
export class RepeatedIds {
  readonly #hashes = new NumberColumn(Float64Array);

  see(id: string): void {
    this.#hashes.push(hashOf(id));
  }

  /** @returns whether an id may be there twice; never false for one that is */
  settle(): (id: string) => boolean {
    const hashes = this.#hashes.values.sort();
    const repeated = new Set<number>();
    for (let place = 1; place < hashes.length; place += 1) {
      const hash = hashes[place] ?? 0;
      if (hash === hashes[place - 1]) repeated.add(hash);
    }
    return (id) => repeated.has(hashOf(id));
  }
}

/** 53 bits, from two multiplications of FNV-1a: quick, and an id that somebody made up to collide is only looked at twice. */
function hashOf(id: string): number {
  let [high, low] = [0x811c9dc5, 0xcbf29ce4];
  for (let place = 0; place < id.length; place += 1) {
    const code = id.charCodeAt(place);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
  }
  high ^= low >>> 15;
  low ^= high >>> 13;
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0);
}
