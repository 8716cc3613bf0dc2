import { hashOf, NumberColumn } from './repeated-ids.js';

/**
 * Counts equal rows. Call `see` with the content of every row, then `settle`. After that, the other methods count the contents that
 * occurred more than once. Each of these contents takes 16 bytes, because only a hash and two numbers are stored.
 */
export class RowCounts {
  #hashes = new NumberColumn(Float64Array);
  #repeated = new Float64Array();
  #earlier = new Uint32Array();
  #current = new Uint32Array();
  #touched = new NumberColumn(Uint32Array);

  see(content: string): void {
    this.#hashes.push(hashOf(content));
  }

  /** Ends the search for contents that occur more than once. */
  settle(): void {
    const hashes = this.#hashes.values.sort();
    const isRepeated = (hash: number, place: number) => hash === hashes[place + 1] && hash !== hashes[place - 1];
    this.#repeated = Float64Array.from(hashes.filter(isRepeated));
    this.#earlier = new Uint32Array(this.#repeated.length);
    this.#current = new Uint32Array(this.#repeated.length);
    this.#hashes = new NumberColumn(Float64Array);
  }

  /**
   * Counts a row of the current statement. Returns whether the earlier statements have at least as many equal rows as the current statement
   * has so far.
   */
  add(content: string): boolean {
    const place = this.#placeOf(hashOf(content));
    if (place === undefined) return false;
    const count = (this.#current[place] ?? 0) + 1;
    this.#current[place] = count;
    if (count === 1) this.#touched.push(place);
    return count <= (this.#earlier[place] ?? 0);
  }

  /**
   * Ends the current statement.
   * @param hasCopies whether its rows that equal earlier rows are copies; if they are, they are not counted again
   */
  endStatement(hasCopies: boolean): void {
    for (const place of this.#touched.values) {
      const [earlier = 0, current = 0] = [this.#earlier[place], this.#current[place]];
      this.#earlier[place] = hasCopies ? Math.max(earlier, current) : earlier + current;
      this.#current[place] = 0;
    }
    this.#touched = new NumberColumn(Uint32Array);
  }

  #placeOf(hash: number): number | undefined {
    let [low, high] = [0, this.#repeated.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#repeated[middle] ?? 0) < hash) low = middle + 1;
      else high = middle;
    }
    return this.#repeated[low] === hash ? low : undefined;
  }
}
