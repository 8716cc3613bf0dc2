import type { Io, OutputStream } from '../io.js';
import { chooseGlyphs, chooseStyle, type Frame, type Glyphs, type TextStyle } from './frame.js';
import { type RecordView, renderSheet, renderTable } from './table.js';
import { toOneLine, toPlainText } from './text.js';

export const outputFormats = ['table', 'json', 'jsonl', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/**
 * Prints the results of a command: data to stdout in the chosen format, messages to stderr. In `json` and `jsonl`, records have
 * all fields that the API returns. In tables and messages, control characters are always escaped. In `json`, `jsonl` and `csv`,
 * control characters are escaped only if stdout is a terminal.
 */
export class Printer {
  readonly format: OutputFormat;
  /** Returns a copy of this printer with another format, for a command that does not use the default format of the CLI. */
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

  /**
   * The width, style and characters of charts and tables. A terminal of unknown size reports 0 columns; the width is then
   * not limited.
   */
  get frame(): Frame {
    const widthMax = (this.#stdout.isTTY === true && this.#stdout.columns) || undefined;
    return { widthMax, style: this.#style, glyphs: this.#glyphs };
  }

  /** Prints a list. All formats but `table` are streamed. */
  async printRecords<Row>(records: AsyncIterable<Row> | Iterable<Row>, view: RecordView<Row>): Promise<void> {
    switch (this.format) {
      case 'table': {
        const rows: Row[] = [];
        for await (const record of records) rows.push(record);
        const { text, leftOut } = renderTable(rows, { columns: view.columns, ...this.frame });
        await this.#write(text);
        if (leftOut.length > 0)
          this.note(`The terminal is too narrow for ${leftOut.join(', ')}; -o json has all fields.`);
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
        // The header is written with the first record, so that nothing is written if the first request fails.
        let head = this.#toCsvLine(view.fields);
        for await (const record of records) {
          await this.#write(head + this.#toCsvLine(view.fields.map((field) => record[field])));
          head = '';
        }
        if (head !== '') await this.#write(head);
      }
    }
  }

  /** Prints one record: an object in `json`, one line per field in `table`. */
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

  /** Prints one line of text, such as a secret or a header. */
  async printLine(text: string): Promise<void> {
    await this.#write(`${toOneLine(text)}\n`);
  }

  /** Prints a chart without escaping it: the renderer has escaped the labels, and escaping the whole chart would break its styles. */
  async printChart(text: string): Promise<void> {
    await this.#write(`${text}\n`);
  }

  /** Prints a message to stderr, unless `--quiet` is set. */
  note(text: string): void {
    if (!this.#quiet) this.warn(text);
  }

  /** Prints a message of one line to stderr, even with `--quiet`. */
  warn(text: string): void {
    this.#stderr.write(`${toOneLine(text)}\n`);
  }

  /** Writes JSON. If stdout is a terminal, control characters are escaped. */
  async #writeJson(text: string): Promise<void> {
    await this.#write(this.#stdout.isTTY === true ? toPlainText(text) : text);
  }

  /** Returns a row of CSV. If stdout is a terminal, the row is one line without control characters. */
  #toCsvLine(values: readonly unknown[]): string {
    const line = renderCsvLine(values);
    if (this.#stdout.isTTY !== true) return line;
    return `${toPlainText(line.slice(0, -2)).replaceAll('\n', '\\u000a')}\r\n`;
  }

  /** Writes to stdout. If the reader is slow, waits for it instead of buffering the output. */
  async #write(text: string): Promise<void> {
    const stream = this.#stdout;
    if (stream.write(text) !== false || stream.once === undefined) return;
    await new Promise<void>((resolve) => stream.once?.('drain', resolve));
  }
}

/**
 * Returns one row of RFC 4180 CSV with its line ending. Cells are quoted only if necessary, and nested values are JSON.
 *
 * The sender of a payment chooses its text, and a spreadsheet may run this text as a formula. An apostrophe before such a
 * text prevents this. A formula that already begins with apostrophes gets one more, so that removing one apostrophe
 * restores the text. Numbers are not changed.
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

/** Returns whether a spreadsheet would run a text as a formula. Source: OWASP, CSV injection. */
function isFormula(text: string): boolean {
  return /^'*[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);
}
