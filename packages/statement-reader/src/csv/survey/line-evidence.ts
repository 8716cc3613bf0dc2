import type { StatementSource } from '../../source.js';
import { StatementError } from '../../statement-error.js';
import { requireMainUnitInLine } from '../columns/header-units.js';
import { type AccountBalanceRow, AccountBalanceRows } from '../lines/account-balance-rows.js';
import { LastRowCheck } from '../lines/last-row-check.js';
import { type LineCounts, LineTally } from '../lines/line-tally.js';
import { OtherTableCheck } from '../lines/other-tables.js';
import { OverlapCheck } from '../lines/overlapping-exports.js';
import { type RowKind, rowClassifier } from '../lines/row-kind.js';
import { SectionTitles } from '../lines/section-titles.js';
import { type StatedBalance, StatedBalances } from '../lines/stated-balances.js';
import { type DeclaredStatuses, findCentavoExport, isAmountCell, isDateCell } from '../table/cells.js';
import type { ColumnPositions } from '../table/columns.js';
import { headerDictionary, headerWords } from '../table/header-names.js';
import { type CsvRecord, type Dialect, recordsBelowHeaders } from '../table/reader.js';
import { isBalanceText } from '../words/balance-names.js';

/** Collects evidence from all lines of a file: which lines are rows, and what the other lines say about the rows. */
export class LineEvidence {
  readonly overlap: OverlapCheck;
  readonly sections: SectionTitles;
  /** The number of rows below the headers, not counting fees that are recorded as separate transactions. */
  rowCount = 0;
  readonly #dialect: Dialect;
  readonly #positions: ColumnPositions;
  readonly #hasHeaders: boolean;
  readonly #isCentavoExport: boolean;
  readonly #tally = new LineTally();
  readonly #otherTables: OtherTableCheck;
  readonly #lastRow: LastRowCheck;
  readonly #numbered: AccountBalanceRows;
  readonly #stated = new StatedBalances();
  /** The cells of the previous record above the headers. */
  #cellsAbove: readonly string[] = [];

  /** @param file.declared the statuses whose meaning the user declared */
  constructor(file: {
    readonly dialect: Dialect;
    readonly positions: ColumnPositions;
    readonly declared: DeclaredStatuses;
  }) {
    const { dialect, positions, declared } = file;
    const { headers } = dialect;
    this.#dialect = dialect;
    this.#positions = positions;
    this.#hasHeaders = headers.some((header) => header.trim() !== '');
    this.#isCentavoExport = findCentavoExport(headers) !== undefined;
    this.#otherTables = new OtherTableCheck(headers);
    this.#lastRow = new LastRowCheck(positions);
    this.#numbered = new AccountBalanceRows(positions, { hasHeaders: this.#hasHeaders });
    this.sections = new SectionTitles({ datePosition: positions.date ?? -1, declared: declared.final });
    this.overlap = new OverlapCheck(positions.date ?? -1);
  }

  /** Yields the lines, and counts them. */
  counting(lines: AsyncIterable<string>): AsyncGenerator<string> {
    return this.#tally.counting(lines);
  }

  /**
   * Adds the headers, or a record above them. Returns the cells of a line above the headers; undefined for the headers.
   * @throws StatementError if a line above the headers may be a transaction, or names a unit such as cents
   */
  addAboveRows(record: CsvRecord): readonly string[] | undefined {
    const isHeader = record.line === this.#dialect.headerLine && this.#hasHeaders;
    const isBlank = 'cells' in record && record.cells.every((cell) => cell.trim() === '');
    this.#tally.add(record, isHeader ? 'header' : isBlank ? 'blank' : 'preamble');
    if (!isHeader) this.#stated.add(record, 'preamble');
    if (!('cells' in record)) return undefined;
    this.#otherTables.addPreamble(record.cells);
    if (isHeader) return undefined;
    // In a file without headers, `headerLine` is the line above the first row. If it were a row, the rows would begin with it, unless it
    // was recognized as a summary.
    if (record.line !== this.#dialect.headerLine) this.#requireNoRow(record);
    this.#cellsAbove = record.cells;
    requireMainUnitInLine(record);
    return record.cells;
  }

  /**
   * Adds a record below the headers.
   * @throws StatementError if another table begins in this line, or if a note names a unit such as cents
   */
  add(record: CsvRecord, kind: RowKind): void {
    this.#tally.add(record, kind);
    if ('cells' in record) {
      this.#otherTables.add(record, kind);
      this.sections.add(record.line, record.cells, kind);
      if (kind === 'note') requireMainUnitInLine(record);
    }
    this.overlap.add(record, kind);
    this.#lastRow.add(record, kind);
    this.#numbered.add(record, kind);
    this.#stated.add(record, kind);
    if (kind === 'row') this.rowCount += 1;
  }

  /** Searches the file for equal rows of overlapping exports. Call it once, after the last record. */
  searchOverlap(source: StatementSource): Promise<void> {
    const { headers } = this.#dialect;
    return this.overlap.search({
      read: () => recordsBelowHeaders(source, this.#dialect),
      classify: rowClassifier({ headers, positions: this.#positions }),
    });
  }

  /** Returns how many header lines, lines of rows and left-out lines the file has. Call it once, after the last record. */
  countLines(): LineCounts {
    return this.#tally.finish();
  }

  /** Returns the first and the last row if they are probably balances. Call it once, after the last record. */
  findAccountBalanceRows(): readonly AccountBalanceRow[] {
    return this.#isCentavoExport ? [] : this.#numbered.find();
  }

  /** The lines that name a balance of the whole statement, above or below the rows. */
  get statedBalances(): readonly StatedBalance[] {
    return this.#isCentavoExport ? [] : this.#stated.lines;
  }

  /**
   * The line number of the last row, if it is the only row without a text. Undefined if the file has at most three rows, or if Centavo
   * wrote the file.
   */
  get lineWithoutText(): number | undefined {
    return this.#isCentavoExport ? undefined : this.#lastRow.lineWithoutText;
  }

  /**
   * Refuses a line above the headers if the line may be a transaction: it has a date in the date column and an amount in an amount column,
   * and no cell with the name of a balance. The cell above the amount must not name a balance either.
   */
  #requireNoRow({ line, cells }: { readonly line: number; readonly cells: readonly string[] }): void {
    const { date = -1, amount = -1, debit = -1, credit = -1 } = this.#positions;
    const hasAmount = [amount, debit, credit].some(
      (position) =>
        isAmountCell(cells[position] ?? '') &&
        !headerDictionary.balance.includes(headerWords(this.#cellsAbove[position] ?? '')),
    );
    if (!isDateCell(cells[date] ?? '') || !hasAmount || cells.some(isBalanceText)) return;
    throw new StatementError(
      `Line ${line} may be a transaction, but it is above the headers in line ${this.#dialect.headerLine}.`,
      'Move the headers above all rows.',
    );
  }
}
