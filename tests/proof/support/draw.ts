import type { SeededRandom } from './seeded-random.js';

/** Returns a random whole number from 0 to `limit` - 1. */
export function drawBelow(random: SeededRandom, limit: number): number {
  return Math.floor(random.next() * limit);
}

/** Returns a random item. @throws Error if there are no items */
export function drawFrom<Item>(random: SeededRandom, items: readonly Item[]): Item {
  const item = items[drawBelow(random, items.length)];
  if (item === undefined) throw new Error('There is nothing to draw from.');
  return item;
}
