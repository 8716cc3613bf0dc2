/**
 * Finds ids that occur more than once in a file: call `add` with every id, then `finish`. The class stores only a hash of each id, in eight
 * bytes. Different ids with equal hashes are also reported, so the caller must compare the rows of reported ids.
 */
export class RepeatedIds {
  readonly #hashes = new NumberColumn(Float64Array);
  #hasRepeated = false;

  /** Whether some id may occur twice. Call `finish` first. */
  get hasRepeated(): boolean {
    return this.#hasRepeated;
  }

  add(id: string): void {
    this.#hashes.push(hashOf(id));
  }

  /**
   * Ends the search.
   * @returns a function that returns whether an id may occur twice; the function never returns false for a repeated id
   */
  finish(): (id: string) => boolean {
    const hashes = this.#hashes.values.sort();
    const repeated = new Set<number>();
    for (let place = 1; place < hashes.length; place += 1) {
      const hash = hashes[place] ?? 0;
      if (hash === hashes[place - 1]) repeated.add(hash);
    }
    this.#hasRepeated = repeated.size > 0;
    return (id) => repeated.has(hashOf(id));
  }
}

/** Returns a hash of 53 bits, made of two hashes similar to FNV-1a. */
export function hashOf(id: string): number {
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

type Store = Float64Array | Int32Array | Uint32Array;

/**
 * A list of numbers in a typed array that doubles its size when it is full. The array needs 4 or 8 bytes for each
 * number. One object for each of a million rows would need too much memory.
 */
export class NumberColumn {
  #store: Store;
  #length = 0;

  /** @param kind an array type that can store every number */
  constructor(kind: Float64ArrayConstructor | Int32ArrayConstructor | Uint32ArrayConstructor) {
    this.#store = new kind(1024);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#store.length) {
      const grown = new (this.#store.constructor as Float64ArrayConstructor)(this.#length * 2);
      grown.set(this.#store);
      this.#store = grown;
    }
    this.#store[this.#length] = value;
    this.#length += 1;
  }

  /** Returns the number at a position. @param place from 0, less than `length` */
  at(place: number): number {
    return this.#store[place] ?? Number.NaN;
  }

  /** The stored numbers themselves, not a copy. The caller may read them, or sort them in place. */
  get values(): Store {
    return this.#store.subarray(0, this.#length);
  }
}
