import { type FinancialClient, isPermissionError } from '@centavo/sdk';
import type { OpenedStatement } from '@centavo/statement-reader';
import type { RecordedIds } from '../recorded/recorded-ids.js';
import { findUsedKeys } from '../recorded/used-keys.js';
import type { VoidedMovements } from '../recorded/voided-movements.js';
import type { RowDestinations } from '../rows.js';
import { type ComparedGroup, type ComparedRow, ComparedRows } from './compared-rows.js';
import { byPosition, type Duplicate, type MatchedRow, toDuplicate } from './duplicate.js';
import { findClosest, matchRows } from './match-rows.js';
import { findPartsAndTotals } from './parts-and-totals.js';
import {
  type DatedMovement,
  type DaysOfAccounts,
  type RecordedMovement,
  RecordedMovements,
} from './recorded-movements.js';
import { findMovedRows, findShiftedRows } from './shifted-rows.js';

/** The result of the search for rows that are already recorded, but under another idempotency key than this import would use. */
export interface DuplicateCheck {
  /**
   * The number of compared rows: rows on days with movements of their account, and rows that match a movement of
   * another day. A row does not count if a movement has its `externalId` (the bank's id of the transaction), because this
   * id shows that the row is recorded.
   */
  readonly comparedCount: number;
  readonly found: readonly Duplicate[];
  /**
   * The number of rows that are known to be replays. One of these shows it: their `externalId`; the id of a transfer or a movement, in an
   * export of Centavo; or their idempotency key, which was checked and had been used.
   */
  readonly replayedCount: number;
  /** False if `found` may lack duplicates, because the keys of only some matching rows were checked. */
  readonly isComplete: boolean;
  /** Whether the limit of requests was reached before all movements were listed. If so, some movements may be missing. */
  readonly isCut: boolean;
  /**
   * The positions of the rows that match a movement, and are therefore recorded, under their own key or another key. Rows for which
   * `ComparedRow.isReplay` is true are left out.
   */
  readonly recordedIndexes: ReadonlySet<number>;
  readonly ids: RecordedIds;
  readonly voided: VoidedMovements;
}

/**
 * Searches for rows that are already recorded in their accounts, but under another idempotency key. The same
 * transaction may have been in a file of another format, or may have had another id from the bank. It may also have been
 * recorded by hand, or by another user or API key. The API scopes idempotency keys by user, or by API key (contract,
 * section 6).
 *
 * A movement and a row with the same account, direction and amount (except in the last case) count as the same transaction in these cases:
 * - They have the same day and similar texts (`compareTexts`).
 * - They have the same day and different texts, or days that are up to three days apart. A single match of this kind may be a coincidence,
 *   so it counts only under the conditions of `findShiftedRows`, or under those of `findMovedRows`. The first looks for many such matches.
 *   The second looks for one transaction that the bank has moved to another day, in a file with replays.
 * - The row is a part of the movement, or the movement is a part of the row (`findPartsAndTotals`).
 *
 * Each movement matches at most one row, unless the rows are its parts: if only one of two equal payments is recorded, the other is new.
 *
 * A row is a replay if its `externalId`, transfer or movement id shows that it is recorded, or if its own key was used. Only a request can
 * show whether a key was used. So the keys of at most 200 matching rows are checked, spread over the file. There is one exception: if the
 * file has more equal rows than matching movements, the keys of all these rows are checked, and replays are matched first.
 *
 * A movement whose amount was corrected is not found. A movement whose corrected text is no longer similar is found only by
 * `findShiftedRows`.
 *
 * Sends the requests of `RecordedMovements.load` and `findUsedKeys`.
 *
 * @param file.acceptsDuplicates if true, the function compares no rows, and lists the movements only to fill `ids` and `voided`
 * @returns undefined if the credential may not list or record movements
 */
export async function findDuplicates(
  client: FinancialClient,
  file: { statement: OpenedStatement; destinations: RowDestinations; acceptsDuplicates: boolean },
): Promise<DuplicateCheck | undefined> {
  try {
    const recorded = await RecordedMovements.load(client, await daysOf(file));
    if ((recorded.isEmpty && recorded.voided.isEmpty) || file.acceptsDuplicates) {
      const { isCut, ids, voided } = recorded;
      return {
        comparedCount: 0,
        found: [],
        replayedCount: 0,
        isComplete: true,
        isCut,
        recordedIndexes: new Set(),
        ids,
        voided,
      };
    }
    return await compareRows(client, { ...file, recorded });
  } catch (error) {
    if (isPermissionError(error)) return undefined;
    throw error;
  }
}

/**
 * Returns whether an import may continue only after the user confirms its duplicates. This is so for two or more duplicates. It is
 * also so for a single duplicate if the file has fewer than five compared rows, or if another row is a replay.
 *
 * Without replays, a single duplicate among many rows may be another transaction with the same text. With replays, an earlier import
 * recorded a file that overlaps with this file, so this file has a row for each movement of the common days. The movement of the duplicate
 * has no other row here. So it probably is the transaction of this row, whose text or category differs between the two exports.
 */
export function mustConfirmDuplicates({
  comparedCount,
  found,
  replayedCount,
}: Pick<DuplicateCheck, 'comparedCount' | 'found' | 'replayedCount'>): boolean {
  return found.length >= 2 || found.length > comparedCount / 5 || (found.length === 1 && replayedCount > 0);
}

/** Returns the days on which each existing account has rows in the file. If the tracker has no account, the file is not read. */
async function daysOf({
  statement,
  destinations,
}: {
  statement: OpenedStatement;
  destinations: RowDestinations;
}): Promise<DaysOfAccounts> {
  const days = new Map<string, Set<string>>();
  if (!destinations.accounts.hasAccounts) return days;
  for await (const row of statement.rows()) {
    if (row.outcome !== 'transaction') continue;
    const account = await destinations.accountOf(row.transaction);
    if ('reason' in account || account.found.id === null) continue;
    const known = days.get(account.found.id);
    if (known === undefined) days.set(account.found.id, new Set([row.transaction.occurredOn]));
    else known.add(row.transaction.occurredOn);
  }
  return days;
}

/**
 * Compares the rows of the file with the recorded movements, the most certain matches first: movements of the same day (`sameDay`), of
 * other days or texts (`shifted`), parts and totals (`split`), and, if some rows are replays, single moved rows (`moved`).
 */
async function compareRows(
  client: FinancialClient,
  file: { statement: OpenedStatement; destinations: RowDestinations; recorded: RecordedMovements },
): Promise<DuplicateCheck> {
  const compared = await ComparedRows.read(file);
  const { comparedCount, days } = compared;
  const sameDay = new Map<ComparedRow, RecordedMovement>();
  for (const group of compared.groups)
    for (const [row, movement] of await matchGroup(client, group)) sameDay.set(row, movement);
  const search = {
    days,
    recorded: file.recorded,
    findUsedKeys: (keys: readonly string[]) => findUsedKeys(client, keys),
  };
  const { rows: unmatched, lastIndex } = compared.findUnmatched(sameDay);
  const shifted = await findShiftedRows({
    ...search,
    rows: unmatched,
    otherCount: compared.countOthers(lastIndex),
    matched: [...sameDay.keys()]
      .filter(({ isReplay, index }) => !isReplay && index <= lastIndex)
      .toSorted((one, other) => one.index - other.index),
    taken: new Set([...sameDay.values()].map(({ id }) => id)),
  });
  const taken = new Set([...sameDay.values(), ...shifted.values()].map(({ id }) => id));
  const unmatchedOfDays = compared.findUnmatchedOfDays(new Map([...sameDay, ...shifted]));
  const split = await findPartsAndTotals({ ...search, rows: unmatchedOfDays, taken });
  const whole = [...sameDay, ...shifted].filter(([row]) => !row.isReplay);
  const matched: readonly MatchedRow[] = [
    ...whole.map(([row, movement]) => ({ row, movements: [movement], isPart: false })),
    ...[...split].map(([row, { movements, isPart }]) => ({ row, movements, isPart })),
  ];
  const checked = spread(matched.toSorted(byPosition), keysCheckedMax);
  const used = await findUsedKeys(
    client,
    checked.map(({ row }) => row.key),
  );
  const replayedCount = compared.countReplays() + used.size;
  const moved =
    replayedCount === 0
      ? new Map<ComparedRow, DatedMovement>()
      : await findMovedRows({
          ...search,
          rows: unmatched.filter((row) => !shifted.has(row) && !split.has(row)),
          countSimilar: (row) => compared.countSimilar(row),
          taken: new Set([...taken, ...[...split.values()].flatMap(({ movements }) => movements.map(({ id }) => id))]),
        });
  const movedRows = [...moved].map(([row, movement]) => ({ row, movements: [movement], isPart: false }));
  const recordedIndexes = new Set([...matched, ...movedRows].map(({ row }) => row.index));
  const duplicates = [...checked.filter(({ row }) => !used.has(row.key)), ...movedRows];
  const found = duplicates.toSorted(byPosition).map(toDuplicate);
  const isComplete = checked.length === matched.length;
  const onOtherDays = [...shifted.keys(), ...moved.keys()].filter((row) => !file.recorded.hasDay(row)).length;
  const { isCut, ids, voided } = file.recorded;
  return {
    comparedCount: comparedCount + onOtherDays,
    found,
    replayedCount,
    isComplete,
    isCut,
    recordedIndexes,
    ids,
    voided,
  };
}

const keysCheckedMax = 200;

/**
 * Returns the rows of a group that match a movement, including replays. Each movement matches at most one row. If the group
 * has more similar rows than matching movements, the keys show which rows are replays. Replays are matched first, and the
 * other rows are matched with the remaining movements.
 */
async function matchGroup(
  client: FinancialClient,
  group: ComparedGroup,
): Promise<ReadonlyMap<ComparedRow, RecordedMovement>> {
  const { rows, movements } = group;
  const unknown = rows.filter(({ isReplay }) => !isReplay);
  let matches = matchRows(withReplaysFirst(rows), movements);
  const isAmbiguous =
    unknown.some((row) => matches.has(row)) &&
    unknown.some((row) => !matches.has(row) && findClosest(row, movements) !== undefined);
  if (isAmbiguous) {
    const used = await findUsedKeys(
      client,
      unknown.map(({ key }) => key),
    );
    for (const row of unknown) row.isReplay = used.has(row.key);
    matches = matchRows(withReplaysFirst(rows), movements);
  }
  return matches;
}

function withReplaysFirst(rows: readonly ComparedRow[]): readonly ComparedRow[] {
  return rows.toSorted((one, other) => Number(other.isReplay) - Number(one.isReplay));
}

/** Returns at most `max` items, evenly spread. */
function spread<Item>(items: readonly Item[], max: number): readonly Item[] {
  if (items.length <= max) return items;
  const step = items.length / max;
  return Array.from({ length: max }, (_, index) => items[Math.floor(index * step)] as Item);
}
