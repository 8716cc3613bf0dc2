import type { StatementDirection } from '../statement-row.js';
import type { CsvColumnName, CsvColumns } from './csv-columns.js';
import type { MarkCounts } from './decide-direction.js';
import { vagueDirectionHeaders } from './header-dictionary.js';
import { headerWords } from './header-words.js';

/** Watches the cells of columns that were only guessed, and drops those guesses that the cells prove wrong. */
export class GuessedColumns {
  readonly #guessed: ReadonlySet<CsvColumnName>;
  #explained = 0;
  #unknown = 0;
  #codes = 0;

  constructor(guessed: ReadonlySet<CsvColumnName>) {
    this.#guessed = guessed;
  }

  see(row: { word: StatementDirection | undefined; currency: string; isNamed: boolean }): void {
    if (row.isNamed) {
      if (row.word === undefined) this.#unknown += 1;
      else this.#explained += 1;
    }
    if (/^[A-Za-z]{3}$/.test(row.currency)) this.#codes += 1;
  }

  /** Says of so many words that were unknown when they were seen that they have been explained since. */
  explain(count: number): void {
    this.#explained += count;
    this.#unknown -= count;
  }

  /**
   * The columns without mistaken guesses: a column that says little of directions where signs say all is one of kinds
   * ("transfer", "refund"), unless its header can only mean a side; a column without a single code is no currency.
   */
  keepUseful(columns: CsvColumns, marks: MarkCounts): CsvColumns {
    const { direction, currency, ...others } = columns;
    const isVague = direction !== undefined && vagueDirectionHeaders.has(headerWords(direction));
    const saysLittle = this.#explained === 0 || (isVague && this.#unknown > 0 && marks.amount.minus > 0);
    return {
      ...others,
      ...(direction !== undefined && !(this.#guessed.has('direction') && saysLittle) && { direction }),
      ...(currency !== undefined && !(this.#guessed.has('currency') && this.#codes === 0) && { currency }),
    };
  }
}
