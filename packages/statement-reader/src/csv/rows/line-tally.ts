import type { CsvRecord } from '../reader.js';
import type { RowKind } from './row-kind.js';

/** The reason why a line is no row: above the headers, without any text, or another kind of record. */
export type LeftOutReason = 'preamble' | 'blank' | Exclude<RowKind, 'row' | 'continuation' | 'blank'>;

/** The lines of a file by their use: `header` + `rows` + the sum of `leftOut` = `total`. */
export interface LineAccount {
  readonly total: number;
  readonly header: number;
  /** The lines of rows. A row can have several. */
  readonly rows: number;
  readonly leftOut: ReadonlyMap<LeftOutReason, number>;
  /** The first records that are left out and not blank, those of the preamble last. */
  readonly first: readonly LeftOutLine[];
}

export interface LeftOutLine {
  readonly line: number;
  readonly lineCount: number;
  readonly text: string;
  readonly reason: LeftOutReason;
}

/** Counts the lines of a file by their use. */
export class LineTally {
  #header = 0;
  #rows = 0;
  readonly #leftOut = new Map<LeftOutReason, number>();
  readonly #first: LeftOutLine[] = [];
  readonly #firstOfPreamble: LeftOutLine[] = [];
  #total = 0;
  /** The line behind the last record. Lines between records are blank. */
  #next = 1;

  /** Counts the lines that are read. */
  async *counting(lines: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const line of lines) {
      this.#total += 1;
      yield line;
    }
  }

  /** Adds a record of the file; all of them are added in their order. */
  add(record: CsvRecord, kind: RowKind | 'header' | 'preamble'): void {
    const { line } = record;
    const lineCount = 'cells' in record ? (record.lineCount ?? 1) : 1;
    this.#addBlank(line - this.#next);
    this.#next = line + lineCount;
    if (kind === 'header') this.#header += lineCount;
    else if (kind === 'row' || kind === 'continuation') this.#rows += lineCount;
    else {
      this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + lineCount);
      const named = kind === 'preamble' ? this.#firstOfPreamble : this.#first;
      if (kind !== 'blank' && named.length < namedMax) {
        const text = 'cells' in record ? firstText(record.cells) : '';
        named.push({ line, lineCount, text, reason: kind });
      }
    }
  }

  /** Returns the account of the file, after its last record. */
  finish(): LineAccount {
    this.#addBlank(this.#total + 1 - this.#next);
    this.#next = this.#total + 1;
    const first = [...this.#first, ...this.#firstOfPreamble].slice(0, namedMax);
    return { total: this.#total, header: this.#header, rows: this.#rows, leftOut: this.#leftOut, first };
  }

  #addBlank(count: number): void {
    if (count > 0) this.#leftOut.set('blank', (this.#leftOut.get('blank') ?? 0) + count);
  }
}

/** The most records that are named by their line. */
const namedMax = 5;
const textCharactersMax = 40;

function firstText(cells: readonly string[]): string {
  const text = (cells.find((cell) => /\p{L}/u.test(cell)) ?? cells.find((cell) => cell.trim() !== '') ?? '')
    .trim()
    .replace(/\s+/g, ' ');
  return text.length <= textCharactersMax ? text : `${text.slice(0, textCharactersMax).trimEnd()}…`;
}

/** Returns `9: 1 header, 5 rows, 3 left out`; rows of several lines are counted apart. */
export function describeLines({ total, header, rows, leftOut }: LineAccount, rowCount: number): string {
  const left = [...leftOut.values()].reduce((sum, count) => sum + count, 0);
  const parts = [
    header === 0 ? 'no header' : counted(header, header === 1 ? 'header' : 'lines of headers'),
    counted(rowCount, rowCount === 1 ? 'row' : 'rows') + (rows === rowCount ? '' : ` in ${rows} lines`),
    ...(left === 0 ? [] : [counted(left, 'left out')]),
  ];
  return `${total}: ${parts.join(', ')}`;
}

/**
 * Returns `line 8 "Saldo finale" (balance); 2 blank`: the first records that are left out by their line and reason, and
 * all others counted by reason. Returns undefined if nothing is left out.
 */
export function describeLeftOut({ leftOut, first }: LineAccount): string | undefined {
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
