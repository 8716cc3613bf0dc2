import type { StatementTransaction } from '../../statement.js';
import { addDecimals } from '../../totals.js';
import { requirePositions } from '../columns/columns.js';
import { headerWords, normalised, plainIdHeader, rowIdHeaders } from '../columns/header-names.js';
import type { CsvPlan, SplitParents } from '../plan.js';
import { findOwnExport, isFlagSet, plainCell } from './cells.js';
import { readCsvRows } from './rows.js';

/**
 * Finds out whether a category or a flag says that a row is split into other rows, which are called its parts. Also returns the id of a row
 * and, for a part, the id of the split row.
 */
export class SplitMarks {
  readonly #headers: readonly string[];
  readonly #categoryPosition: number;
  readonly #flagPosition: number;
  readonly #idPosition: number;
  readonly #parentPosition: number;

  /** @param categoryPosition the position of the category, from 0; undefined if there is none, or if Centavo wrote the file */
  constructor(headers: readonly string[], categoryPosition: number | undefined) {
    const known = headers.map(headerWords);
    const ids = [...rowIdHeaders, plainIdHeader].map((words) => known.indexOf(words));
    this.#headers = headers;
    this.#categoryPosition = categoryPosition ?? -1;
    this.#flagPosition = known.findIndex((words) => flagHeaders.has(words));
    this.#idPosition = ids.find((position) => position !== -1) ?? -1;
    this.#parentPosition = known.findIndex((words) => parentHeaders.has(words));
  }

  /** Returns the category, or the header of the flag, that says that a row is split; undefined if neither does. */
  findMark(cells: readonly string[]): string | undefined {
    const category = plainCell(cells[this.#categoryPosition] ?? '');
    if (splitCategory.test(category)) return category;
    return isFlagSet(cells[this.#flagPosition]) ? this.#headers[this.#flagPosition]?.trim() : undefined;
  }

  /** Returns the id of a row; empty if the file has no ids. */
  idOf(cells: readonly string[]): string {
    return plainCell(cells[this.#idPosition] ?? '');
  }

  /** Returns, for a part, the id of the split row; empty if the file has no ids, or if the row is no part. */
  parentOf(cells: readonly string[]): string {
    return this.#idPosition === -1 ? '' : plainCell(cells[this.#parentPosition] ?? '');
  }
}

/** Matches a category such as `--Split--`, as Quicken writes it. */
const splitCategory = /^[^\p{L}]*(splits?|split transactions?|(split \()?multiple categories|splitbuchung)[^\p{L}]*$/iu;

/** Headers of flags that say whether a row is split. */
const flagHeaders: ReadonlySet<string> = new Set(
  normalised('has children; is parent; split parent; is split parent; has splits; is split'),
);

/** Headers of columns in which a part has the id of the row that is split. */
const parentHeaders: ReadonlySet<string> = new Set(
  normalised('parent id; parent; parent transaction id; parent transaction; split parent id'),
);

/**
 * Finds the rows that are split into other rows of the file (their parts). If a row and its parts were recorded, its amount would be
 * counted twice. The parts have the same day, account and currency as the split row. There are two ways to recognize a split row:
 *
 * - Parts name the id of the row. If at least two parts add up to its amount, the row is left out. If they do not, the row is in doubt and
 *   fails. But if all these parts have the other direction, they may be refunds, and the row is not in doubt.
 * - The category or a flag marks the row as split. If at least two rows directly below add up to its amount, the row is left out. If not,
 *   the row is in doubt if a row directly above or below has the same date and the file seems to list parts.
 *
 * A file seems to list no parts if no marked row has rows below that add up to its amount, and at least one marked row has no row with the
 * same date directly above or below.
 */
export async function findSplitParents(plan: CsvPlan): Promise<SplitParents> {
  const leftOut = new Map<number, string>();
  const inDoubt = new Map<number, string>();
  const { headers } = plan.dialect;
  const { date = -1, category } = requirePositions(plan.columns.roles, headers);
  const marks = new SplitMarks(headers, findOwnExport(headers) === undefined ? category : undefined);
  const partsOf = await addPartsById(plan, marks);
  const marked: MarkedRow[] = [];
  let last: MarkedRow | undefined;
  let dateAbove: string | undefined;
  for await (const { row, cells } of readCsvRows(plan)) {
    if (row.outcome === 'skipped') continue;
    const transaction = row.outcome === 'transaction' ? row.transaction : undefined;
    const dateText = plainCell(cells[date] ?? '');
    const parts = transaction && partsOf.get(partKey(marks.idOf(cells), transaction));
    if (transaction !== undefined && parts?.isSumOf(transaction)) leftOut.set(row.line, describeSum(parts));
    else if (transaction !== undefined && parts !== undefined && parts.counts[transaction.direction] > 0) {
      inDoubt.set(
        row.line,
        `it is split, but its ${parts.count} parts in the file do not add up to its amount: correct these rows`,
      );
    }
    const text = marks.findMark(cells);
    if (transaction !== undefined && text !== undefined) {
      last = new MarkedRow({ line: row.line, text, dateText, transaction, hasNeighbor: dateAbove === dateText });
      marked.push(last);
      dateAbove = undefined;
    } else {
      if (last?.add(dateText, transaction) === false) last = undefined;
      dateAbove = dateText;
    }
  }
  const listsNoParts = !marked.some(({ isProven }) => isProven) && marked.some(({ isAlone }) => isAlone);
  for (const { line, text, parts, isProven, hasNeighbor } of marked) {
    if (isProven) leftOut.set(line, describeSum(parts));
    else if (hasNeighbor && !listsNoParts && !leftOut.has(line)) {
      inDoubt.set(
        line,
        `"${text}" says that it is split, but the rows next to it do not add up to its amount: correct these rows${splitCategory.test(text) ? ', or use --category-column "" if the file has no parts' : ''}`,
      );
    }
  }
  return { leftOut, inDoubt };
}

function describeSum({ count }: Parts): string {
  return `it is split, and its ${count} parts in the file add up to its amount`;
}

/** Returns the parts of each row, by its id and its day. */
async function addPartsById(plan: CsvPlan, marks: SplitMarks): Promise<ReadonlyMap<string, Parts>> {
  const found = new Map<string, Parts>();
  for await (const { row, cells } of readCsvRows(plan)) {
    const parent = marks.parentOf(cells);
    if (row.outcome !== 'transaction' || parent === '') continue;
    const key = partKey(parent, row.transaction);
    const parts = found.get(key) ?? new Parts();
    parts.add(row.transaction);
    found.set(key, parts);
  }
  return found;
}

function partKey(id: string, { occurredOn }: StatementTransaction): string {
  return `${occurredOn} ${id}`;
}

/** Adds up rows that may be the parts of another row. */
class Parts {
  readonly counts = { expense: 0, income: 0 };
  #sum = '0';
  #chain: string | undefined;
  #isKnown = true;

  /** @param transaction undefined for a row that cannot be read, whose amount is unknown */
  add(transaction: StatementTransaction | undefined): void {
    const chain = transaction && chainOf(transaction);
    this.#isKnown &&= transaction !== undefined && (this.#chain === undefined || this.#chain === chain);
    if (transaction === undefined) return;
    this.#chain = chain;
    this.#sum = addDecimals([this.#sum, signedAmount(transaction)]);
    this.counts[transaction.direction] += 1;
  }

  get count(): number {
    return this.counts.expense + this.counts.income;
  }

  isSumOf(transaction: StatementTransaction): boolean {
    const isSum = this.#sum === addDecimals([signedAmount(transaction)]);
    return this.#isKnown && this.count >= partsMin && isSum && this.#chain === chainOf(transaction);
  }
}

/** The minimum number of parts. A single row with the same amount may be another payment. */
const partsMin = 2;

/** Parts have the same account, currency and day as the row that is split. */
function chainOf({ accountName, currencyCode, occurredOn }: StatementTransaction): string {
  return JSON.stringify([accountName, currencyCode, occurredOn]);
}

function signedAmount({ direction, amountDecimal }: StatementTransaction): string {
  return direction === 'expense' ? `-${amountDecimal}` : amountDecimal;
}

/** A row whose category or flag says that it is split, and the rows below it that may be its parts. */
class MarkedRow {
  readonly line: number;
  readonly text: string;
  readonly parts = new Parts();
  /** Whether the row directly above or below has the same date. */
  hasNeighbor: boolean;
  isProven = false;
  readonly #transaction: StatementTransaction;
  readonly #dateText: string;
  #hasUndated = false;

  constructor(row: {
    readonly line: number;
    readonly text: string;
    readonly dateText: string;
    readonly transaction: StatementTransaction;
    readonly hasNeighbor: boolean;
  }) {
    this.line = row.line;
    this.text = row.text;
    this.hasNeighbor = row.hasNeighbor;
    this.#transaction = row.transaction;
    this.#dateText = row.dateText;
  }

  /** Adds the next row below. Returns whether the row after it may be a part too. */
  add(dateText: string, transaction: StatementTransaction | undefined): boolean {
    this.#hasUndated ||= dateText === '';
    if (dateText !== this.#dateText) return false;
    this.hasNeighbor = true;
    this.parts.add(transaction);
    this.isProven = this.parts.isSumOf(this.#transaction);
    return !this.isProven;
  }

  /** Whether the rows directly above and below have other dates. */
  get isAlone(): boolean {
    return !this.hasNeighbor && !this.#hasUndated;
  }
}
