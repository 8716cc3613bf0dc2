import { ComplementCheck } from '../columns/complementary-column.js';
import { GuessedColumnsCheck } from '../columns/guessed-columns-check.js';
import { RivalAmounts } from '../columns/rival-amounts.js';
import { SplitDecimalsCheck } from '../columns/split-decimals.js';
import { SummedAmountCheck } from '../columns/summed-amount.js';
import { UnassignedCurrencies } from '../columns/unassigned-currencies.js';
import { RowCurrencyTally } from '../row/row-currencies.js';
import { SplitTexts } from '../row/split-texts.js';
import { type ColumnPositions, type CsvColumns, findHeaderCurrency } from '../table/columns.js';
import type { SurveyRequest } from './survey-request.js';
import { type SurveyedRow, textAt } from './surveyed-row.js';

/** Collects evidence about the columns: whether the cells fit the roles, and which further columns have texts. */
export class ColumnEvidence {
  readonly guesses: GuessedColumnsCheck;
  readonly rowCurrencies = new RowCurrencyTally();
  /** The positions, from 0, of columns without a header that have a text in some row; empty in a file without headers. */
  readonly unnamedPositions = new Set<number>();
  readonly #unnamed: readonly number[];
  /** Undefined in a file with headers, and if an option names the description. */
  readonly #splitTexts: SplitTexts | undefined;
  readonly #rivals: RivalAmounts;
  readonly #complement: ComplementCheck;
  readonly #summedAmount: SummedAmountCheck;
  readonly #splitDecimals: SplitDecimalsCheck;
  readonly #unassignedCurrencies: UnassignedCurrencies;

  constructor(request: SurveyRequest, positions: ColumnPositions) {
    const { dialect, guessed, balancePosition, saved } = request;
    const { headers } = dialect;
    this.guesses = new GuessedColumnsCheck(guessed);
    this.#rivals = new RivalAmounts(request.columns, { headers, guessed });
    const unnamed = headers.flatMap((header, position) => (header.trim() === '' ? [position] : []));
    const hasNoHeaders = unnamed.length === headers.length;
    this.#unnamed = hasNoHeaders ? [] : unnamed;
    const mayBeSplit = hasNoHeaders && (guessed.has('description') || saved !== undefined);
    this.#splitTexts = mayBeSplit ? new SplitTexts(positions) : undefined;
    const isAmountGuessed = guessed.has('amount') && positions.debit === undefined && positions.credit === undefined;
    const amounts = {
      headers: isAmountGuessed ? headers : [],
      amountPosition: positions.amount ?? -1,
      usedPositions: new Set([...Object.values(positions), balancePosition]),
    };
    this.#complement = new ComplementCheck(amounts);
    this.#summedAmount = new SummedAmountCheck(amounts);
    this.#splitDecimals = new SplitDecimalsCheck(dialect, positions);
    this.#unassignedCurrencies = new UnassignedCurrencies(namesNoCurrency(request, positions) ? headers : []);
  }

  /** Adds the cells of a row, with or without a date. */
  addTexts(cells: readonly string[]): void {
    this.#splitTexts?.add(cells);
    for (const position of this.#unnamed) if (textAt(cells, position) !== '') this.unnamedPositions.add(position);
  }

  /** Adds a row. @param isFinal false if the date or the status of the row says that the row is not final */
  add({ line, cells, currency }: SurveyedRow, isFinal: boolean): void {
    this.#rivals.add(cells);
    this.#complement.add(cells);
    this.#summedAmount.add(cells);
    this.#splitDecimals.add(cells);
    if (isFinal) this.#unassignedCurrencies.add(line, cells);
    this.rowCurrencies.add(currency);
  }

  /** @throws StatementError if it is not clear which column has the amounts, or their currency */
  requireClearAmounts({ amount }: CsvColumns): void {
    this.#rivals.requireNone();
    if (amount !== undefined) this.#complement.requireNone(amount);
    if (amount !== undefined) this.#summedAmount.requireNone(amount);
    this.#unassignedCurrencies.requireNone();
    this.#splitDecimals.requireWholeAmounts();
  }

  /** The positions, from 0, of columns beside the description in which some rows of a file without headers have their text. */
  get splitTexts(): readonly number[] {
    return this.#splitTexts?.besideDescription ?? [];
  }
}

/** Returns whether no option, no currency column, no header and no line above the headers says which currency the amounts have. */
function namesNoCurrency(
  { dialect: { headers, preambleCurrency }, sideCurrencies, options, balancePosition }: SurveyRequest,
  { amount, debit, credit, currency }: ColumnPositions,
): boolean {
  const isNamed = currency !== undefined || options.columns.currency !== undefined || preambleCurrency !== undefined;
  const amounts = [amount, debit, credit, balancePosition];
  return (
    !isNamed &&
    Object.keys(sideCurrencies).length === 0 &&
    amounts.every((position) => findHeaderCurrency(headers[position ?? -1] ?? '') === undefined)
  );
}
