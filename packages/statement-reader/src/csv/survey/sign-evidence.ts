import type { CsvOptions } from '../../options.js';
import type { StatementDirection } from '../../statement.js';
import type { StatementError } from '../../statement-error.js';
import { type AmountSign, findAmountSign } from '../../values/amounts.js';
import type { GuessedColumnsCheck } from '../columns/guessed-columns-check.js';
import { MoneyOutSignCheck } from '../row/money-out-without-minus.js';
import { findCodePosition, withCode } from '../row/row-amount.js';
import { UndirectedAmountCheck } from '../row/undirected-amounts.js';
import { DebitCreditCheck } from '../signs/debit-credit-check.js';
import { type DirectionCodes, directionCodes, readDirectionCode, ShortCodes } from '../signs/direction-codes.js';
import { emptySignCounts, type SignedPlace } from '../signs/sign-convention.js';
import { SignConventionCheck } from '../signs/sign-convention-check.js';
import { type SingleCodeColumn, SingleCodeColumnCheck, withEmptyCode } from '../signs/single-code-columns.js';
import { UndirectedTransferCheck } from '../signs/undirected-transfers.js';
import type { ColumnPositions, CsvColumns } from '../table/columns.js';
import { cardHeaders, headerWords, plaidHeaders } from '../table/header-names.js';
import type { SurveyRequest } from './survey-request.js';
import { type SurveyedRow, textAt } from './surveyed-row.js';

/**
 * Collects evidence about the meaning of signs, of debit/credit codes, and of debit and credit columns, during the survey: the first pass
 * over all rows, before a row is read as a transaction.
 */
export class SignEvidence {
  readonly counts = emptySignCounts();
  /** The codes that options name, or the common codes. */
  readonly knownCodes: DirectionCodes;
  readonly convention: SignConventionCheck;
  readonly moneyOut: MoneyOutSignCheck;
  /** Finds amounts without a sign or code in a file in which the other amounts have one. */
  readonly undirectedAmounts = new UndirectedAmountCheck();
  /** Checks which column has the debits and which has the credits. */
  readonly debitCredit: DebitCreditCheck;
  readonly transfers: UndirectedTransferCheck;
  /** The codes of one or two characters, such as `D` and `C`. Some are ambiguous, and are resolved after the last row. */
  readonly #shortCodes: ShortCodes;
  /** Finds columns whose only text is `CR` or `DR`; the other cells are empty. */
  readonly #singleCodeColumns: SingleCodeColumnCheck;
  readonly #positions: ColumnPositions;
  readonly #codePosition: number;
  readonly #guesses: GuessedColumnsCheck;

  /** @param file.guesses receives every row, and drops a guessed direction column that the rows disprove */
  constructor(
    { dialect: { headers }, columns, guessed, options }: SurveyRequest,
    { positions, guesses }: { readonly positions: ColumnPositions; readonly guesses: GuessedColumnsCheck },
  ) {
    const codes = directionCodes(options.expenseWords, options.incomeWords);
    this.knownCodes = codes;
    this.convention = new SignConventionCheck({
      isOfCard: headers.some((header) => cardHeaders.has(headerWords(header))),
      isOfPlaid: plaidHeaders.every((words) => headers.some((header) => headerWords(header) === words)),
    });
    this.moneyOut = new MoneyOutSignCheck(headers, positions.description);
    this.debitCredit = new DebitCreditCheck({ headers, columns, positions, guessed, codes });
    this.transfers = new UndirectedTransferCheck(headers);
    this.#shortCodes = new ShortCodes(codes);
    this.#singleCodeColumns = new SingleCodeColumnCheck(headers);
    this.#positions = positions;
    this.#codePosition = findCodePosition(headers, positions);
    this.#guesses = guesses;
  }

  add(row: SurveyedRow): void {
    const { line, cells } = row;
    this.debitCredit.add(line, cells);
    this.transfers.add(line, cells);
    const direction = readDirectionCode(row.direction, this.knownCodes);
    const hasDirectionColumn = this.#positions.direction !== undefined;
    this.#guesses.add({ direction, currency: row.currency, hasDirectionColumn });
    for (const name of ['debit', 'credit', 'fee'] as const) this.#countSign(name, row[name]);
    const amount = withCode(row.amount, cells[this.#codePosition]);
    const sign = this.#countSign('amount', amount);
    this.moneyOut.add(cells, sign);
    this.undirectedAmounts.add(amount, sign);
    this.#singleCodeColumns.add(cells, sign);
    const text = `${row.description} ${row.merchant}`.trim();
    const category = textAt(cells, this.#positions.category);
    // Without a direction column, the categories may be directions: `Expenses` and `Income`.
    const ofCategory = hasDirectionColumn ? undefined : readDirectionCode(category, this.knownCodes);
    this.convention.add({ sign, description: row.description, text, category, cells, direction, ofCategory });
    this.#shortCodes.add(row.direction, sign);
    if (direction !== undefined) this.#countSign(`${direction}-code`, amount);
  }

  /** Subtracts the signs of a row that was counted, but then proved to be no transaction. */
  remove(cells: readonly string[]): void {
    for (const name of ['amount', 'debit', 'credit'] as const) {
      const sign = findAmountSign(textAt(cells, this.#positions[name]));
      if (sign !== undefined) this.counts[name][sign] -= 1;
    }
  }

  /**
   * Returns the codes of the direction column, and counts the signs of their amounts. If the column has only one code, and empty cells, an
   * empty cell is a code too. Call it once, after the last row.
   * @param direction the header of the direction column; undefined if there is none
   * @returns undefined if the meaning of some code is not clear
   */
  resolveCodes(direction: string | undefined): DirectionCodes | undefined {
    const resolved = direction === undefined ? this.knownCodes : this.#shortCodes.resolve(direction);
    if (resolved !== undefined) this.countCodeSigns(resolved);
    const column = this.#findSingleCodeColumns().find(
      ({ position, text, emptyMeans }) =>
        position === this.#positions.direction && readDirectionCode(text, this.knownCodes) !== emptyMeans,
    );
    if (column === undefined) return resolved;
    this.counts[`${column.emptyMeans}-code`].none += column.emptyCount;
    this.#guesses.addResolved(column.emptyCount);
    return resolved && withEmptyCode(resolved, column);
  }

  /** Counts the signs of amounts whose debit/credit codes were resolved only after all rows had been read. */
  countCodeSigns(codes: DirectionCodes): void {
    for (const [code, counts] of this.#shortCodes.countSigns(codes)) {
      const total = this.counts[readDirectionCode(code, codes) === 'expense' ? 'expense-code' : 'income-code'];
      for (const sign of ['minus', 'plus', 'none'] as const) total[sign] += counts[sign];
      this.#guesses.addResolved(counts.minus + counts.plus + counts.none);
    }
  }

  /** Returns the error for a file in which only ambiguous codes show the direction. */
  ambiguousCodesError(direction: string | undefined): StatementError {
    return this.#shortCodes.ambiguousError(direction ?? '');
  }

  /**
   * Returns the text of the row that proves that a minus means income, see {@link SignConventionCheck.findReversedRow}. Returns undefined
   * if the signs are those of a bank statement, or if an option or a direction column shows their meaning.
   * @throws StatementError if the meaning of a minus is not known
   */
  async findReversedRow({ amount, direction }: CsvColumns, options: CsvOptions): Promise<string | undefined> {
    const isConventionGiven = options.minusMeans !== undefined || options.allExpenses === true;
    if (amount === undefined || direction !== undefined || isConventionGiven) return undefined;
    const isCreditCard = async () => (await options.findAccount?.())?.type === 'credit_card';
    return this.convention.findReversedRow({ isCreditCard, allIncomes: options.allIncomes === true });
  }

  /** Returns the meaning of a minus that options set; undefined if they set none. */
  findMinusMeaning({ minusMeans, allExpenses, allIncomes }: CsvOptions): StatementDirection | undefined {
    if (minusMeans !== undefined) return minusMeans;
    // If amounts without a sign are expenses, an amount with a minus is a refund.
    if (allExpenses === true && this.counts.amount.minus > 0) return 'income';
    return allIncomes === true ? 'expense' : undefined;
  }

  /**
   * Returns a column whose only text is `CR` or `DR`, and which is empty in other rows. Returns undefined if there is none, if some amount
   * has a sign, if a direction column is used, or if an option says that the file has no direction column.
   */
  findUnusedSingleCodeColumn({ amount, direction }: CsvColumns, options: CsvOptions): SingleCodeColumn | undefined {
    const isUnused = amount !== undefined && direction === undefined && options.columns.direction !== '';
    return isUnused ? this.#findSingleCodeColumns()[0] : undefined;
  }

  #findSingleCodeColumns(): readonly SingleCodeColumn[] {
    const hasSigns = this.counts.amount.minus + this.counts.amount.plus > 0;
    return hasSigns ? [] : this.#singleCodeColumns.found;
  }

  #countSign(place: SignedPlace, text: string): AmountSign | undefined {
    const sign = findAmountSign(text);
    if (sign !== undefined) this.counts[place][sign] += 1;
    return sign;
  }
}
