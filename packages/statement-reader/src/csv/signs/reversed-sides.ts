import type { ColumnPositions, CsvColumnName, CsvColumns } from '../columns/columns.js';
import { headerWords, vagueDirectionHeaders } from '../columns/header-names.js';
import { isAmountCell, plainCell } from '../rows/cells.js';
import { type DirectionCodes, readDirectionCode } from './direction-codes.js';

/** A row whose kind of transaction contradicts the column of its amount: for example, a `Deposit` in the guessed debit column. */
export interface ReversedSides {
  readonly line: number;
  readonly word: string;
  /** The header of the column with the kinds of transactions. */
  readonly header: string;
  readonly debit: string;
  readonly credit: string;
}

/**
 * Compares guessed debit and credit columns with a column of kinds of transactions, such as `Deposit` and `Check`. The kinds
 * contradict the columns in exports of accounting software, in which a debit increases the balance of a bank account.
 */
export class SideCheck {
  readonly #kindPosition: number;
  readonly #positions: ColumnPositions;
  readonly #columns: CsvColumns;
  readonly #codes: DirectionCodes;
  #agreeing = 0;
  #contradicting = 0;
  #first: Pick<ReversedSides, 'line' | 'word'> | undefined;

  /** @param file.guessed the roles, such as `debit`, whose columns were guessed */
  constructor(file: {
    readonly headers: readonly string[];
    readonly columns: CsvColumns;
    readonly positions: ColumnPositions;
    readonly guessed: ReadonlySet<CsvColumnName>;
    readonly codes: DirectionCodes;
  }) {
    const isGuessed = file.guessed.has('debit') && file.guessed.has('credit');
    this.#kindPosition = isGuessed
      ? file.headers.findIndex((header) => vagueDirectionHeaders.has(headerWords(header)))
      : -1;
    this.#positions = file.positions;
    this.#columns = file.columns;
    this.#codes = file.codes;
  }

  add(line: number, cells: readonly string[]): void {
    const word = plainCell(cells[this.#kindPosition] ?? '');
    const direction = checks.has(word.toLowerCase()) ? 'expense' : readDirectionCode(word, this.#codes);
    if (direction === undefined) return;
    const hasDebit = isAmountCell(cells[this.#positions.debit ?? -1] ?? '');
    const hasCredit = isAmountCell(cells[this.#positions.credit ?? -1] ?? '');
    if (hasDebit === hasCredit) return;
    if (hasDebit === (direction === 'expense')) this.#agreeing += 1;
    else {
      this.#contradicting += 1;
      this.#first ??= { line, word };
    }
  }

  /**
   * Returns the first row that contradicts its debit or credit column. Returns undefined if any row agrees with its column, or if fewer
   * than two rows contradict theirs.
   */
  finding(headers: readonly string[]): ReversedSides | undefined {
    if (this.#first === undefined || this.#agreeing > 0 || this.#contradicting < 2) return undefined;
    const { debit = '', credit = '' } = this.#columns;
    return { ...this.#first, header: headers[this.#kindPosition]?.trim() ?? '', debit, credit };
  }
}

const checks: ReadonlySet<string> = new Set(['check', 'cheque']);
