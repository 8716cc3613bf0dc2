type Store = Float64Array | Int32Array | Uint32Array;

/**
 * A list of numbers in a typed array that doubles: 4 or 8 bytes for each, where the objects of a million rows would
 * break the promise of a small memory.
 */
export class NumberColumn {
  #store: Store;
  #length = 0;

  /** @param kind what takes every number that is going to be added */
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

  /** @param place from 0, below `length` */
  at(place: number): number {
    return this.#store[place] ?? Number.NaN;
  }

  /** The numbers themselves, to be read or sorted in their place. */
  get values(): Store {
    return this.#store.subarray(0, this.#length);
  }
}
