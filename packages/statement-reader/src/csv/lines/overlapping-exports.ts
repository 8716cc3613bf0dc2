import { hashOf, RepeatedIds } from '../../repeated-ids.js';
import type { Question } from '../../statement.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import type { CsvRecord } from '../table/reader.js';
import { nextKind, type RowKind } from './row-kind.js';

/** Searches a file for equal rows that show that it may consist of several exports that overlap. */
export class OverlapCheck {
  readonly #blocks: RepeatedBlocks;
  #hasRow = false;
  #hasRepeatedHeaders = false;
  #found: Overlap | undefined;

  constructor(datePosition: number) {
    this.#blocks = new RepeatedBlocks(datePosition);
  }

  /** Adds a record below the headers. */
  add(record: CsvRecord, kind: RowKind): void {
    if (kind === 'repeated header') this.#hasRepeatedHeaders ||= this.#hasRow;
    if (kind !== 'row') return;
    this.#hasRow = true;
    if ('cells' in record) this.#blocks.add(record.line, record.cells);
  }

  /** Searches the file. Call it once, after the last record. Reads the file again only if rows seem to repeat. */
  async search(file: RecordsOfFile): Promise<void> {
    const overlap = this.#hasRepeatedHeaders ? await findOverlap(file) : undefined;
    this.#found = overlap ?? (await this.#blocks.find(file));
  }

  /** A description of the equal rows; undefined if there are none. */
  get description(): string | undefined {
    if (this.#found === undefined) return undefined;
    const { headerLine, lines } = this.#found;
    const [first, second] = lines;
    return headerLine === undefined
      ? `the rows from line ${second} on repeat those from line ${first} on`
      : `the headers repeat in line ${headerLine}, and lines ${first} and ${second} are equal`;
  }

  /** Returns a question about the equal rows, unless the balance column agrees with the amounts. */
  findQuestion({ balance, options }: Pick<InterpretationFacts, 'balance' | 'options'>): Question | undefined {
    const where = this.description;
    if (where === undefined || balance?.kind === 'agrees' || options.columns.id === '') return undefined;
    const message = `${where.replace(/^t/, 'T')}: the file may contain rows twice.`;
    const remedy = 'Take the copies out of the file. If each row is a transaction, use';
    return this.#found?.headerLine === undefined
      ? { message, remedy: `${remedy} --yes.` }
      : { message, remedy: `${remedy} --id-column "".`, requiresOption: true };
  }
}

/** The records of a file below the headers, and a function that returns the kind of a record. */
interface RecordsOfFile {
  readonly read: () => AsyncIterable<CsvRecord>;
  readonly classify: (cells: readonly string[]) => RowKind;
}

/** Two equal rows. */
interface Overlap {
  /** The line of the repeated headers between the two rows; undefined if {@link RepeatedBlocks} found the two rows. */
  readonly headerLine: number | undefined;
  readonly lines: readonly [number, number];
}

/**
 * Finds a row that occurs in two parts of a file, if repeated headers divide the file into parts. A file with such a row may consist of
 * several exports that overlap. The first pass stores a hash of each row. If some hash repeats, a second pass stores the rows
 * whose hashes repeat.
 */
async function findOverlap(file: RecordsOfFile): Promise<Overlap | undefined> {
  const ids = new RepeatedIds();
  for await (const { kind, cells } of kindsOf(file)) if (kind === 'row') ids.add(idOf(cells));
  const isRepeated = ids.finish();
  if (!ids.hasRepeated) return undefined;
  const first = new Map<string, { readonly line: number; readonly headerLine: number }>();
  let headerLine = 0;
  for await (const { kind, cells, line } of kindsOf(file)) {
    if (kind === 'repeated header') headerLine = line;
    const id = idOf(cells);
    if (kind !== 'row' || !isRepeated(id)) continue;
    const known = first.get(id);
    if (known === undefined) first.set(id, { line, headerLine });
    else if (known.headerLine !== headerLine) return { headerLine, lines: [known.line, line] };
  }
  return undefined;
}

/**
 * Finds three consecutive rows that repeat earlier consecutive rows. A file with such rows may consist of several exports that overlap,
 * without headers between them. The three rows must not all have the same date, because equal rows of one day are common. In one
 * export that is sorted by date, three rows with different dates cannot occur a second time. A cell other than the date must also differ
 * between the three rows, because a payment that is made every day may repeat in a file that is not sorted. Call `add` for every row, then
 * `find`. Stores a hash of eight bytes for each block of three rows that do not all have the same date. Each change of the date creates at
 * most two such blocks.
 */
class RepeatedBlocks {
  readonly #datePosition: number;
  readonly #ids = new RepeatedIds();
  readonly #block: RowBlock;

  constructor(datePosition: number) {
    this.#datePosition = datePosition;
    this.#block = new RowBlock(datePosition);
  }

  add(line: number, cells: readonly string[]): void {
    const block = this.#block.add(line, cells);
    if (block !== undefined) this.#ids.add(block.id);
  }

  /** Returns the first row of each of two equal blocks; undefined if no blocks are equal. Reads the file again only if hashes are equal. */
  async find(file: RecordsOfFile): Promise<Overlap | undefined> {
    const mayRepeat = this.#ids.finish();
    if (!this.#ids.hasRepeated) return undefined;
    const blocks = new RowBlock(this.#datePosition);
    const first = new Map<string, RowBlockFound>();
    for await (const { kind, cells, line } of kindsOf(file)) {
      const block = kind === 'row' ? blocks.add(line, cells) : undefined;
      if (block === undefined || !mayRepeat(block.id)) continue;
      const known = first.get(block.id);
      if (known === undefined && first.size < blocksMax) first.set(block.id, block);
      else if (known !== undefined && known.lastLine < block.line && blocks.haveDifferentTexts) {
        return { headerLine: undefined, lines: [known.line, block.line] };
      }
    }
    return undefined;
  }
}

interface RowBlockFound {
  readonly id: string;
  readonly line: number;
  readonly lastLine: number;
}

/** The last three rows that were added. */
class RowBlock {
  readonly #datePosition: number;
  #rows: { readonly line: number; readonly date: string; readonly cells: readonly string[]; hash?: number }[] = [];

  constructor(datePosition: number) {
    this.#datePosition = datePosition;
  }

  /** Whether the rows differ from each other in a cell other than the date. */
  get haveDifferentTexts(): boolean {
    const texts = this.#rows.map(({ cells }) => idOf(cells.toSpliced(this.#datePosition, 1)));
    return texts.some((text) => text !== texts[0]);
  }

  /**
   * Adds a row. Returns the last three rows if they do not all have the same date; otherwise undefined. The `id` of the three rows consists
   * of their hashes. Ignores a row without a date.
   */
  add(line: number, cells: readonly string[]): RowBlockFound | undefined {
    const date = cells[this.#datePosition]?.trim() ?? '';
    if (date === '') return undefined;
    this.#rows.push({ line, date, cells });
    if (this.#rows.length > blockRows) this.#rows.shift();
    const [first] = this.#rows;
    if (first === undefined || this.#rows.length < blockRows || this.#rows.every((row) => row.date === first.date)) {
      return undefined;
    }
    for (const row of this.#rows) row.hash ??= hashOf(idOf(row.cells));
    return { id: this.#rows.map(({ hash }) => hash).join(), line: first.line, lastLine: line };
  }
}

/** The number of consecutive rows that must repeat. Two rows may repeat by chance if a file is not sorted by its dates. */
const blockRows = 3;

/** The maximum number of blocks that `find` stores. Normally one of the first blocks already repeats, so later blocks are not needed. */
const blocksMax = 1_000;

async function* kindsOf({ read, classify }: RecordsOfFile) {
  let kind: RowKind = 'note';
  for await (const record of read()) {
    if (!('cells' in record)) continue;
    kind = nextKind(classify(record.cells), kind);
    yield { kind, cells: record.cells, line: record.line };
  }
}

function idOf(cells: readonly string[]): string {
  return cells.map((cell) => cell.trim()).join('\n');
}
