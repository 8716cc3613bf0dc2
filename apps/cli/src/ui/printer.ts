import type { OutputStream, Io } from '../io.js';
import { chooseGlyphs, chooseStyle, type Frame, type Glyphs, type TextStyle } from './frame.js';
import { toOneLine, toPlainText } from './text.js';
import { type RecordView, renderSheet, renderTable } from './table.js';

export const outputFormats = ['table', 'json', 'jsonl', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/**
 * Where a command's results go: data to stdout in the format asked for, everything said about it to stderr. In `json`
 * and `jsonl` a record is the API's record, untouched. What a terminal would obey instead of showing it is escaped, in
 * tables and messages always, in the other formats on a terminal: a file or pipe gets them as they are.
 */
export class Printer {
  readonly format: OutputFormat;
  /** The same printer for another format, where a command has a default of its own. */
  readonly as: (format: OutputFormat) => Printer;
  readonly #stdout: OutputStream;
  readonly #stderr: OutputStream;
  readonly #style: TextStyle;
  readonly #glyphs: Glyphs;
  readonly #quiet: boolean;

  constructor(
    io: Pick<Io, 'stdout' | 'stderr' | 'env'>,
    options: { format: OutputFormat; noColor: boolean; quiet: boolean },
  ) {
    const { stdout, stderr, env } = io;
    this.as = (format) => new Printer(io, { ...options, format });
    this.format = options.format;
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#style = chooseStyle(stdout, { env, noColor: options.noColor });
    this.#glyphs = chooseGlyphs(env);
    this.#quiet = options.quiet;
  }

  /** How wide a line may be and what it may be made of. A terminal that does not know its size says 0, as a pipe. */
  get frame(): Frame {
    const widthMax = (this.#stdout.isTTY === true && this.#stdout.columns) || undefined;
    return { widthMax, style: this.#style, glyphs: this.#glyphs };
  }

  /** Prints a list; every format but `table` streams it, as fast as it is read, so a long one needs no memory. */
  async printRecords<Row>(records: AsyncIterable<Row> | Iterable<Row>, view: RecordView<Row>): Promise<void> {
    switch (this.format) {
      case 'table': {
        const rows: Row[] = [];
        for await (const record of records) rows.push(record);
        const { text, leftOut } = renderTable(rows, { columns: view.columns, ...this.frame });
        await this.#write(text);
        if (leftOut.length > 0) this.note(`There is no room for ${leftOut.join(', ')}; -o json has everything.`);
        return;
      }
      case 'json': {
        let separator = '[\n';
        for await (const record of records) {
          await this.#writeJson(separator + JSON.stringify(record, null, 2).replace(/^/gm, '  '));
          separator = ',\n';
        }
        await this.#write(separator === '[\n' ? '[]\n' : '\n]\n');
        return;
      }
      case 'jsonl':
        for await (const record of records) await this.#writeJson(`${JSON.stringify(record)}\n`);
        return;
      case 'csv': {
        // The head comes with the first record: of a list that cannot be read nothing is written.
        let head = this.#toCsvLine(view.fields);
        for await (const record of records) {
          await this.#write(head + this.#toCsvLine(view.fields.map((field) => record[field])));
          head = '';
        }
        if (head !== '') await this.#write(head);
      }
    }
  }

  /** Prints one record: an object in `json`, a sheet of its fields for people. */
  async printRecord<Row>(record: Row, view: RecordView<Row>): Promise<void> {
    if (this.format === 'json') await this.printJson(record, { indent: 2 });
    else if (this.format === 'table')
      await this.#write(renderSheet(record, { columns: view.columns, style: this.#style }));
    else await this.printRecords([record], view);
  }

  /** Prints a value as JSON, whatever the format is. */
  async printJson(value: unknown, { indent }: { indent: 0 | 2 }): Promise<void> {
    await this.#writeJson(`${JSON.stringify(value, null, indent)}\n`);
  }

  /** Prints one line of text: a secret that a script reads, or a header. */
  async printLine(text: string): Promise<void> {
    await this.#write(`${toOneLine(text)}\n`);
  }

  /** Prints a chart, whose renderer has escaped its labels and set its own styles. */
  async printChart(text: string): Promise<void> {
    await this.#write(`${text}\n`);
  }

  /** Says something to the person; silent with `--quiet`. */
  note(text: string): void {
    if (!this.#quiet) this.warn(text);
  }

  /** Says something that `--quiet` must not hide, on one line. */
  warn(text: string): void {
    this.#stderr.write(`${toOneLine(text)}\n`);
  }

  /** Writes JSON; on a terminal, with what it would obey escaped. */
  async #writeJson(text: string): Promise<void> {
    await this.#write(this.#stdout.isTTY === true ? toPlainText(text) : text);
  }

  /** Returns a line of CSV; on a terminal it is one line, whatever its cells hold. */
  #toCsvLine(values: readonly unknown[]): string {
    const line = renderCsvLine(values);
    if (this.#stdout.isTTY !== true) return line;
    return `${toPlainText(line.slice(0, -2)).replaceAll('\n', '\\u000a')}\r\n`;
  }

  /** Waits where the reader is slower than we are, instead of keeping the rest in memory. */
  async #write(text: string): Promise<void> {
    const stream = this.#stdout;
    if (stream.write(text) !== false || stream.once === undefined) return;
    await new Promise<void>((resolve) => stream.once?.('drain', resolve));
  }
}

/**
 * One line of RFC 4180 CSV, its end included: quotes only where they are needed, nested values as JSON.
 *
 * A text that a spreadsheet would run as a formula gets an apostrophe before it: whoever sends you money chooses the text
 * of the transfer. One that begins so behind apostrophes of its own gets another one, so that whoever takes one away has
 * the text as it was. Numbers, the negative ones too, stay as they are; so does everything in the other formats.
 */
export function renderCsvLine(values: readonly unknown[]): string {
  return `${values.map(renderCell).join(',')}\r\n`;
}

function renderCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Source: OWASP, CSV injection. */
function isFormula(text: string): boolean {
  return /^'*[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);
}
