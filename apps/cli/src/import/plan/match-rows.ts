import { compareTexts, normalizeText } from './compare-texts.js';

interface WithText {
  readonly text: string;
}

/**
 * Gives each row a movement that may be the same transaction, and each movement to at most one row. Equal texts come
 * first, then those that fit best. Earlier rows choose before later ones.
 *
 * @param movements all of the account, day, direction and amount of the rows
 */
export function matchRows<Row extends WithText, Movement extends WithText>(
  rows: readonly Row[],
  movements: readonly Movement[],
): ReadonlyMap<Row, Movement> {
  const matches = new Map<Row, Movement>();
  const free = new Set(movements);
  const byText = groupByText(movements);
  for (const row of rows) {
    const movement = byText.get(normalizeText(row.text))?.shift();
    if (movement === undefined) continue;
    matches.set(row, movement);
    free.delete(movement);
  }
  for (const row of rows) {
    if (free.size === 0) break;
    if (matches.has(row)) continue;
    const movement = findClosest(row, free);
    if (movement === undefined) continue;
    matches.set(row, movement);
    free.delete(movement);
  }
  return matches;
}

function groupByText<Movement extends WithText>(movements: readonly Movement[]): ReadonlyMap<string, Movement[]> {
  const groups = new Map<string, Movement[]>();
  for (const movement of movements) {
    const text = normalizeText(movement.text);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [movement]);
    else group.push(movement);
  }
  return groups;
}

/** Returns the movement whose text fits best, or undefined if none fits. Compares at most 200 movements. */
export function findClosest<Movement extends WithText>(
  row: WithText,
  movements: Iterable<Movement>,
): Movement | undefined {
  let closest: Movement | undefined;
  let fit = 0;
  let comparedCount = 0;
  for (const movement of movements) {
    comparedCount += 1;
    if (comparedCount > comparedMax) break;
    const found = compareTexts(row.text, movement.text);
    if (found > fit) [closest, fit] = [movement, found];
  }
  return closest;
}

/** Thousands of equal amounts on one day would take minutes. */
const comparedMax = 200;
