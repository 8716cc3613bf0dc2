/**
 * Counts how often each hash occurred: `count(hash)` returns 1 the first time, then 2, 3 ….
 *
 * It is an open-addressing hash table over typed arrays with 16 bytes for each slot. A `Map` of strings takes about 150
 * bytes for each row, which is too much for a million rows. A row is represented by the first 96 bits of its SHA-256
 * hash.
 */
export class OccurrenceCounter {
  #slots: number;
  #used = 0;
  #words: Uint32Array;
  #counts: Uint32Array;

  /** @param slots the initial capacity, a power of two; it doubles when the table is half full */
  constructor(slots = 4096) {
    this.#slots = slots;
    this.#words = new Uint32Array(slots * wordsOfRow);
    this.#counts = new Uint32Array(slots);
  }

  /** Returns the occurrence number of a hash. @param hash hexadecimal, at least 24 characters */
  count(hash: string): number {
    if (this.#used * 2 >= this.#slots) this.#grow();
    const [first, second, third] = [wordAt(hash, 0), wordAt(hash, 8), wordAt(hash, 16)];
    const slot = this.#slotOf(first, second, third);
    const seen = (this.#counts[slot] ?? 0) + 1;
    this.#counts[slot] = seen;
    if (seen === 1) {
      this.#words.set([first, second, third], slot * wordsOfRow);
      this.#used += 1;
    }
    return seen;
  }

  #slotOf(first: number, second: number, third: number): number {
    let slot = first & (this.#slots - 1);
    while (this.#counts[slot] !== 0) {
      const at = slot * wordsOfRow;
      if (this.#words[at] === first && this.#words[at + 1] === second && this.#words[at + 2] === third) break;
      slot = (slot + 1) & (this.#slots - 1);
    }
    return slot;
  }

  #grow(): void {
    const [words, counts] = [this.#words, this.#counts];
    this.#slots *= 2;
    this.#words = new Uint32Array(this.#slots * wordsOfRow);
    this.#counts = new Uint32Array(this.#slots);
    for (let old = 0; old < counts.length; old += 1) {
      const seen = counts[old] ?? 0;
      if (seen === 0) continue;
      const [first = 0, second = 0, third = 0] = words.subarray(old * wordsOfRow, (old + 1) * wordsOfRow);
      const slot = this.#slotOf(first, second, third);
      this.#words.set([first, second, third], slot * wordsOfRow);
      this.#counts[slot] = seen;
    }
  }
}

const wordsOfRow = 3;

function wordAt(hash: string, place: number): number {
  return Number.parseInt(hash.slice(place, place + 8), 16);
}
