import type { ColumnPositions } from '../table/columns.js';
import type { CsvRecord } from '../table/reader.js';
import type { RowKind } from './row-kind.js';

/** Finds out whether the last row is the only row without a text: some banks end a file with a row that has only a date and a balance. */
export class LastRowCheck {
  readonly #ignored: ReadonlySet<number>;
  #rowCount = 0;
  #withoutText = 0;
  #last = { line: 0, hasText: true };

  /**
   * @param positions the positions of the columns that have a role. A text counts in the columns of the description, the merchant, the
   *   payer, the category and the id, and in columns without a role.
   */
  constructor({ description: _, merchant: __, payer: ___, category: ____, id: _____, ...others }: ColumnPositions) {
    this.#ignored = new Set(Object.values(others));
  }

  add(record: CsvRecord, kind: RowKind): void {
    if (kind !== 'row' && kind !== 'continuation') return;
    const hasText =
      'cells' in record && record.cells.some((cell, position) => !this.#ignored.has(position) && word.test(cell));
    if (kind === 'continuation' && !this.#last.hasText && hasText) this.#withoutText -= 1;
    if (kind === 'continuation') this.#last.hasText ||= hasText;
    else {
      this.#rowCount += 1;
      this.#withoutText += hasText ? 0 : 1;
      this.#last = { line: record.line, hasText };
    }
  }

  /** The line of the last row, if it is the only row without a text; undefined otherwise, or if there are too few rows. */
  get lineWithoutText(): number | undefined {
    const isOnlyRowWithoutText = !this.#last.hasText && this.#withoutText === 1 && this.#rowCount > rowsAboveMin;
    return isOnlyRowWithoutText ? this.#last.line : undefined;
  }
}

/** Matches two letters, or one letter of a script without capitals: a single Latin letter may belong to an account number. */
const word = /\p{L}.*\p{L}|\p{Lo}/u;
const rowsAboveMin = 3;
