import type { StatementTransaction } from '../../statement.js';
import type { CsvPlan, SplitRows } from '../plan/plan.js';
import { findCentavoExport, isFlagSet, plainCell } from '../table/cells.js';
import { requirePositions } from '../table/columns.js';
import { headerList, headerWords, plainIdHeader, rowIdHeaders } from '../table/header-names.js';
import { readCsvRows } from './rows.js';
import { Parts, RowAboveParts } from './split-parts.js';

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
  readonly #partPosition: number;

  /** @param categoryPosition the position of the category, from 0; undefined if there is none, or if Centavo wrote the file */
  constructor(headers: readonly string[], categoryPosition: number | undefined) {
    const known = headers.map(headerWords);
    const ids = [...rowIdHeaders, plainIdHeader].map((words) => known.indexOf(words));
    this.#headers = headers;
    this.#categoryPosition = categoryPosition ?? -1;
    this.#flagPosition = known.findIndex((words) => flagHeaders.has(words));
    this.#idPosition = ids.find((position) => position !== -1) ?? -1;
    this.#parentPosition = known.findIndex((words) => parentHeaders.has(words));
    this.#partPosition = known.indexOf('split');
  }

  /** Returns the category, or the header of the flag, that says that a row is split; undefined if neither does. */
  findMark(cells: readonly string[]): SplitMark | undefined {
    const text = plainCell(cells[this.#categoryPosition] ?? '');
    if (splitCategory.test(text)) return { text, isCertain: true };
    const header = isFlagSet(cells[this.#flagPosition]) ? this.#headers[this.#flagPosition]?.trim() : undefined;
    if (header !== undefined) return { text: header, isCertain: true };
    return text !== '' && possibleSplitCategories.has(headerWords(text)) ? { text, isCertain: false } : undefined;
  }

  /**
   * Returns the number of a part that a text such as `(Split 1/2) milk` marks, as YNAB writes it. Returns 0 if the column `Split` marks the
   * part with `S`, as Quicken does. Returns undefined for other rows.
   */
  findPart(cells: readonly string[]): number | undefined {
    if (/^s$/i.test(plainCell(cells[this.#partPosition] ?? ''))) return 0;
    // The fast path: nearly no text contains this word.
    const text = cells.find((cell) => /split/i.test(cell) && partText.test(cell));
    return text === undefined ? undefined : Number(partText.exec(text)?.[1]);
  }

  /** Returns whether a row has any mark of a split row or of a part. */
  isMarked(cells: readonly string[]): boolean {
    return this.findMark(cells) !== undefined || this.findPart(cells) !== undefined || this.parentOf(cells) !== '';
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

/** The text that marks a row as split. */
interface SplitMark {
  readonly text: string;
  /** Whether the text always means a split row. If false, only parts that add up to the amount of the row show that it is split. */
  readonly isCertain: boolean;
}

/** Matches a category such as `--Split--`, as Quicken writes it. */
const splitCategory =
  /^[^\p{L}]*(splits?|split transactions?|(split \()?multiple categories|split+-?buchung|(mehrere|diverse) kategorien)[^\p{L}]*$/iu;

/** Categories that mean a split row in some apps. In other files, `Geteilt` may be the category of shared expenses. */
const possibleSplitCategories: ReadonlySet<string> = new Set(
  headerList(`
    geteilt; aufgeteilt; ventilé; ventilée; multiple; plusieurs catégories; dividida; dividido; varias categorías; várias categorias;
    suddivisa; suddiviso; gesplitst; podzielona; podzielone`),
);

/** Matches the mark of a part, such as `(Split 1/2)`. */
const partText = /(?<!\p{L})split\s*\(?\s*(\d{1,2})\s*\/\s*\d{1,2}(?!\d)/iu;

/** Headers of flags that say whether a row is split. */
const flagHeaders: ReadonlySet<string> = new Set(
  headerList('has children; is parent; split parent; is split parent; has splits; is split'),
);

/** Headers of columns in which a part has the id of the row that is split. */
const parentHeaders: ReadonlySet<string> = new Set(
  headerList('parent id; parent; parent transaction id; parent transaction; split parent id'),
);

/**
 * Finds the rows that are split into other rows of the file (their parts). If a row and its parts were recorded, its amount would be
 * counted twice. The parts have the same day, account and currency as the split row. There are three ways to recognize a split row:
 *
 * - Parts name the id of the row. If at least two parts add up to its amount, the row is left out. If they do not, the row is in doubt and
 *   fails. But if all these parts have the other direction, they may be refunds, and the row is not in doubt.
 * - The category or a flag marks the row as split. If at least two rows directly below add up to its amount, the row is left out. If not,
 *   the row is in doubt if a row directly above or below has the same date and the file seems to list parts. A category such as `Geteilt`
 *   never causes a question, because it may have another meaning.
 * - A text or a flag marks the rows directly below as parts. If at least two of them add up to the amount of the row, the row is left out.
 *
 * A file seems to list no parts if no row with a certain mark (unlike `Geteilt`) has rows below that add up to its amount, and at least one
 * such row has no row with the same date directly above or below.
 */
export async function findSplitRows(plan: CsvPlan): Promise<SplitRows> {
  const leftOut = new Map<number, string>();
  const inDoubt = new Map<number, string>();
  const { headers } = plan.dialect;
  const { date = -1, category } = requirePositions(plan.columns.roles, headers);
  const marks = new SplitMarks(headers, findCentavoExport(headers) === undefined ? category : undefined);
  const partsOf = await collectPartsById(plan, marks);
  const marked: MarkedRow[] = [];
  const aboveParts = new RowAboveParts();
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
    aboveParts.add(row.line, transaction, marks.findPart(cells));
    const mark = marks.findMark(cells);
    const mayBePart = mark?.isCertain === false && last?.mark.isCertain === true;
    if (transaction !== undefined && mark !== undefined && !mayBePart) {
      last = new MarkedRow({ line: row.line, mark, dateText, transaction, hasNeighbor: dateAbove === dateText });
      marked.push(last);
      dateAbove = undefined;
    } else {
      if (last?.add(dateText, transaction) === false) last = undefined;
      dateAbove = dateText;
    }
  }
  aboveParts.end();
  for (const [line, parts] of aboveParts.found) leftOut.set(line, describeSum(parts));
  const certain = marked.filter(({ mark }) => mark.isCertain);
  const listsNoParts = !certain.some(({ isProven }) => isProven) && certain.some(({ isAlone }) => isAlone);
  for (const { line, mark, parts, isProven, hasNeighbor } of marked) {
    const { text, isCertain } = mark;
    if (isProven) leftOut.set(line, describeSum(parts));
    else if (isCertain && hasNeighbor && !listsNoParts && !leftOut.has(line)) {
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
async function collectPartsById(plan: CsvPlan, marks: SplitMarks): Promise<ReadonlyMap<string, Parts>> {
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

/** A row whose category or flag says that it is split, and the rows below it that may be its parts. */
class MarkedRow {
  readonly line: number;
  readonly mark: SplitMark;
  readonly parts = new Parts();
  /** Whether the row directly above or below has the same date. */
  hasNeighbor: boolean;
  isProven = false;
  readonly #transaction: StatementTransaction;
  readonly #dateText: string;
  #hasUndated = false;

  constructor(row: {
    readonly line: number;
    readonly mark: SplitMark;
    readonly dateText: string;
    readonly transaction: StatementTransaction;
    readonly hasNeighbor: boolean;
  }) {
    this.line = row.line;
    this.mark = row.mark;
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
