import type { Chance } from './seeded-chance.js';

/** A whole number from 0 to below `limit`. */
export function drawBelow(chance: Chance, limit: number): number {
  return Math.floor(chance.next() * limit);
}

/** One of the items. @throws Error where there is none */
export function drawFrom<Item>(chance: Chance, items: readonly Item[]): Item {
  const item = items[drawBelow(chance, items.length)];
  if (item === undefined) throw new Error('There is nothing to draw from.');
  return item;
}
