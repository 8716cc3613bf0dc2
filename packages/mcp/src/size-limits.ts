/**
 * The maximum number of characters in the text of a result. Clients reject larger results.
 * @source docs/additions.md, section 6
 */
export const textLengthMax = 20_000;

/** The maximum number of rows in one result. */
export const rowsMax = 100;
/** The number of rows that a call without `limit` returns. */
export const rowsDefault = 25;

/** Returns how many of the `rows`, counted from the first, fit into the text of a result that also has the fields `others`. */
export function countFittingRows(rows: readonly unknown[], others: Readonly<Record<string, unknown>>): number {
  let left = textLengthMax - JSON.stringify(others).length;
  const tooLong = rows.findIndex((row) => {
    // The comma between two rows counts too.
    left -= JSON.stringify(row).length + 1;
    return left < 0;
  });
  return tooLong === -1 ? rows.length : tooLong;
}

/**
 * Returns `value`, shortened if it is too long, and the number of omitted items. If the JSON of the value has more than
 * `lengthMax` characters, all its lists are cut to 64 items each. If that is not enough, they are cut to 32, then 16, and so on down to 1.
 * A value that is still too long, for example because of a long string, is returned with lists of one item.
 */
export function cutLists<Value>(
  value: Value,
  lengthMax: number,
): { readonly value: Value; readonly omittedRows: number } {
  let cut = value;
  for (let itemsMax = 64; JSON.stringify(cut).length > lengthMax && itemsMax >= 1; itemsMax /= 2) {
    cut = withShortLists(value, itemsMax) as Value;
  }
  return { value: cut, omittedRows: countItems(value) - countItems(cut) };
}

function withShortLists(value: unknown, itemsMax: number): unknown {
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((item) => withShortLists(item, itemsMax));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withShortLists(field, itemsMax)]));
}

/** Returns the number of items of all lists in a value. */
function countItems(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Object.values(value).reduce((sum: number, inner) => sum + countItems(inner), own);
}
