import { StatementError } from '../../statement-error.js';
import { onOneLine, plainCell } from '../table/cells.js';
import { nameColumns } from '../table/columns.js';
import { detectColumnsByHeader, isDateHeader, looksLikeHeaders } from '../table/detect-columns-by-header.js';
import type { RowKind } from './row-kind.js';

/**
 * Some banks write several tables into one file. Refuses a second table whose title names an account, or whose date or amounts are in other
 * columns than those of the first table. A second table without rows that may be transactions is left out, such as the table of
 * investments of Bradesco, which has only balances.
 */
export class OtherTableCheck {
  readonly #headers: readonly string[];
  readonly #preamble = new Set<string>();
  #title: { readonly line: number; readonly text: string } | undefined;
  /** The line of the headers of another table, if it has other columns. */
  #otherLine: number | undefined;

  constructor(headers: readonly string[]) {
    this.#headers = headers;
  }

  addPreamble(cells: readonly string[]): void {
    if (this.#preamble.size < preambleMax) this.#preamble.add(titleOf(cells));
  }

  /**
   * @throws StatementError if the record is another row of headers below a title that names an account. A title that is also above the first
   *   table is ignored. Also if the record is a row below headers in another order. Only the positions of the date and the amounts are
   *   compared.
   */
  add({ line, cells }: { readonly line: number; readonly cells: readonly string[] }, kind: RowKind): void {
    if (kind === 'row') {
      this.#requireSameColumns();
      this.#title = undefined;
      return;
    }
    const namesColumns = looksLikeHeaders(cells) || this.#namesOtherAmount(cells);
    if (kind === 'repeated header' || namesColumns) this.#requireNoTitle();
    if (namesColumns) this.#otherLine = this.#hasSameColumns(cells) ? undefined : line;
    else if (kind === 'note') {
      const text = titleOf(cells);
      if (accountWords.test(text) && !this.#preamble.has(text)) this.#title = { line, text };
    }
  }

  /** Returns whether a record has a header of the date in the date column, but a header of no amount in the column of amounts. */
  #namesOtherAmount(cells: readonly string[]): boolean {
    const [date = -1, amount = -1] = positionsOf(this.#headers);
    const [header, other] = [cells[date] ?? '', cells[amount]?.trim() ?? ''];
    const { amount: named } = detectColumnsByHeader(cells, new Set());
    return isDateHeader(header) && named === undefined && /^[^\p{Nd}]*\p{L}[^\p{Nd}]*$/u.test(other);
  }

  #requireNoTitle(): void {
    if (this.#title === undefined) return;
    throw new StatementError(
      `Another table begins below line ${this.#title.line}, "${this.#title.text}": its rows may be of another account.`,
      'Split the file above that line, and import each part into its account.',
    );
  }

  #hasSameColumns(cells: readonly string[]): boolean {
    const known = positionsOf(this.#headers);
    return positionsOf(cells).every((position, role) => position === known[role]);
  }

  #requireSameColumns(): void {
    if (this.#otherLine === undefined) return;
    throw new StatementError(
      `Another table begins at line ${this.#otherLine}, and its columns are not those of the first table.`,
      'Split the file above that line, and import each part by itself.',
    );
  }
}

/** Returns the positions of the date and the amounts; -1 for those that the headers do not name. */
function positionsOf(headers: readonly string[]): readonly number[] {
  const { date = '', amount = '', debit = '', credit = '' } = detectColumnsByHeader(headers, new Set());
  return [date, amount, debit, credit].map((header) => nameColumns(headers).indexOf(header));
}

const preambleMax = 100;
const accountWords =
  /kont[oa]|account|compte|cuenta|\bconta\b|rachun|rekening|iban|card|kart[aey]|kort|carte|tarjeta|depot/i;

/** Returns the text of the first filled cell of a record, joined into one line and cut to 60 characters. */
export function titleOf(cells: readonly string[]): string {
  const cell = cells.find((other) => other.trim() !== '') ?? '';
  return onOneLine(plainCell(cell)).slice(0, titleCharactersMax);
}

const titleCharactersMax = 60;
