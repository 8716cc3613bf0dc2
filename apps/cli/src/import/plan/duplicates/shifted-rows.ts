import { compareTexts } from './match-rows.js';
import {
  type AccountPeriods,
  type DatedMovement,
  dayNumber,
  type MovementGroup,
  type RecordedMovements,
  shiftDaysMax,
} from './recorded-movements.js';

/** A row with its account, day, direction, amount and idempotency key. */
export interface PlacedRow extends MovementGroup {
  readonly key: string;
  /** The bank's id of the row; undefined if it has none. */
  readonly externalId: string | undefined;
}

/** The input of a search for rows that are already recorded: the rows of a file, and the recorded movements. */
interface SearchedFile<Row> {
  /** The rows that match no movement of the same day and with similar texts, but may match another movement. */
  readonly rows: readonly Row[];
  /** The first and the last day with a row, for each account. */
  readonly days: AccountPeriods;
  readonly recorded: RecordedMovements;
  /** The ids of movements that are matched already. */
  readonly taken: ReadonlySet<string>;
  /**
   * Returns those of the given idempotency keys under which a request was already recorded. A row with such a key is a replay: an earlier
   * import recorded it.
   */
  readonly findUsedKeys: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
}

/**
 * Finds rows that are recorded with other texts, or some days earlier or later. Two exports of an account often differ
 * in text and day: one has the day and text of the purchase, the other has the day and text of the booking.
 *
 * A single match of this kind is often a coincidence: the row and the movement are different transactions. Therefore the matches count
 * only if all of these are true, with the exception below:
 *
 * - At least three rows match, or at least two rows match a movement of their own day.
 * - The rows that match are at least 60% of the relevant rows. A row is relevant if it matches, or if its day is between the first and
 *   the last movement of its account.
 * - For at least one match, the row and the movement are in the common period. This is the period that both the file and the recorded
 *   movements of the account cover. The reason: if the file begins where the recorded movements end, the first rows of the file may match
 *   the last movements, although the rows are other transactions.
 *
 * In the first two points, the rows of `file.matched` count as rows that match a movement of their own day: if most rows of a file are
 * recorded, the other rows probably are as well. Rows that are known to be replays are not counted.
 *
 * The exception: one or two relevant rows cannot show a pattern, but a missed match would record a transaction twice. So if there are
 * fewer than three relevant rows, a match also counts if the row and the movement are in the common period, and have the same day or
 * similar texts. If the row is not in the common period, the match still counts if the movement has no bank id, is in the period of the
 * file, and has similar words. The reason: if the user recorded only one payment, the common period is the day of this payment.
 *
 * @param file.otherCount the number of relevant rows that are not in `rows`. They cannot match: no movement with the same account,
 *   direction and amount is at most three days away
 * @param file.matched rows that match a movement of the same day with similar texts, and may be replays
 */
export async function findShiftedRows<Row extends ComparedText>(
  file: SearchedFile<Row> & { readonly otherCount: number; readonly matched: readonly Row[] },
): Promise<ReadonlyMap<Row, DatedMovement>> {
  const { rows, recorded, days, otherCount } = file;
  const matches = matchByAmount(rows, file);
  const unmatchedCount = otherCount + rows.filter((row) => recorded.isInPeriod(row) && !matches.has(row)).length;
  const isInCommonPeriod = ([row, { occurredOn }]: Match<Row>) =>
    recorded.isInPeriod(row) && days.has(row.accountId, occurredOn);
  const isSimilarInFile = ([row, { occurredOn, text, externalId }]: Match<Row>) =>
    externalId === null &&
    /\p{L}{3}/u.test(text) &&
    days.has(row.accountId, occurredOn) &&
    compareTexts(row.text, text) > 0;
  const areMost = (matchedCount: number) => {
    const count = matches.size + matchedCount;
    const sameDayCount = [...matches].filter(hasSameDay).length + matchedCount;
    const areEnough = count >= rowsMin || sameDayCount >= sameDayRowsMin;
    return [...matches].some(isInCommonPeriod) && areEnough && count >= (count + unmatchedCount) * partMin;
  };
  const findAmongFew = (matchedCount: number) => {
    const areFew = matches.size + matchedCount + unmatchedCount < rowsMin;
    const isProbable = (match: Match<Row>) => (isInCommonPeriod(match) ? isClose(match) : isSimilarInFile(match));
    return new Map([...matches].filter((match) => areFew && isProbable(match)));
  };
  if (!areMost(file.matched.length) && findAmongFew(file.matched.length).size === 0) return new Map();
  const checked = [...matches.keys()].slice(0, keysCheckedMax);
  const used = await file.findUsedKeys(checked.map(({ key }) => key));
  for (const row of checked) if (used.has(row.key)) matches.delete(row);
  if (areMost(0)) return matches;
  const sample = file.matched.slice(0, keysCheckedMax);
  const replays = await file.findUsedKeys(sample.map(({ key }) => key));
  const matchedCount = sample.length - replays.size;
  if (!areMost(matchedCount)) return findAmongFew(matchedCount);
  return new Map([...matches].filter(([row]) => recorded.isInPeriod(row)));
}

type ComparedText = PlacedRow & { readonly text: string };

type Match<Row> = readonly [row: Row, movement: DatedMovement];

function hasSameDay([row, movement]: Match<PlacedRow>): boolean {
  return row.occurredOn === movement.occurredOn;
}

/** Returns whether a row and its movement have the same day or similar texts. */
function isClose([row, movement]: Match<ComparedText>): boolean {
  return hasSameDay([row, movement]) || compareTexts(row.text, movement.text) > 0;
}

/**
 * Finds rows that are recorded with similar texts up to three days earlier or later. If the text of a movement names an authorization, a
 * row of the same day, or up to three days later, may also have another text.
 *
 * Call this function only for a file with replays. Replays show that an earlier import recorded this file, or a file that overlaps with
 * it. So each movement that is dated between the first and last row of the file should match a row of its day. If no row matches, the bank
 * has probably moved the transaction to another day. For example, the transaction was pending in the earlier file, and got another id when
 * the bank booked it.
 *
 * If a row has the `externalId` of a movement, the movement belongs to that row, even if the day or amount of either was changed. So it is
 * not matched with another row.
 *
 * A movement up to three days before the first row is a special case: the file has no rows of its day, and cannot show whether the bank
 * has moved it to another day. A similar row may be a new payment, such as a daily coffee. So the two match only if both conditions are
 * true:
 * - The payment does not recur: no other listed movement and no other row has the same account, direction and amount, and similar texts.
 * - The row and the movement do not have different `externalId`s, because nothing in the file shows that the bank has replaced the id.
 *
 * @param file.countSimilar returns the number of rows that have the account, direction and amount of the given row, and similar texts; the
 *   given row counts too
 */
export async function findMovedRows<Row extends ComparedText>(
  file: SearchedFile<Row> & { readonly countSimilar: (row: Row) => number },
): Promise<ReadonlyMap<Row, DatedMovement>> {
  const hasRow = ({ accountId }: Row, { externalId }: DatedMovement) =>
    externalId !== null && file.recorded.ids.isInFile(accountId, externalId);
  const recurs = (row: Row) => {
    const movements = file.recorded.movementsOfAmount(row).slice(0, comparedMax);
    const similar = movements.filter(({ text }) => compareTexts(row.text, text) > 0);
    return similar.length > 1 || file.countSimilar(row) > 1;
  };
  // If both have an id, the ids differ: `hasRow` is true for a movement with the id of a row.
  const haveIds = (row: Row, { externalId }: DatedMovement) => row.externalId !== undefined && externalId !== null;
  const mayMatchBeforeFile = (row: Row, movement: DatedMovement) =>
    file.days.isBefore(row.accountId, movement.occurredOn) && !haveIds(row, movement) && !recurs(row);
  const isBooking = (row: Row, { text, occurredOn }: DatedMovement) =>
    authorization.test(text) && occurredOn <= row.occurredOn;
  const mayMatch = (row: Row, movement: DatedMovement) => {
    if (hasRow(row, movement)) return false;
    const isInPeriod = file.days.has(row.accountId, movement.occurredOn);
    const isSimilar = compareTexts(row.text, movement.text) > 0;
    return isInPeriod ? isSimilar || isBooking(row, movement) : isSimilar && mayMatchBeforeFile(row, movement);
  };
  const matches = matchByAmount(file.rows, { ...file, mayMatch });
  const checked = [...matches.keys()].slice(0, keysCheckedMax);
  const used = await file.findUsedKeys(checked.map(({ key }) => key));
  for (const row of checked) if (used.has(row.key)) matches.delete(row);
  return matches;
}

/** Matches the text of an authorization, such as `AUTH 99812`. The booking often has the name of the merchant instead. */
const authorization = new RegExp(
  `^\\W*(${[
    'auth|(pre-?)?authori[sz](ation|ed)|pre-?auth|(card )?hold|(card )?reservation|reserved|pending',
    '(karten|vor)?(autorisierung|reservierung)|vorgemerkt|(pré-?)?autorisation|réservation|(pre)?autorización|retención',
    '(pre)?autorizzazione|(pré-)?autorização|reservering|gereserveerd|reserverad|reserverat|reservert|reservasjon|varaus|katevaraus',
    'blokada|autoryzacja|blokace|autorizace|zárolás|provizyon|холд|авторизация',
  ].join('|')})(?!\\p{L})`,
  'iu',
);

const keysCheckedMax = 200;

const rowsMin = 3;
const sameDayRowsMin = 2;
const partMin = 0.6;

/**
 * Matches each row with an unmatched movement of the same account, direction and amount that is at most three days earlier or
 * later than the row. If there are several, chooses the one with the nearest day. Ignores a movement if `mayMatch` returns false.
 */
function matchByAmount<Row extends PlacedRow>(
  rows: readonly Row[],
  {
    recorded,
    taken,
    mayMatch = () => true,
  }: {
    readonly recorded: RecordedMovements;
    readonly taken: ReadonlySet<string>;
    readonly mayMatch?: (row: Row, movement: DatedMovement) => boolean;
  },
): Map<Row, DatedMovement> {
  const matches = new Map<Row, DatedMovement>();
  const used = new Set(taken);
  for (const row of rows) {
    const distance = (movement: DatedMovement) => Math.abs(dayNumber(movement.occurredOn) - dayNumber(row.occurredOn));
    let nearest: DatedMovement | undefined;
    for (const movement of recorded.movementsOfAmount(row).slice(0, comparedMax)) {
      if (used.has(movement.id) || distance(movement) > shiftDaysMax || !mayMatch(row, movement)) continue;
      if (nearest === undefined || distance(movement) < distance(nearest)) nearest = movement;
    }
    if (nearest === undefined) continue;
    used.add(nearest.id);
    matches.set(row, nearest);
  }
  return matches;
}

/**
 * The maximum number of movements that are compared with a row. Without this limit, thousands of equal amounts in one account
 * would take minutes to compare.
 */
const comparedMax = 1000;
