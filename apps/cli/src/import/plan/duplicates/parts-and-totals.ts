import type { ComparedRow } from './compared-rows.js';
import { compareTexts } from './match-rows.js';
import { type DayMovement, dayId, type RecordedMovements } from './recorded-movements.js';

/** The recorded movement of which a row is a part, or the recorded movements that are the parts of a row. */
export interface RecordedParts {
  readonly movements: readonly DayMovement[];
  /** If true, `movements` has one element, and the row is a part of it. If false, the movements are the parts of the row. */
  readonly isPart: boolean;
}

/**
 * Finds rows that are the parts of a recorded movement, and rows whose parts are recorded. One export of an account may have the splits
 * of a transaction, the payments of a batch, or an amount and its fee, but another export may have only their total.
 *
 * The parts must have the account and day of the total, and add up to it exactly. This may be a coincidence, so one of two conditions
 * must also be true:
 * - The texts of the parts are similar to the text of the total. The function first tries all similar rows (or movements) of the day, then
 *   some of those that have the direction of the total.
 * - The total and its parts are the only unmatched rows and movements of the day. If the parts are rows, they must also be on one line of
 *   the file, as the splits of a transaction are: the user may have recorded only some payments of the day by hand.
 *
 * If the idempotency key of one of the rows was used, this row is a replay, and the function returns neither the total nor its parts. A
 * day with more than 50 unmatched rows or movements is not searched, to limit the time.
 *
 * @param file.rows the rows that match no movement
 * @param file.taken the ids of the movements that match a row
 */
export async function findPartsAndTotals(file: {
  readonly rows: readonly ComparedRow[];
  readonly recorded: RecordedMovements;
  readonly taken: ReadonlySet<string>;
  readonly findUsedKeys: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
}): Promise<ReadonlyMap<ComparedRow, RecordedParts>> {
  const { recorded, taken } = file;
  const splits: Split[] = [];
  for (const rows of byDay(file.rows)) {
    const [{ accountId }] = rows;
    // A movement with the bank's transaction id of a row belongs to this row, even if its amount was changed.
    const hasRow = ({ externalId }: DayMovement) => externalId !== null && recorded.ids.isInFile(accountId, externalId);
    const movements = recorded.movementsOfDay(rows[0]).filter((one) => !taken.has(one.id) && !hasRow(one));
    if (rows.length > itemsMax || movements.length > itemsMax) continue;
    const haveOneLine = rows.every(({ line }) => line === rows[0].line);
    const withTotalMovement = findSplits(movements, rows, haveOneLine).map(({ total, parts }) => ({
      rows: parts,
      movements: [total],
    }));
    const used = new Set(withTotalMovement.flatMap((split) => [...split.rows, ...split.movements]));
    const withTotalRow = findSplits(without(rows, used), without(movements, used), true);
    splits.push(...withTotalMovement, ...withTotalRow.map(({ total, parts }) => ({ rows: [total], movements: parts })));
  }
  const checked = firstOf(splits);
  const usedKeys = await file.findUsedKeys(checked.flatMap(({ rows }) => rows.map(({ key }) => key)));
  const found = checked.filter(({ rows }) => !rows.some(({ key }) => usedKeys.has(key)));
  return new Map(
    found.flatMap(({ rows, movements }) => rows.map((row) => [row, { movements, isPart: rows.length > 1 }] as const)),
  );
}

/** The maximum number of unmatched rows, and of unmatched movements, on a day that is searched. */
const itemsMax = 50;

/** The maximum number of idempotency keys that are looked up. Further splits are not found. */
const keysMax = 200;

/** Returns the first splits, which together have at most `keysMax` rows. */
function firstOf(splits: readonly Split[]): readonly Split[] {
  let count = 0;
  return splits.filter(({ rows }) => {
    count += rows.length;
    return count <= keysMax;
  });
}

/** One movement and the rows that are its parts, or one row and the movements that are its parts. */
interface Split {
  readonly rows: readonly ComparedRow[];
  readonly movements: readonly DayMovement[];
}

/** The fields that a row and a movement have in common. */
type Item = Pick<DayMovement, 'direction' | 'amountDecimal' | 'text'>;

function byDay(rows: readonly ComparedRow[]): Iterable<readonly [ComparedRow, ...ComparedRow[]]> {
  const days = new Map<string, [ComparedRow, ...ComparedRow[]]>();
  for (const row of rows) {
    const ofDay = days.get(dayId(row));
    if (ofDay === undefined) days.set(dayId(row), [row]);
    else ofDay.push(row);
  }
  return days.values();
}

/**
 * Returns the totals whose parts are found, each with its parts. Each part belongs to at most one total.
 * @param mayDiffer whether the texts of the parts may differ from the text of the total, if there is only one total
 */
function findSplits<Total extends Item, Part extends Item>(
  totals: readonly Total[],
  parts: readonly Part[],
  mayDiffer: boolean,
): readonly { readonly total: Total; readonly parts: readonly Part[] }[] {
  const free = new Set(parts);
  return totals.flatMap((total) => {
    const similar = [...free].filter(({ text }) => compareTexts(text, total.text) > 0);
    const isOnlyTotal = mayDiffer && totals.length === 1 && areParts(parts, total);
    const found = findParts(similar, total) ?? (isOnlyTotal ? parts : undefined);
    for (const part of found ?? []) free.delete(part);
    return found === undefined ? [] : [{ total, parts: found }];
  });
}

function findParts<Part extends Item>(items: readonly Part[], total: Item): readonly Part[] | undefined {
  if (areParts(items, total)) return items;
  const smaller = items.filter((item) => item.direction === total.direction && scaled(item) < scaled(total));
  return smaller.length > partsMax ? undefined : findSubset(smaller, scaled(total));
}

function areParts(items: readonly Item[], total: Item): boolean {
  return items.length > 1 && items.reduce((sum, item) => sum + signed(item), 0n) === signed(total);
}

/** The maximum number of items whose subsets are compared with a total. */
const partsMax = 10;

/** Returns items whose amounts add up to `sum`; undefined if there are none. */
function findSubset<Part extends Item>(items: readonly Part[], sum: bigint): readonly Part[] | undefined {
  if (sum === 0n) return [];
  const [first, ...others] = items;
  if (first === undefined || sum < 0n) return undefined;
  const withFirst = findSubset(others, sum - scaled(first));
  return withFirst === undefined ? findSubset(others, sum) : [first, ...withFirst];
}

function signed(item: Item): bigint {
  return item.direction === 'expense' ? -scaled(item) : scaled(item);
}

/** Returns the amount as an integer: the amount times ten to the power of `decimalsMax`. */
function scaled({ amountDecimal }: Item): bigint {
  const [whole = '0', decimals = ''] = amountDecimal.split('.');
  return BigInt(whole + decimals.padEnd(decimalsMax, '0'));
}

/** A number of decimals that no amount exceeds. */
const decimalsMax = 30;

function without<One>(items: readonly One[], excluded: ReadonlySet<unknown>): readonly One[] {
  return items.filter((item) => !excluded.has(item));
}
