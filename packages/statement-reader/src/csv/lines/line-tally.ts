import type { CsvRecord } from '../table/reader.js';
import type { RowKind } from './row-kind.js';

/** The reason why a line is left out: it is above the headers, is blank, or is a kind of record that is not a row. */
export type LeftOutReason = 'preamble' | 'blank' | Exclude<RowKind, 'row' | 'continuation' | 'blank'>;

/** The numbers of header lines, row lines and left-out lines in a file: `header` + `rows` + the sum of `leftOut` = `total`. */
export interface LineCounts {
  readonly total: number;
  readonly header: number;
  /** The number of row lines. A row can have several lines. */
  readonly rows: number;
  readonly leftOut: ReadonlyMap<LeftOutReason, number>;
  /** The number of left-out records of the kind `note` that have an amount such as `5.00`. */
  readonly notesWithAmounts: number;
  /** The first records that are left out, except blank ones. In this list, records above the headers come after the others. */
  readonly first: readonly LeftOutLine[];
}

export interface LeftOutLine {
  readonly line: number;
  readonly lineCount: number;
  readonly text: string;
  readonly reason: LeftOutReason;
}

/** Counts the header lines, row lines and left-out lines of a file. */
export class LineTally {
  #header = 0;
  #rows = 0;
  readonly #leftOut = new Map<LeftOutReason, number>();
  readonly #first: LeftOutLine[] = [];
  readonly #firstOfPreamble: LeftOutLine[] = [];
  #notesWithAmounts = 0;
  #total = 0;
  /** The number of the line after the last added record. If the next record begins at a later line, the lines in between are blank. */
  #next = 1;

  /** Yields the lines, and counts them. */
  async *counting(lines: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const line of lines) {
      this.#total += 1;
      yield line;
    }
  }

  /** Adds a record. The caller must add all records, in the order of the file. */
  add(record: CsvRecord, kind: RowKind | 'header' | 'preamble'): void {
    const { line } = record;
    const lineCount = 'cells' in record ? (record.lineCount ?? 1) : 1;
    this.#addBlank(line - this.#next);
    this.#next = line + lineCount;
    if (kind === 'header') this.#header += lineCount;
    else if (kind === 'row' || kind === 'continuation') this.#rows += lineCount;
    else {
      this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + lineCount);
      if (kind === 'note' && 'cells' in record && record.cells.some((cell) => decimalAmount.test(cell))) {
        this.#notesWithAmounts += 1;
      }
      const named = kind === 'preamble' ? this.#firstOfPreamble : this.#first;
      if (kind !== 'blank' && named.length < namedMax) {
        const text = 'cells' in record ? firstText(record.cells) : '';
        named.push({ line, lineCount, text, reason: kind });
      }
    }
  }

  /** Returns the counts of the whole file. Call it after the last record. */
  finish(): LineCounts {
    this.#addBlank(this.#total + 1 - this.#next);
    this.#next = this.#total + 1;
    const first = [...this.#first, ...this.#firstOfPreamble].slice(0, namedMax);
    const [total, header, rows] = [this.#total, this.#header, this.#rows];
    return { total, header, rows, leftOut: this.#leftOut, notesWithAmounts: this.#notesWithAmounts, first };
  }

  #addBlank(count: number): void {
    if (count > 0) this.#leftOut.set('blank', (this.#leftOut.get('blank') ?? 0) + count);
  }
}

/** Matches an amount with two decimal places, but not a date such as `26.03.19`. */
const decimalAmount = /(?<![\d.,/])\d{1,9}([ .,']\d{3})*[.,]\d{2}(?!\d|[.,/]\d)/;

/** The maximum number of left-out records that are listed. */
const namedMax = 5;
const textCharactersMax = 40;

function firstText(cells: readonly string[]): string {
  const text = (cells.find((cell) => /\p{L}/u.test(cell)) ?? cells.find((cell) => cell.trim() !== '') ?? '')
    .trim()
    .replace(/\s+/g, ' ');
  return text.length <= textCharactersMax ? text : `${text.slice(0, textCharactersMax).trimEnd()}…`;
}

/**
 * Returns a text such as `9: 1 header, 5 rows, 3 left out` for a file of 9 lines. If a row has several lines, the text says
 * `5 rows in 7 lines`.
 */
export function describeLines({ total, header, rows, leftOut }: LineCounts, rowCount: number): string {
  const left = [...leftOut.values()].reduce((sum, count) => sum + count, 0);
  const parts = [
    header === 0 ? 'no header' : counted(header, header === 1 ? 'header' : 'lines of headers'),
    counted(rowCount, rowCount === 1 ? 'row' : 'rows') + (rows === rowCount ? '' : ` in ${rows} lines`),
    ...(left === 0 ? [] : [counted(left, 'left out')]),
  ];
  return `${total}: ${parts.join(', ')}`;
}

/**
 * Returns a text such as `line 8 "Saldo finale" (balance); 2 blank`. The text lists the first records that are left out. For each reason,
 * it then has the number of other lines that are left out. Returns undefined if no line is left out.
 */
export function describeLeftOut({ leftOut, first }: LineCounts): string | undefined {
  const others = new Map(leftOut);
  for (const { reason, lineCount } of first) others.set(reason, (others.get(reason) ?? 0) - lineCount);
  const named = first.map(({ line, lineCount, text, reason }) => {
    const place = lineCount === 1 ? `line ${line}` : `lines ${line}-${line + lineCount - 1}`;
    return `${place} "${text}" (${reason})`;
  });
  const rest = [...others].filter(([, count]) => count > 0).map(([reason, count]) => counted(count, reason));
  const parts = [named.join(', '), rest.join(', ')].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join('; ');
}

function counted(count: number, what: string): string {
  return `${count} ${what}`;
}
