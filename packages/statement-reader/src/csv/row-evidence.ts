import type { CsvOptions } from '../options.js';
import type { StatementSource } from '../source.js';
import { CategoryNames } from '../texts.js';
import { type AmountSign, DecimalSeparatorDetector, findAmountSign } from '../values/amounts.js';
import { DateFormatDetector } from '../values/detect-date-format.js';
import { mayUseEras } from '../values/eras.js';
import {
  type ColumnPositions,
  type CsvColumnName,
  type CsvColumns,
  findHeaderCurrency,
  type IdentityColumns,
  requirePositions,
} from './columns/columns.js';
import { ComplementCheck } from './columns/complementary-column.js';
import type { SideCurrencies } from './columns/currency-columns.js';
import { detectColumnsByHeader, isDateHeader } from './columns/detect-columns-by-header.js';
import { GuessedColumnsCheck } from './columns/guessed-columns-check.js';
import { cardHeaders, headerWords, plaidHeaders } from './columns/header-names.js';
import { OwnAccountTally } from './columns/own-accounts.js';
import { SplitDecimalsCheck } from './columns/split-decimals.js';
import { SummedAmountCheck } from './columns/summed-amount.js';
import { readSignedMovement } from './columns/transfer-pairs.js';
import { UnassignedCurrencies } from './columns/unassigned-currencies.js';
import { UnrecordedFees } from './columns/unrecorded-fees.js';
import type { EffectiveMapping } from './mapping.js';
import { titleOf } from './other-tables.js';
import type { Dialect } from './reader.js';
import { AsteriskTally } from './rows/asterisks.js';
import { BalanceSearch } from './rows/balance-search.js';
import {
  findOwnExport,
  findPendingFlag,
  isFlagSet,
  isPendingStatus,
  onOneLine,
  plainCell,
  withoutGuard,
} from './rows/cells.js';
import { FundingTally } from './rows/funding-source.js';
import { PendingMarkTally } from './rows/pending-marks.js';
import { PendingTexts } from './rows/pending-texts.js';
import { findCodePosition, withCode } from './rows/row-amount.js';
import { RowCurrencyTally } from './rows/row-currencies.js';
import { RowIdCheck } from './rows/row-ids.js';
import { SplitMarks } from './rows/split-parents.js';
import { SplitTexts } from './rows/split-texts.js';
import { StatusTally } from './rows/status-tally.js';
import { type DirectionCodes, LetterCodes, readDirectionCode } from './signs/direction-codes.js';
import { LoneCodeCheck } from './signs/lone-codes.js';
import { MarkedAmountCheck } from './signs/marked-amounts.js';
import { SideCheck } from './signs/reversed-sides.js';
import { SignConventionCheck } from './signs/row-texts.js';
import { emptySignCounts, type SignedPlace } from './signs/sign-convention.js';
import { UndirectedTransferCheck } from './signs/undirected-transfers.js';
import { MoneyOutSignCheck } from './signs/unsigned-money-out.js';

/** A file whose headers are known, and the options for its rows. */
export interface SurveyRequest {
  readonly source: StatementSource;
  readonly dialect: Dialect;
  readonly columns: CsvColumns;
  /** The roles whose columns were guessed. A guessed direction, currency or id column is not used if its cells do not fit its role. */
  readonly guessed: ReadonlySet<CsvColumnName>;
  /** The position of the column with the running balances, from 0; undefined if there is no such column. */
  readonly balancePosition: number | undefined;
  readonly sideCurrencies: SideCurrencies;
  readonly options: CsvOptions;
  /** The formats of the saved mapping, which are used unless the file contradicts them. */
  readonly saved: Pick<EffectiveMapping, 'dateFormat' | 'decimalSeparator'> | undefined;
  /**
   * The columns that identified the rows when a file with these headers was first imported. Undefined before the first import, or if the
   * option `newKeys` replaces these columns.
   */
  readonly identity: IdentityColumns | undefined;
}

/** Collects evidence about formats, signs, statuses and fees from all rows of a file. */
export class RowEvidence {
  readonly dates: DateFormatDetector;
  readonly separators = new DecimalSeparatorDetector();
  readonly balanceSeparators = new DecimalSeparatorDetector();
  readonly signConvention: SignConventionCheck;
  readonly pendingTexts = new PendingTexts();
  readonly pendingMarks: PendingMarkTally;
  readonly asterisks: AsteriskTally;
  readonly funding: FundingTally;
  readonly signCounts = emptySignCounts();
  readonly letters: LetterCodes;
  readonly guesses: GuessedColumnsCheck;
  readonly statuses: StatusTally;
  readonly rowCurrencies = new RowCurrencyTally();
  readonly unassignedCurrencies: UnassignedCurrencies;
  readonly categories = new CategoryNames();
  readonly fees: UnrecordedFees;
  readonly ownAccounts: OwnAccountTally;
  readonly ids: RowIdCheck;
  readonly sides: SideCheck;
  readonly complement: ComplementCheck;
  readonly summedAmount: SummedAmountCheck;
  readonly splitDecimals: SplitDecimalsCheck;
  readonly transfers: UndirectedTransferCheck;
  readonly moneyOut: MoneyOutSignCheck;
  readonly markedAmounts = new MarkedAmountCheck();
  /** Undefined in a file with headers, and if an option names the description. */
  readonly splitTexts: SplitTexts | undefined;
  readonly loneCodes: LoneCodeCheck;
  /** The first text in the date column that is not a pending status; undefined if there is none. */
  firstDate: string | undefined;
  hasBalanceRows = false;
  hasSplitRows = false;
  /** The positions, from 0, of columns without a header that have a text in some row; empty in a file without headers. */
  readonly unnamedPositions = new Set<number>();
  readonly #unnamed: readonly number[];
  readonly #positions: ColumnPositions;
  readonly #balances: BalanceSearch;
  readonly #codes: DirectionCodes;
  readonly #balancePosition: number | undefined;
  readonly #otherDatePositions: readonly number[];
  readonly #pendingFlag: number;
  readonly #codePosition: number;
  readonly #isOwnExport: boolean;
  readonly #splits: SplitMarks;

  constructor(
    request: SurveyRequest,
    { positions, knownCodes }: { positions: ColumnPositions; knownCodes: DirectionCodes },
  ) {
    const { dialect, columns, guessed, balancePosition, options, saved } = request;
    const { headers } = dialect;
    this.unassignedCurrencies = new UnassignedCurrencies(namesNoCurrency(request, positions) ? headers : []);
    this.dates = new DateFormatDetector(options.dateFormat ?? saved?.dateFormat, {
      isYearUsuallyFirst: mayUseEras(columns.date),
    });
    this.letters = new LetterCodes(knownCodes);
    this.guesses = new GuessedColumnsCheck(guessed);
    this.statuses = new StatusTally(options);
    this.fees = new UnrecordedFees(headers, columns);
    const { account } = requirePositions(detectColumnsByHeader(headers, new Set()), headers);
    this.ownAccounts = new OwnAccountTally(headers, { date: positions.date ?? -1, account });
    this.signConvention = new SignConventionCheck({
      isOfCard: headers.some((header) => cardHeaders.has(headerWords(header))),
      isOfPlaid: plaidHeaders.every((words) => headers.some((header) => headerWords(header) === words)),
    });
    this.ids = new RowIdCheck(headers, positions.id ?? -1);
    this.transfers = new UndirectedTransferCheck(headers);
    this.moneyOut = new MoneyOutSignCheck(headers, positions.description);
    this.loneCodes = new LoneCodeCheck(headers);
    this.sides = new SideCheck({ headers, columns, positions, guessed, codes: knownCodes });
    const isAmountGuessed = guessed.has('amount') && positions.debit === undefined && positions.credit === undefined;
    const amounts = {
      headers: isAmountGuessed ? headers : [],
      amountPosition: positions.amount ?? -1,
      usedPositions: new Set([...Object.values(positions), balancePosition]),
    };
    this.complement = new ComplementCheck(amounts);
    this.summedAmount = new SummedAmountCheck(amounts);
    this.splitDecimals = new SplitDecimalsCheck(dialect, positions.amount);
    this.pendingMarks = new PendingMarkTally(headers, positions, [...options.expenseWords, ...options.incomeWords]);
    this.funding = new FundingTally(headers);
    this.asterisks = new AsteriskTally([positions.description, positions.merchant]);
    const unnamed = headers.flatMap((header, position) => (header.trim() === '' ? [position] : []));
    const hasNoHeaders = unnamed.length === headers.length;
    this.#unnamed = hasNoHeaders ? [] : unnamed;
    const mayBeSplit = hasNoHeaders && (guessed.has('description') || saved !== undefined);
    this.splitTexts = mayBeSplit ? new SplitTexts(positions) : undefined;
    this.#positions = positions;
    this.#balances = new BalanceSearch(positions);
    this.#codes = knownCodes;
    this.#balancePosition = balancePosition;
    this.#otherDatePositions = headers.flatMap((header, index) =>
      isDateHeader(header) && index !== positions.date ? [index] : [],
    );
    this.#pendingFlag = findPendingFlag(headers);
    this.#codePosition = findCodePosition(headers, positions);
    this.#isOwnExport = findOwnExport(headers) !== undefined;
    this.#splits = new SplitMarks(headers, this.#isOwnExport ? undefined : positions.category);
  }

  add(line: number, cells: readonly string[]): void {
    this.ids.add(cells);
    this.splitTexts?.add(cells);
    for (const position of this.#unnamed) if (cellAt(cells, position) !== '') this.unnamedPositions.add(position);
    const cell = (name: CsvColumnName) => cellAt(cells, this.#positions[name]);
    const date = cell('date');
    if (date === '') return;
    if (!isPendingStatus(date)) {
      this.firstDate ??= date;
      this.dates.add(date);
    }
    for (const position of this.#otherDatePositions) this.dates.addOtherDate(cellAt(cells, position));
    const category = onOneLine(cell('category'));
    this.categories.add(this.#isOwnExport ? withoutGuard(category) : category);
    this.hasSplitRows ||= this.#splits.isMarked(cells);
    const status = this.statuses.add(cell('status'), isFlagSet(cells[this.#pendingFlag]));
    const namesBalance = this.#balances.find(cells) !== undefined;
    this.hasBalanceRows ||=
      namesBalance ||
      this.#balances.findMention(cells) !== undefined ||
      this.#balances.findTotalMention(cells) !== undefined ||
      this.#balances.findPeriod(cells) !== undefined;
    if (namesBalance) return;
    this.ownAccounts.add(cells, () =>
      readSignedMovement({
        date,
        amount: cell('amount'),
        debit: cell('debit'),
        credit: cell('credit'),
        direction: cell('direction'),
      }),
    );
    this.sides.add(line, cells);
    this.complement.add(cells);
    this.summedAmount.add(cells);
    this.splitDecimals.add(cells);
    this.transfers.add(line, cells);
    const isFinal = !isPendingStatus(date) && (status === 'final' || status === 'unknown');
    if (isFinal) this.fees.add(cells);
    if (isFinal) this.funding.add(line, cells);
    if (isFinal) this.unassignedCurrencies.add(line, cells);
    const { final } = this.statuses.declared;
    const isKnownFinal = status === 'final' && cell('status') !== '';
    if (isFinal) this.pendingMarks.add(line, cells, { status: cell('status'), final });
    if (isFinal && !isKnownFinal && !final.has('*')) this.asterisks.add(line, cells);
    if (isFinal) this.pendingTexts.add(line, [cell('description'), cell('merchant')], final);
    const direction = readDirectionCode(cell('direction'), this.#codes);
    const hasDirectionColumn = this.#positions.direction !== undefined;
    this.guesses.add({ direction, currency: cell('currency'), hasDirectionColumn });
    this.rowCurrencies.add(cell('currency'));
    for (const name of ['debit', 'credit', 'fee'] as const) {
      this.separators.add(cell(name));
      this.#countSign(name, cell(name));
    }
    this.separators.add(cell('amount'));
    const amount = withCode(cell('amount'), cells[this.#codePosition]);
    const sign = this.#countSign('amount', amount);
    this.moneyOut.add(cells, sign);
    this.markedAmounts.add(amount, sign);
    this.loneCodes.add(cells, sign);
    this.signConvention.add({ sign, text: `${cell('description')} ${cell('merchant')}`.trim(), cells, direction });
    this.balanceSeparators.add(cellAt(cells, this.#balancePosition));
    this.letters.add(cell('direction'), sign);
    if (direction !== undefined) this.#countSign(`${direction}-code`, amount);
  }

  /** Adds a line that is not a row. It may be a title above pending rows, or a note that explains an asterisk. */
  addNote(cells: readonly string[], kind: 'preamble' | 'note' | 'continuation'): void {
    if (kind !== 'continuation') this.pendingTexts.addTitle(titleOf(cells));
    this.asterisks.addNote(cells);
  }

  /** Subtracts the signs of a row that was counted, but then proved to be no transaction. */
  discountSigns(cells: readonly string[]): void {
    for (const name of ['amount', 'debit', 'credit'] as const) {
      const sign = findAmountSign(cellAt(cells, this.#positions[name]));
      if (sign !== undefined) this.signCounts[name][sign] -= 1;
    }
  }

  #countSign(place: SignedPlace, text: string): AmountSign | undefined {
    const sign = findAmountSign(text);
    if (sign !== undefined) this.signCounts[place][sign] += 1;
    return sign;
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

function cellAt(cells: readonly string[], position: number | undefined): string {
  return position === undefined ? '' : plainCell(cells[position] ?? '');
}
