/**
 * An unordered set in an array. V8 frees the removed entries of a Set or Map only with a major collection, together with all
 * garbage to which they point (decision 0044). A Set of the responses under way and a Map of the idempotency keys under way cost
 * W3 5 % of its requests per second, W1 12 % more processor time in Node, and both 1.4 to 1.7 times the p99. Adding an item twice
 * lists it twice.
 */
export class ArraySet<Item> implements Iterable<Item> {
  readonly #items: Item[] = [];

  add(item: Item): void {
    this.#items.push(item);
  }

  /** Removes an item. Removing it again does nothing. Takes time in proportion to the number of items. */
  delete(item: Item): void {
    const index = this.#items.indexOf(item);
    if (index === -1) return;
    const last = this.#items.pop() as Item;
    if (index < this.#items.length) this.#items[index] = last;
  }

  get size(): number {
    return this.#items.length;
  }

  find(matches: (item: Item) => boolean): Item | undefined {
    return this.#items.find(matches);
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.#items.values();
  }
}
