import type { CsvOptions } from '../options.js';
import { readLines, type StatementSource } from '../source.js';
import { StatementError } from '../statement-error.js';
import { CategoryNames } from '../texts.js';
import { type AmountSign, DecimalSeparatorDetector, findAmountSign } from '../values/amounts.js';
import { chooseDateFormat } from '../values/choose-date-format.js';
import { DateFormatDetector } from '../values/detect-date-format.js';
import { GuessedColumnsCheck } from './columns/choose-columns.js';
import {
  type ColumnPositions,
  type CsvColumnName,
  type CsvColumns,
  type IdentityColumns,
  pickIdentity,
  requirePositions,
} from './columns/columns.js';
import { isDateHeader } from './columns/detect-columns.js';
import type { EffectiveMapping } from './mapping.js';
import { type CsvPlan, type Formats, noPendingRows } from './plan.js';
import { type Dialect, readRecords } from './reader.js';
import {
  findOwnExport,
  isDateCell,
  isPendingStatus,
  onOneLine,
  plainCell,
  StatusTally,
  withoutGuard,
} from './rows/cells.js';
import { UnrecordedFees } from './rows/fees.js';
import { LineTally } from './rows/line-tally.js';
import { findBalance, nextKind, type RowKind, rowClassifier } from './rows/row-kind.js';
import { type DirectionCodes, directionCodes, LetterCodes, readDirectionCode } from './signs/direction-codes.js';
import { explainCodesByBalance, orderByBalance } from './signs/plan-by-balance.js';
import { emptySignCounts, SignConventionCheck, type SignedPlace } from './signs/signs.js';

/** A file whose headers are known, and the options for its rows. */
export interface SurveyRequest {
  readonly source: StatementSource;
  readonly dialect: Dialect;
  readonly columns: CsvColumns;
  /** Columns that no option names. Those for direction and currency are dropped if their cells do not fit. */
  readonly guessed: ReadonlySet<CsvColumnName>;
  /** The position of the running balance, from 0; undefined if there is none. */
  readonly balancePosition: number | undefined;
  readonly options: CsvOptions;
  /** The saved mapping, which decides only what the file leaves open. */
  readonly saved: Pick<EffectiveMapping, 'dateFormat' | 'decimalSeparator'> | undefined;
  /** The columns that identified rows of these headers at their first import; undefined: there was none. */
  readonly identity: IdentityColumns | undefined;
}

/**
 * Reads a whole file once, in constant memory, for everything that no single row can show: the date format, the decimal
 * separator, the sign convention, the skipped lines, and the number of rows.
 *
 * @throws StatementError naming the option that decides, if the file alone allows two readings
 */
export async function surveyRows(request: SurveyRequest): Promise<CsvPlan> {
  const { source, dialect, options, saved } = request;
  const positions = requirePositions(request.columns, dialect.headers);
  const knownCodes = directionCodes(options.expenseWords, options.incomeWords);
  const evidence = new RowEvidence(request, { positions, knownCodes });
  const { rowCount, lines } = await countRows(request, { positions, evidence });

  const { direction } = request.columns;
  const codes = direction === undefined ? knownCodes : evidence.letters.resolve(direction);
  if (codes !== undefined) countCodeSigns(evidence, codes);
  const { signCounts } = evidence;
  const roles = evidence.guesses.withoutDisproved(request.columns, signCounts);
  const areCodesOpen = codes === undefined && (roles.direction !== undefined || signCounts.amount.minus === 0);
  const usesBalance = request.balancePosition !== undefined && options.ignoresBalance !== true;
  if (areCodesOpen && !usesBalance) throw evidence.letters.ambiguousError(direction ?? '');
  const isConventionGiven = options.minusMeans !== undefined || options.allExpenses === true;
  if (roles.amount !== undefined && roles.direction === undefined && !isConventionGiven) {
    evidence.signConvention.requireBankConvention();
  }
  const fallback = saved?.decimalSeparator ?? evidence.balanceSeparators.evidence;
  const decimalSeparator = options.decimalSeparator ?? evidence.separators.requireSeparator(fallback);
  if (options.dateFormat === undefined && saved === undefined) requireReadableFirstDate(request, evidence);
  const { dateFormat, dateFormatNote, dateAdvice } = chooseDateFormat({
    dates: evidence.dates,
    requested: options.dateFormat,
    saved: saved?.dateFormat,
    dateColumn: roles.date,
  });
  const allIncomes = options.allIncomes === true;
  // If plain amounts are expenses, a minus can only be money that came back.
  const allOthersAreExpenses = options.allExpenses === true && signCounts.amount.minus > 0;
  const { statuses, fees, categories } = evidence;
  const isDropped = direction !== undefined && roles.direction === undefined && !areCodesOpen;
  const plan: CsvPlan = {
    source,
    dialect,
    columns: {
      roles,
      identity: request.identity ?? pickIdentity(areCodesOpen ? request.columns : roles),
      balancePosition: request.balancePosition,
    },
    formats: {
      dateFormat,
      decimalSeparator,
      directionCodes: codes ?? knownCodes,
      signCounts,
      minusMeans: options.minusMeans ?? findMinusOfOthers({ allOthersAreExpenses, allIncomes }),
      allIncomes,
      balanceOrder: undefined,
      finalStatuses: statuses.final,
    },
    findings: {
      rowCount,
      lines,
      fees: fees.description,
      feeColumn: fees.header,
      unusedDirection: isDropped ? direction : undefined,
      unknownStatuses: statuses.unknown,
      hasKnownStatuses: statuses.hasKnown,
      hasNotFinal: statuses.hasNotFinal,
      categoryNames: categories.names,
      dateFormatNote,
      dateAdvice,
    },
    pending: noPendingRows,
  };
  if (!usesBalance) return plan;
  if (!areCodesOpen) return orderByBalance(plan, options);
  const explained = await explainCodesByBalance(plan, direction ?? '');
  if (explained === undefined) throw evidence.letters.ambiguousError(direction ?? '');
  countCodeSigns(evidence, explained.formats.directionCodes);
  return explained;
}

function findMinusOfOthers(all: { allOthersAreExpenses: boolean; allIncomes: boolean }): Formats['minusMeans'] {
  if (all.allOthersAreExpenses) return 'income';
  return all.allIncomes ? 'expense' : undefined;
}

/**
 * Refuses a file without headers whose first date is in an unknown format: its other rows may be in that format too, or
 * the row is no transaction. Only the user knows.
 */
function requireReadableFirstDate(
  { dialect, columns }: SurveyRequest,
  { firstDate, dates }: Pick<RowEvidence, 'firstDate' | 'dates'>,
): void {
  const hasHeaders = dialect.headers.some((header) => header.trim() !== '');
  if (hasHeaders || firstDate === undefined || isDateCell(firstDate) || !dates.hasDates) return;
  throw new StatementError(
    `The first row has "${firstDate}" in "${columns.date}", which is no date of a known format.`,
    'Say how dates are written with --date-format; rows with other dates fail and are listed.',
  );
}

async function countRows(
  { source, dialect }: SurveyRequest,
  { positions, evidence }: { positions: ColumnPositions; evidence: RowEvidence },
): Promise<Pick<CsvPlan['findings'], 'rowCount' | 'lines'>> {
  const classify = rowClassifier({ headers: dialect.headers, positions });
  const tally = new LineTally();
  const lines = tally.counting(readLines(source, dialect.encoding));
  let rowCount = 0;
  let kind: RowKind = 'note';
  for await (const record of readRecords(lines, dialect.delimiter)) {
    if (record.line <= dialect.headerLine) {
      const isHeader = record.line === dialect.headerLine && dialect.headers.some((header) => header.trim() !== '');
      const isBlank = 'cells' in record && record.cells.every((cell) => cell.trim() === '');
      tally.add(record, isHeader ? 'header' : isBlank ? 'blank' : 'preamble');
      continue;
    }
    kind = 'cells' in record ? nextKind(classify(record.cells), kind) : 'row';
    tally.add(record, kind);
    if (kind !== 'row') continue;
    rowCount += 1;
    if ('cells' in record) evidence.add(record.cells);
  }
  return { rowCount, lines: tally.finish() };
}

/** Collects what the rows of a file show together. */
class RowEvidence {
  readonly dates: DateFormatDetector;
  readonly separators = new DecimalSeparatorDetector();
  readonly balanceSeparators = new DecimalSeparatorDetector();
  readonly signConvention = new SignConventionCheck();
  readonly signCounts = emptySignCounts();
  readonly letters: LetterCodes;
  readonly guesses: GuessedColumnsCheck;
  readonly statuses: StatusTally;
  readonly categories = new CategoryNames();
  readonly fees: UnrecordedFees;
  /** The date of the first row; undefined if there is no row. */
  firstDate: string | undefined;
  readonly #positions: ColumnPositions;
  readonly #codes: DirectionCodes;
  readonly #balancePosition: number | undefined;
  readonly #otherDatePositions: readonly number[];
  readonly #isOwnExport: boolean;

  constructor(
    { dialect: { headers }, columns, guessed, balancePosition, options, saved }: SurveyRequest,
    { positions, knownCodes }: { positions: ColumnPositions; knownCodes: DirectionCodes },
  ) {
    this.dates = new DateFormatDetector(options.dateFormat ?? saved?.dateFormat);
    this.letters = new LetterCodes(knownCodes);
    this.guesses = new GuessedColumnsCheck(guessed);
    this.statuses = new StatusTally(options.finalStatuses ?? []);
    this.fees = new UnrecordedFees(headers, columns);
    this.#positions = positions;
    this.#codes = knownCodes;
    this.#balancePosition = balancePosition;
    this.#otherDatePositions = headers.flatMap((header, index) =>
      isDateHeader(header) && index !== positions.date ? [index] : [],
    );
    this.#isOwnExport = findOwnExport(headers) !== undefined;
  }

  add(cells: readonly string[]): void {
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
    const status = this.statuses.add(cell('status'));
    if (findBalance(cells, this.#positions) !== undefined) return;
    if (!isPendingStatus(date) && (status === 'final' || status === 'unknown')) this.fees.add(cells);
    const direction = readDirectionCode(cell('direction'), this.#codes);
    const hasDirectionColumn = this.#positions.direction !== undefined;
    this.guesses.add({ direction, currency: cell('currency'), hasDirectionColumn });
    for (const name of ['debit', 'credit', 'fee'] as const) {
      this.separators.add(cell(name));
      this.#countSign(name, cell(name));
    }
    this.separators.add(cell('amount'));
    const sign = this.#countSign('amount', cell('amount'));
    this.signConvention.add({ sign, text: `${cell('description')} ${cell('merchant')}`.trim(), direction });
    this.balanceSeparators.add(cellAt(cells, this.#balancePosition));
    this.letters.add(cell('direction'), sign);
    if (direction !== undefined) this.#countSign(`${direction}-code`, cell('amount'));
  }

  #countSign(place: SignedPlace, text: string): AmountSign | undefined {
    const sign = findAmountSign(text);
    if (sign !== undefined) this.signCounts[place][sign] += 1;
    return sign;
  }
}

function cellAt(cells: readonly string[], position: number | undefined): string {
  return position === undefined ? '' : plainCell(cells[position] ?? '');
}

/** Counts the signs beside the codes of the direction column whose meaning was resolved after all rows were read. */
function countCodeSigns({ letters, signCounts, guesses }: RowEvidence, codes: DirectionCodes): void {
  for (const [code, counts] of letters.countSigns(codes)) {
    const total = signCounts[readDirectionCode(code, codes) === 'expense' ? 'expense-code' : 'income-code'];
    for (const sign of ['minus', 'plus', 'bare'] as const) total[sign] += counts[sign];
    guesses.addResolved(counts.minus + counts.plus + counts.bare);
  }
}
