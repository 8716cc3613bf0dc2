import type { OutputStream, Surroundings } from '../surroundings.js';
import { toPlainText } from './plain-text.js';
import type { RecordView } from './record-view.js';
import { renderCsvLine } from './render-csv.js';
import { renderSheet, renderTable } from './render-table.js';
import { chooseStyle, type TextStyle } from './text-style.js';

export const outputFormats = ['table', 'json', 'jsonl', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/**
 * Where a command's results go: data to stdout in the format asked for, everything said about it to stderr. In `json`
 * and `jsonl` a record is the API's record, untouched.
 */
export class Printer {
  readonly format: OutputFormat;
  readonly #stdout: OutputStream;
  readonly #stderr: OutputStream;
  readonly #style: TextStyle;
  readonly #quiet: boolean;

  constructor(
    { stdout, stderr, env }: Pick<Surroundings, 'stdout' | 'stderr' | 'env'>,
    options: { format: OutputFormat; noColor: boolean; quiet: boolean },
  ) {
    this.format = options.format;
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#style = chooseStyle(stdout, { env, noColor: options.noColor });
    this.#quiet = options.quiet;
  }

  /** Prints a list; every format but `table` streams it, so a long one needs no memory. */
  async printRecords<Row>(records: AsyncIterable<Row> | Iterable<Row>, view: RecordView<Row>): Promise<void> {
    switch (this.format) {
      case 'table': {
        const rows: Row[] = [];
        for await (const record of records) rows.push(record);
        // A terminal that does not know its size says 0; it is then treated as a pipe.
        const widthMax = (this.#stdout.isTTY === true && this.#stdout.columns) || undefined;
        const { text, leftOut } = renderTable(rows, { columns: view.columns, style: this.#style, widthMax });
        this.#stdout.write(text);
        if (leftOut.length > 0) this.note(`There is no room for ${leftOut.join(', ')}; -o json has everything.`);
        return;
      }
      case 'json': {
        let separator = '[\n';
        for await (const record of records) {
          this.#stdout.write(separator + JSON.stringify(record, null, 2).replace(/^/gm, '  '));
          separator = ',\n';
        }
        this.#stdout.write(separator === '[\n' ? '[]\n' : '\n]\n');
        return;
      }
      case 'jsonl':
        for await (const record of records) this.#stdout.write(`${JSON.stringify(record)}\n`);
        return;
      case 'csv':
        this.#stdout.write(renderCsvLine(view.fields));
        for await (const record of records)
          this.#stdout.write(renderCsvLine(view.fields.map((field) => record[field])));
    }
  }

  /** Prints one record: an object in `json`, a sheet of its fields for people. */
  async printRecord<Row>(record: Row, view: RecordView<Row>): Promise<void> {
    if (this.format === 'json') this.#stdout.write(`${JSON.stringify(record, null, 2)}\n`);
    else if (this.format === 'table')
      this.#stdout.write(renderSheet(record, { columns: view.columns, style: this.#style }));
    else await this.printRecords([record], view);
  }

  /** Prints text to stdout as it is: a secret that a script reads. */
  printText(text: string): void {
    this.#stdout.write(`${text}\n`);
  }

  /** Says something to the person; silent with `--quiet`. */
  note(text: string): void {
    if (!this.#quiet) this.warn(text);
  }

  /** Says something that `--quiet` must not hide. */
  warn(text: string): void {
    this.#stderr.write(`${toPlainText(text)}\n`);
  }
}
