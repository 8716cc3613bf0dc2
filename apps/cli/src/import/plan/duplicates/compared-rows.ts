import type { OpenedStatement } from '@centavo/statement-reader';
import {
  externalIdOf,
  type RecordedTransferRow,
  type ResolvedRow,
  type RowDestinations,
  resolveRows,
} from '../rows.js';
import { compareTexts } from './match-rows.js';
import {
  AccountPeriods,
  amountId,
  groupId,
  type MovementGroup,
  type RecordedMovement,
  type RecordedMovements,
} from './recorded-movements.js';

/** A row that is compared with movements. */
export interface ComparedRow extends MovementGroup {
  readonly index: number;
  readonly line: number;
  readonly key: string;
  /** The bank's id of the row; undefined if it has none. */
  readonly externalId: string | undefined;
  readonly text: string;
  readonly accountName: string;
  readonly currencyCode: string;
  /**
   * Whether the row is known to be recorded, because one of these is true: its key was used; it is a leg of a recorded transfer; it was
   * exported from Centavo with the id of a recorded movement; or a movement has its `externalId`.
   */
  isReplay: boolean;
}

/** Rows and movements with the same account, day, direction and amount. */
export interface ComparedGroup {
  readonly rows: ComparedRow[];
  readonly movements: readonly RecordedMovement[];
}

/**
 * The rows of a file that may match a movement. All other rows are only counted, to limit the memory. If a row can match only
 * movements that have another day or another text, it is compared only if it is among the first 20,000 such rows.
 */
export class ComparedRows {
  /** The days of the rows of each account. */
  readonly days = new AccountPeriods();
  readonly #groups = new Map<string, ComparedGroup>();
  /** Rows with a movement of the same account, direction and amount that is one to three days away, but with none on the same day. */
  readonly #nearRows: ComparedRow[] = [];
  /** Rows whose account has movements on their day, but none with the direction and amount of the row. */
  readonly #rowsOfDays: ComparedRow[] = [];
  /** The positions of the rows that `countOthers` counts, in ascending order. */
  readonly #otherIndexes: number[] = [];
  /** The texts of the rows that have the account, direction and amount of a movement, on any day. */
  readonly #textsOfAmount = new Map<string, string[]>();
  #textCount = 0;
  #comparedCount = 0;
  /** The number of replays that are in no group. */
  #otherReplays = 0;

  private constructor() {}

  /** Reads the rows of the file, and groups those that have the account, day, direction and amount of a movement. */
  static async read(file: {
    statement: OpenedStatement;
    destinations: RowDestinations;
    recorded: RecordedMovements;
  }): Promise<ComparedRows> {
    const compared = new ComparedRows();
    for await (const row of resolveRows(file.statement.rows(), file.destinations, { mayRepeat: () => true })) {
      if (canBeCompared(row)) compared.#add(row, file);
    }
    return compared;
  }

  /** The number of rows on days with movements of their account. A row does not count if a movement has its `externalId`. */
  get comparedCount(): number {
    return this.#comparedCount;
  }

  /**
   * Counts rows up to the position `lastIndex`. A row counts if all of these are true: its day is in the period of the recorded movements;
   * it is not known to be a replay; and no movement of the same amount is on its day or at most three days away.
   */
  countOthers(lastIndex: number): number {
    const first = this.#otherIndexes.findIndex((index) => index > lastIndex);
    return first === -1 ? this.#otherIndexes.length : first;
  }

  /**
   * Returns the number of rows that have the account, direction and amount of the given row, and similar texts. The given row counts too.
   * It must have the account, direction and amount of a movement. Returns infinity if more than 20,000 rows of the file have the
   * account, direction and amount of any movement.
   */
  countSimilar(row: ComparedRow): number {
    if (this.#textCount > unmatchedMax) return Number.POSITIVE_INFINITY;
    const texts = this.#textsOfAmount.get(amountId(row)) ?? [];
    return texts.filter((text) => compareTexts(row.text, text) > 0).length;
  }

  get groups(): Iterable<ComparedGroup> {
    return this.#groups.values();
  }

  /** Returns the number of rows that are known to be replays. */
  countReplays(): number {
    let count = this.#otherReplays;
    for (const { rows } of this.groups) count += rows.filter(({ isReplay }) => isReplay).length;
    return count;
  }

  /**
   * Returns the rows that are neither matched nor known to be replays, but may match a movement that has another day or another text. The
   * rows are in the order of the file. At most 20,000 rows are returned, because each of them is compared with up to 1000 movements. If
   * this limit is reached, `lastIndex` is the position of the last returned row. If not, `lastIndex` is infinite.
   */
  findUnmatched(matched: ReadonlyMap<ComparedRow, unknown>): {
    readonly rows: readonly ComparedRow[];
    readonly lastIndex: number;
  } {
    const unmatched = this.#nearRows.slice();
    for (const { rows } of this.groups) {
      for (const row of rows) if (!row.isReplay && !matched.has(row)) unmatched.push(row);
    }
    const rows = unmatched.sort((one, other) => one.index - other.index).slice(0, unmatchedMax);
    return { rows, lastIndex: rows.length < unmatchedMax ? Number.POSITIVE_INFINITY : (rows.at(-1)?.index ?? 0) };
  }

  /**
   * Returns the rows on days with movements of their account, except replays and matched rows. If no movement of the day has the direction
   * and amount of a row, the row is included only if it is among the first 20,000 such rows.
   */
  findUnmatchedOfDays(matched: ReadonlyMap<ComparedRow, unknown>): readonly ComparedRow[] {
    const ofGroups = [...this.groups].flatMap(({ rows }) => rows);
    return [...this.#rowsOfDays, ...ofGroups]
      .filter((row) => !row.isReplay && !matched.has(row))
      .sort((one, other) => one.index - other.index);
  }

  #add(
    row: (ResolvedRow | RecordedTransferRow) & { readonly index: number },
    { destinations, recorded }: { destinations: RowDestinations; recorded: RecordedMovements },
  ): void {
    const { transaction, target, key, index, line, outcome } = row;
    const { occurredOn, direction, amountDecimal, description, merchantName, movementId } = transaction;
    if (target.id === null || key === null) return;
    const fields = { accountId: target.id, occurredOn, direction, amountDecimal };
    this.days.add(target.id, occurredOn);
    const movements = recorded.movementsOf(fields);
    const isExported = movementId !== undefined && movements.some(({ id }) => id === movementId);
    const ownId = externalIdOf(transaction, destinations);
    const matchesRecorded = movements.length > 0 || recorded.voided.areAllVoided(fields);
    if (ownId !== undefined || matchesRecorded) recorded.ids.addRow(fields, ownId);
    const isFoundById = ownId !== undefined && movements.some(({ externalId }) => externalId === ownId);
    // A row does not count if a movement has its `externalId`, because this id already shows that the row is recorded.
    if (recorded.hasDay(fields) && !isFoundById) this.#comparedCount += 1;
    const compared = {
      ...fields,
      index,
      line,
      key,
      externalId: ownId,
      text: `${description ?? ''} ${merchantName ?? ''}`,
      accountName: target.name,
      currencyCode: target.currencyCode,
      isReplay: outcome === 'recorded in a transfer' || isExported || isFoundById,
    };
    if (recorded.movementsOfAmount(fields).length > 0) this.#addText(compared);
    const hasOtherMovements = movements.length === 0 && recorded.hasDay(fields) && !compared.isReplay;
    if (hasOtherMovements && this.#rowsOfDays.length < unmatchedMax) this.#rowsOfDays.push(compared);
    if (movements.length > 0) {
      const known = this.#groups.get(groupId(fields));
      if (known === undefined) this.#groups.set(groupId(fields), { rows: [compared], movements });
      else known.rows.push(compared);
    } else if (compared.isReplay) this.#otherReplays += 1;
    else if (this.#nearRows.length === unmatchedMax) return;
    else if (recorded.hasNear(fields)) this.#nearRows.push(compared);
    else if (recorded.isInPeriod(fields)) this.#otherIndexes.push(index);
  }

  #addText(row: ComparedRow): void {
    this.#textCount += 1;
    if (this.#textCount > unmatchedMax) return;
    const texts = this.#textsOfAmount.get(amountId(row));
    if (texts === undefined) this.#textsOfAmount.set(amountId(row), [row.text]);
    else texts.push(row.text);
  }
}

/** The maximum number of rows in `#nearRows` and in `#rowsOfDays`, of rows that `findUnmatched` returns, and of stored texts. */
const unmatchedMax = 20_000;

/**
 * Returns whether a row is compared. If an export of Centavo marks a row as a leg of a transfer, the row is compared
 * only if this transfer is recorded.
 */
function canBeCompared(row: {
  readonly outcome: string;
  readonly transaction?: { readonly transferGroupId?: string | undefined };
}): row is (ResolvedRow | RecordedTransferRow) & { readonly index: number } {
  return (
    row.outcome === 'recorded in a transfer' ||
    (row.outcome === 'resolved' && row.transaction?.transferGroupId === undefined)
  );
}
