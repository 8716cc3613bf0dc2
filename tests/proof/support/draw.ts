import type { Chance } from './seeded-chance.js';

/** Returns a random whole number from 0 to `limit` - 1. */
export function drawBelow(chance: Chance, limit: number): number {
  return Math.floor(chance.next() * limit);
}

/** Returns a random item. @throws Error if there are no items */
export function drawFrom<Item>(chance: Chance, items: readonly Item[]): Item {
  const item = items[drawBelow(chance, items.length)];
  if (item === undefined) throw new Error('There is nothing to draw from.');
  return item;
}
