import type { Chance } from './seeded-chance.js';

/** Returns a whole number from 0 to below `limit`. */
export function drawBelow(chance: Chance, limit: number): number {
  return Math.floor(chance.next() * limit);
}

/** Returns one of the items. @throws Error if there are none */
export function drawFrom<Item>(chance: Chance, items: readonly Item[]): Item {
  const item = items[drawBelow(chance, items.length)];
  if (item === undefined) throw new Error('There is nothing to draw from.');
  return item;
}
