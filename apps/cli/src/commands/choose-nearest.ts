/**
 * The ten names that are most like one that was typed, nearest first: those that hold it as a whole, then by how many
 * letters have to be changed. Up to ten are given as they are, in their order.
 */
export function chooseNearest(typed: string, names: readonly string[]): readonly string[] {
  if (names.length <= namesMax) return names;
  const wanted = typed.trim().toLowerCase();
  const distanceTo = (name: string) =>
    name.toLowerCase().includes(wanted) ? 0 : countEdits(wanted, name.toLowerCase());
  return names
    .map((name) => ({ name, distance: distanceTo(name) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, namesMax)
    .map(({ name }) => name);
}

const namesMax = 10;

/** How many letters have to be added, taken out or replaced to make one text the other. */
function countEdits(one: string, other: string): number {
  let edits = Array.from({ length: other.length + 1 }, (_, length) => length);
  for (let row = 1; row <= one.length; row += 1) {
    const above = edits;
    edits = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isEqual = one[row - 1] === other[column - 1];
      const replaced = (above[column - 1] ?? 0) + (isEqual ? 0 : 1);
      edits.push(Math.min(replaced, (above[column] ?? 0) + 1, (edits[column - 1] ?? 0) + 1));
    }
  }
  return edits.at(-1) ?? 0;
}
