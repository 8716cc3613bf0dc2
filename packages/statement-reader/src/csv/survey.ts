import type { CsvOptions } from '../options.js';
import type { StatementSource } from '../source.js';
import { CategoryNames } from '../texts.js';
import { type AmountSign, DecimalSeparatorDetector, findAmountSign } from '../values/amounts.js';
import { chooseDateFormat } from '../values/choose-date-format.js';
import { DateFormatDetector } from '../values/detect-date-format.js';
import { findOwnExport, onOneLine, plainCell, withoutGuard } from './cells.js';
import { GuessedColumnsCheck } from './choose-columns.js';
import {
  type ColumnPositions,
  type CsvColumnName,
  type CsvColumns,
  type IdentityColumns,
  nameColumns,
  pickIdentity,
  requirePositions,
} from './columns.js';
import { detectBalanceColumn, isDateHeader } from './detect-columns.js';
import { type DirectionCodes, directionCodes, LetterCodes, readDirectionCode } from './direction-codes.js';
import { UnrecordedFees } from './fees.js';
import type { EffectiveMapping } from './mapping.js';
import type { CsvPlan } from './plan.js';
import { type Dialect, recordsBelowHeaders } from './reader.js';
import { findBalance, nextKind, type RowKind, rowClassifier } from './row-kind.js';
import { type AmountPlace, emptySignCounts, SignConventionCheck } from './signs.js';
import { isPendingStatus, StatusTally } from './status.js';

/** A file whose headers are known, and the options for its rows. */
export interface SurveyRequest {
  readonly source: StatementSource;
  readonly dialect: Dialect;
  readonly columns: CsvColumns;
  /** Columns that no option names. Those for direction and currency are dropped if their cells do not fit. */
  readonly guessed: ReadonlySet<CsvColumnName>;
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
  const { rowCount, skippedLines } = await countRows(request, { positions, evidence });

  const codes = resolveCodes(evidence, { knownCodes, header: request.columns.direction });
  const { signCounts } = evidence;
  const roles = evidence.guesses.withoutDisproved(request.columns, signCounts);
  if (codes === undefined && (roles.direction !== undefined || signCounts.amount.minus === 0)) {
    throw evidence.letters.ambiguousError(request.columns.direction ?? '');
  }
  const isConventionGiven = options.minusMeans !== undefined || options.allExpenses === true;
  if (roles.amount !== undefined && roles.direction === undefined && !isConventionGiven) {
    evidence.signConvention.requireBankConvention();
  }
  const fallback = saved?.decimalSeparator ?? evidence.balanceSeparators.evidence;
  const decimalSeparator = options.decimalSeparator ?? evidence.separators.requireSeparator(fallback);
  const { dateFormat, dateFormatNote, dateAdvice } = chooseDateFormat({
    dates: evidence.dates,
    requested: options.dateFormat,
    saved: saved?.dateFormat,
    hasDecimalComma: evidence.separators.evidence === ',',
    dateColumn: roles.date,
  });
  // If plain amounts are expenses, a minus can only be money that came back.
  const allOthersAreExpenses = options.allExpenses === true && signCounts.amount.minus > 0;
  const { statuses, fees, categories } = evidence;
  return {
    source,
    dialect,
    columns: { roles, identity: request.identity ?? pickIdentity(roles) },
    formats: {
      dateFormat,
      decimalSeparator,
      directionCodes: codes ?? knownCodes,
      signCounts,
      minusMeans: options.minusMeans ?? (allOthersAreExpenses ? 'income' : undefined),
      finalStatuses: statuses.final,
    },
    findings: {
      rowCount,
      skippedLines,
      fees: fees.description,
      unknownStatuses: statuses.unknown,
      hasKnownStatuses: statuses.hasKnown,
      categoryNames: categories.names,
      dateFormatNote,
      dateAdvice,
    },
  };
}

/** The most skipped lines that are named by their number. */
const namedSkippedLinesMax = 5;

async function countRows(
  { source, dialect }: SurveyRequest,
  { positions, evidence }: { positions: ColumnPositions; evidence: RowEvidence },
): Promise<{ rowCount: number; skippedLines: { count: number; first: readonly number[] } }> {
  const classify = rowClassifier({ headers: dialect.headers, positions });
  const first: number[] = [];
  let [rowCount, skippedCount] = [0, 0];
  let kind: RowKind = 'skipped';
  for await (const record of recordsBelowHeaders(source, dialect)) {
    kind = 'cells' in record ? nextKind(classify(record.cells), kind) : 'row';
    if (kind === 'skipped') {
      skippedCount += 1;
      if (first.length < namedSkippedLinesMax) first.push(record.line);
    }
    if (kind !== 'row') continue;
    rowCount += 1;
    if ('cells' in record) evidence.add(record.cells);
  }
  return { rowCount, skippedLines: { count: skippedCount, first } };
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
  readonly #positions: ColumnPositions;
  readonly #codes: DirectionCodes;
  readonly #balancePosition: number | undefined;
  readonly #otherDatePositions: readonly number[];
  readonly #isOwnExport: boolean;

  constructor(
    { dialect: { headers }, columns, guessed, options, saved }: SurveyRequest,
    { positions, knownCodes }: { positions: ColumnPositions; knownCodes: DirectionCodes },
  ) {
    this.dates = new DateFormatDetector(options.dateFormat ?? saved?.dateFormat);
    this.letters = new LetterCodes(knownCodes);
    this.guesses = new GuessedColumnsCheck(guessed);
    this.statuses = new StatusTally(options.finalStatuses ?? []);
    this.fees = new UnrecordedFees(headers, columns);
    this.#positions = positions;
    this.#codes = knownCodes;
    const balanceHeader = detectBalanceColumn(headers);
    this.#balancePosition = balanceHeader === undefined ? undefined : nameColumns(headers).indexOf(balanceHeader);
    this.#otherDatePositions = headers.flatMap((header, index) =>
      isDateHeader(header) && index !== positions.date ? [index] : [],
    );
    this.#isOwnExport = findOwnExport(headers) !== undefined;
  }

  add(cells: readonly string[]): void {
    const cell = (name: CsvColumnName) => cellAt(cells, this.#positions[name]);
    const date = cell('date');
    if (date === '') return;
    if (!isPendingStatus(date)) this.dates.add(date);
    for (const position of this.#otherDatePositions) this.dates.addOtherDate(cellAt(cells, position));
    const category = onOneLine(cell('category'));
    this.categories.add(this.#isOwnExport ? withoutGuard(category) : category);
    const status = this.statuses.add(cell('status'));
    if (findBalance(cells, this.#positions) !== undefined) return;
    if (!isPendingStatus(date) && (status === 'final' || status === 'unknown')) this.fees.add(cells);
    const direction = readDirectionCode(cell('direction'), this.#codes);
    const hasDirectionColumn = this.#positions.direction !== undefined;
    this.guesses.add({ direction, currency: cell('currency'), hasDirectionColumn });
    for (const name of ['debit', 'credit'] as const) {
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

  #countSign(place: AmountPlace, text: string): AmountSign | undefined {
    const sign = findAmountSign(text);
    if (sign !== undefined) this.signCounts[place][sign] += 1;
    return sign;
  }
}

function cellAt(cells: readonly string[], position: number | undefined): string {
  return position === undefined ? '' : plainCell(cells[position] ?? '');
}

/**
 * Resolves single letters of the direction column after all rows were read, and counts the signs beside them.
 * @returns undefined if they are ambiguous
 */
function resolveCodes(
  { letters, signCounts, guesses }: RowEvidence,
  { knownCodes, header }: { knownCodes: DirectionCodes; header: string | undefined },
): DirectionCodes | undefined {
  if (header === undefined) return knownCodes;
  const codes = letters.resolve(header);
  if (codes === undefined) return undefined;
  for (const [letter, counts] of letters.signCounts) {
    const total = signCounts[readDirectionCode(letter, codes) === 'expense' ? 'expense-code' : 'income-code'];
    for (const sign of ['minus', 'plus', 'bare'] as const) total[sign] += counts[sign];
    guesses.addResolved(counts.minus + counts.plus + counts.bare);
  }
  return codes;
}
