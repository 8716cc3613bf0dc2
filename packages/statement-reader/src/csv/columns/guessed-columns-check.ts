import type { Question, StatementDirection } from '../../statement.js';
import { currenciesOfText } from '../../values/currency-symbols.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import type { PlaceSignCounts, SignedPlace } from '../signs/sign-convention.js';
import { isAmountCell, isDateCell } from '../table/cells.js';
import type { CsvColumnName, CsvColumns } from '../table/columns.js';
import { headerDictionary, headerWords, vagueDirectionHeaders } from '../table/header-names.js';

/** Checks the guessed columns, and drops each guess that the cells disprove. */
export class GuessedColumnsCheck {
  readonly #guessed: ReadonlySet<CsvColumnName>;
  /** The numbers of cells in the direction column with a known code, and with an unknown code or none. */
  #known = 0;
  #unknown = 0;
  #hasCurrencies = false;
  /** The header of a guessed direction column that is not used. */
  #unusedDirection: string | undefined;
  /** Whether the words of `#unusedDirection` contradict the signs of some amounts. */
  #isConflicting = false;

  constructor(guessed: ReadonlySet<CsvColumnName>) {
    this.#guessed = guessed;
  }

  add(row: { direction: StatementDirection | undefined; currency: string; hasDirectionColumn: boolean }): void {
    if (row.hasDirectionColumn) {
      if (row.direction === undefined) this.#unknown += 1;
      else this.#known += 1;
    }
    this.#hasCurrencies ||= couldBeCurrency(row.currency);
  }

  /**
   * Counts `count` cells of the direction column as known instead of unknown. The meaning of some debit/credit codes becomes known only
   * after all rows are read.
   */
  addResolved(count: number): void {
    this.#known += count;
    this.#unknown -= count;
  }

  /**
   * Returns the columns without disproved guesses. Drops a direction column without any known code, a currency column
   * without any text that could be a currency, and an id column with short ids.
   *
   * Also drops a direction column whose header does not clearly mean a direction, in two cases:
   * - The header is vague (for example `Type`) or unknown, some codes are unknown, and some amounts have a minus. Such a column contains kinds
   *   of transactions ("transfer", "refund").
   * - The signs of expense codes or income codes are mixed: among the amounts with such a code, some have a minus and others do not. The
   *   codes may then be kinds of cards, such as debit and credit cards. If the header is vague, the signs of both must be mixed. If the
   *   header is unknown, one of them is enough.
   */
  check(
    columns: CsvColumns,
    { signCounts, hasShortIds }: { signCounts: PlaceSignCounts; hasShortIds: boolean },
  ): CsvColumns {
    const { direction, currency, id, ...others } = columns;
    const words = headerWords(direction ?? '');
    const isVague = vagueDirectionHeaders.has(words);
    const isUnknownHeader = !headerDictionary.direction.includes(words);
    const mixed = [isMixed(signCounts['expense-code']), isMixed(signCounts['income-code'])];
    const isConflicting = (isVague && mixed.every(Boolean)) || (isUnknownHeader && mixed.some(Boolean));
    const isOfKinds = (isVague || isUnknownHeader) && this.#unknown > 0 && signCounts.amount.minus > 0;
    const isDropped = this.#guessed.has('direction') && (this.#known === 0 || isOfKinds || isConflicting);
    this.#unusedDirection = isDropped ? direction : undefined;
    const { 'expense-code': expense, 'income-code': income } = signCounts;
    const areExpensesPlain = isAtLeastHalf(expense.plus + expense.none, expense.minus);
    const areIncomesNegative = isAtLeastHalf(income.minus, income.plus + income.none);
    this.#isConflicting = isDropped && (isOfKinds ? areExpensesPlain || areIncomesNegative : isConflicting);
    return {
      ...others,
      ...(direction !== undefined && !isDropped && { direction }),
      ...(currency !== undefined && !(this.#guessed.has('currency') && !this.#hasCurrencies) && { currency }),
      ...(id !== undefined && !(this.#guessed.has('id') && hasShortIds) && { id }),
    };
  }

  /** The header of a guessed direction column that `check` dropped, for whatever reason; undefined if there is none. */
  get unusedDirection(): string | undefined {
    return this.#unusedDirection;
  }

  /**
   * Returns a question if `check` dropped a direction column whose words contradict the signs of some amounts. There is no question if the
   * balance column agrees with the amounts.
   */
  findQuestion({ balance }: Pick<InterpretationFacts, 'balance'>): Question | undefined {
    const header = this.#isConflicting ? this.#unusedDirection : undefined;
    if (header === undefined || balance?.kind === 'agrees') return undefined;
    return {
      message: `Words of the column "${header}" contradict the signs of some amounts. The signs would decide the direction.`,
      remedy: `Use --direction-column "${header}" if its words show the direction, or --direction-column "" if the signs show it.`,
      requiresOption: true,
    };
  }
}

/**
 * Returns whether a cell is or could be a code, a symbol or a name of a currency. The list of names is never complete, so any text with a
 * letter could be a name, except amounts and dates.
 */
function couldBeCurrency(cell: string): boolean {
  if (cell === '') return false;
  if (/^[A-Za-z]{3}$|\p{Sc}/u.test(cell) || currenciesOfText(cell) !== undefined) return true;
  return /\p{L}/u.test(cell) && !isAmountCell(cell) && !isDateCell(cell);
}

/** Returns whether there are `count` amounts of one kind, and not more of another kind. */
function isAtLeastHalf(count: number, otherCount: number): boolean {
  return count > 0 && count >= otherCount;
}

/** Returns whether some amounts have a minus and others do not. */
function isMixed({ minus, plus, none }: PlaceSignCounts[SignedPlace]): boolean {
  return minus > 0 && plus + none > 0;
}
