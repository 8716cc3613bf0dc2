/**
 * Counts how often each fingerprint was seen: `count(fingerprint)` answers 1 the first time, then 2, 3 ….
 *
 * An open-addressing table over typed arrays: 20 bytes a slot, where a `Map` of strings takes some 150 bytes a row and
 * would break the promise of a small memory on a million rows. The first 128 bits of a SHA-256 stand for the row;
 * two different rows that share them are not expected in the life of the universe.
 */
export class OccurrenceCounter {
  #slots: number;
  #used = 0;
  #words: Uint32Array;
  #counts: Uint32Array;
  readonly #width: number;

  /**
   * @param slots initial capacity, a power of two; it doubles when half full
   * @param width 32-bit words that stand for a row; 2 where memory is dearer than one chance in 10^7 in a million rows
   */
  constructor(slots = 4096, width: 2 | 4 = 4) {
    this.#slots = slots;
    this.#width = width;
    this.#words = new Uint32Array(slots * width);
    this.#counts = new Uint32Array(slots);
  }

  /** @param fingerprint at least 16 bytes of a hash */
  count(fingerprint: Buffer): number {
    if (this.#used * 2 >= this.#slots) this.#grow();
    const words = [0, 4, 8, 12].slice(0, this.#width).map((offset) => fingerprint.readUInt32LE(offset));
    const slot = this.#slotOf(words);
    const seen = (this.#counts[slot] ?? 0) + 1;
    if (seen === 1) {
      this.#words.set(words, slot * this.#width);
      this.#used += 1;
    }
    this.#counts[slot] = seen;
    return seen;
  }

  #slotOf(words: readonly number[]): number {
    let slot = (words[0] ?? 0) & (this.#slots - 1);
    while (
      this.#counts[slot] !== 0 &&
      !words.every((word, index) => this.#words[slot * this.#width + index] === word)
    ) {
      slot = (slot + 1) & (this.#slots - 1);
    }
    return slot;
  }

  #grow(): void {
    const [words, counts] = [this.#words, this.#counts];
    this.#slots *= 2;
    this.#words = new Uint32Array(this.#slots * this.#width);
    this.#counts = new Uint32Array(this.#slots);
    for (let old = 0; old < counts.length; old += 1) {
      const seen = counts[old] ?? 0;
      if (seen === 0) continue;
      const row = words.subarray(old * this.#width, (old + 1) * this.#width);
      const slot = this.#slotOf([...row]);
      this.#words.set(row, slot * this.#width);
      this.#counts[slot] = seen;
    }
  }
}
