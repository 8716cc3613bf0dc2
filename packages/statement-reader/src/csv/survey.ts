import { readLines } from '../source.js';
import { StatementError } from '../statement-error.js';
import { chooseDateFormat } from '../values/choose-date-format.js';
import { type ColumnPositions, nameColumns, pickIdentity, requirePositions } from './columns/columns.js';
import type { SummedAmount } from './columns/summed-amount.js';
import type { Description } from './describe-reading.js';
import { LineEvidence } from './line-evidence.js';
import { type CsvPlan, noBalanceLines, noPendingRows, noSplitParents, type PlannedSigns } from './plan.js';
import { readRecords } from './reader.js';
import { RowEvidence, type SurveyRequest } from './row-evidence.js';
import { isDateCell } from './rows/cells.js';
import { nextKind, type RowKind, rowClassifier } from './rows/row-kind.js';
import type { BalanceCodeCheck } from './signs/balance-code-check.js';
import { findCodesOfBalance } from './signs/codes-of-balance.js';
import { type DirectionCodes, directionCodes, readDirectionCode } from './signs/direction-codes.js';
import { explainCodesByBalance, orderByBalance, settleCodesBesideBalance } from './signs/directions-by-balance.js';
import { type LoneCode, withEmptyCode } from './signs/lone-codes.js';

/** The result of reading a whole file once. */
export interface Survey {
  /** How each row is read. */
  readonly plan: CsvPlan;
  readonly description: Description;
  readonly checks: SurveyChecks;
}

/** The checks to which the survey has added all lines of the file. */
export interface SurveyChecks {
  readonly rows: RowEvidence;
  readonly lines: LineEvidence;
  /** The check of the direction codes directly to the right of the balance; undefined if there are no such codes. */
  readonly codesBesideBalance: BalanceCodeCheck | undefined;
  /**
   * A column whose only text is `CR` or `DR`, and which is empty in other rows. Undefined if there is none, if some amount has a sign, if
   * a direction column is used, or if an option says that the file has no direction column.
   */
  readonly unusedLoneCode: LoneCode | undefined;
}

/**
 * Returns a plan, which says how to read the rows of a file, and the checks of all lines. Reads the whole file in constant memory to find
 * the facts that no single row shows. Examples are the date format, the decimal separator and the sign convention. Reads the file again only
 * if this is needed, for example if the balance column may show which amounts are expenses, or if ids seem to repeat.
 *
 * @throws StatementError if the file can be read in several ways (the error names the option that selects one of them), has no readable
 *   date, or contains another table that has other columns or may be of another account
 */
export async function surveyRows(request: SurveyRequest): Promise<Survey> {
  const { source, dialect, options, saved } = request;
  const positions = requirePositions(request.columns, dialect.headers);
  const knownCodes = directionCodes(options.expenseWords, options.incomeWords);
  const evidence = new RowEvidence(request, { positions, knownCodes });
  const lines = new LineEvidence({ dialect, positions, declared: evidence.statuses.declared });
  await readAllLines(request, { positions, rows: evidence, lines });
  const numberedBalances = lines.findNumberedBalances();
  for (const { cells } of numberedBalances) evidence.discountSigns(cells);
  await lines.searchOverlap(source);

  const { direction } = request.columns;
  const { signCounts } = evidence;
  const hasSigns = signCounts.amount.minus + signCounts.amount.plus > 0;
  const loneCodes = hasSigns ? [] : evidence.loneCodes.found;
  const resolved = direction === undefined ? knownCodes : evidence.letters.resolve(direction);
  if (resolved !== undefined) countCodeSigns(evidence, resolved);
  const directionCode = loneCodes.find(
    ({ position, text, emptyMeans }) =>
      position === positions.direction && readDirectionCode(text, knownCodes) !== emptyMeans,
  );
  if (directionCode !== undefined) countEmptyCodes(evidence, directionCode);
  const codes = resolved && directionCode ? withEmptyCode(resolved, directionCode) : resolved;
  const roles = evidence.guesses.check(request.columns, {
    signCounts,
    hasShortIds: evidence.ids.hasShort,
  });
  const areCodesOpen = codes === undefined && (roles.direction !== undefined || signCounts.amount.minus === 0);
  const usesBalance = request.balancePosition !== undefined && options.ignoresBalance !== true;
  if (areCodesOpen && !usesBalance) throw evidence.letters.ambiguousError(direction ?? '');
  if (roles.amount !== undefined) requireOneSide(roles.amount, { position: evidence.complement.position, dialect });
  if (roles.amount !== undefined) requireOneAmount(roles.amount, evidence.summedAmount.finding);
  evidence.unassignedCurrencies.requireNone();
  evidence.splitDecimals.requireWholeAmounts();
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
  // If amounts without a sign are expenses, an amount with a minus is a refund.
  const allOthersAreExpenses = options.allExpenses === true && signCounts.amount.minus > 0;
  const { statuses, categories } = evidence;
  if (roles.id !== undefined) await evidence.ids.searchRepeated({ source, dialect, positions });
  const plan: CsvPlan = {
    source,
    dialect,
    columns: {
      roles,
      identity: request.identity ?? pickIdentity(areCodesOpen ? request.columns : roles),
      balancePosition: request.balancePosition,
      balanceCodePosition: findCodesOfBalance({
        headers: dialect.headers,
        balancePosition: roles.amount === undefined ? undefined : request.balancePosition,
        used: Object.values(requirePositions(roles, dialect.headers)),
      }),
      sideCurrencies: request.sideCurrencies,
      rowCurrencies: evidence.rowCurrencies.several,
      splitTexts: evidence.splitTexts?.besideDescription ?? [],
      hasRepeatedIds: evidence.ids.hasRepeated,
    },
    formats: { dateFormat, decimalSeparator, declaredStatuses: statuses.declared },
    signs: {
      directionCodes: codes ?? knownCodes,
      signCounts,
      minusMeans: options.minusMeans ?? findMinusOfOthers({ allOthersAreExpenses, allIncomes }),
      allIncomes,
      allExpenses: options.allExpenses === true,
      balanceOrder: undefined,
      unsignedMoneyOut: options.columns.direction === '' ? [] : evidence.moneyOut.findings,
      hasUnmarkedAmounts: evidence.markedAmounts.hasUnmarked,
      hasUnclearCredits: false,
    },
    exceptions: {
      pending: noPendingRows,
      balanceLines: noBalanceLines,
      splitParents: noSplitParents,
      numberedBalances: new Map(numberedBalances.map(({ line, number }) => [line, number])),
      lineWithoutText: request.balancePosition === undefined ? lines.lineWithoutText : undefined,
      lineOfSum: undefined,
      leavesOutEmptyRows: false,
    },
  };
  const description: Description = {
    rowCount: lines.rowCount,
    lines: lines.countLines(),
    unnamedPositions: evidence.unnamedPositions,
    fees: evidence.fees.description,
    unusedIds: evidence.ids.unused,
    unknownStatuses: statuses.unknown,
    categoryNames: categories.names,
    dateFormatNote,
    dateAdvice,
    repeatedRows: lines.overlap.description,
  };
  const mayBeLoneCode = roles.amount !== undefined && roles.direction === undefined && options.columns.direction !== '';
  const checks = {
    rows: evidence,
    lines,
    codesBesideBalance: undefined,
    unusedLoneCode: mayBeLoneCode ? loneCodes[0] : undefined,
  };
  if (!areCodesOpen) {
    const settled = request.guessed.has('direction')
      ? await settleCodesBesideBalance(plan)
      : { plan, codesBesideBalance: undefined };
    const ordered = usesBalance
      ? await orderByBalance(settled.plan, { options, unrecordedFees: evidence.fees.headers })
      : settled.plan;
    return {
      plan: requireMeaningOfMinus(ordered),
      description,
      checks: { ...checks, codesBesideBalance: settled.codesBesideBalance },
    };
  }
  const explained = await explainCodesByBalance(plan, direction ?? '');
  if (explained === undefined) throw evidence.letters.ambiguousError(direction ?? '');
  countCodeSigns(evidence, explained.signs.directionCodes);
  return { plan: explained, description, checks };
}

/**
 * Refuses a file in which all direction codes mean income and all amounts have a minus, unless an option or the balances show the
 * meaning of the minus. On a card statement, such amounts are money in (payments of the card bill). On a bank statement, they are money
 * out (reversals of incomes).
 */
function requireMeaningOfMinus(plan: CsvPlan): CsvPlan {
  const { roles } = plan.columns;
  const { minusMeans, balanceOrder, signCounts } = plan.signs;
  const { 'expense-code': expense, 'income-code': income } = signCounts;
  const hasExpenses = expense.minus + expense.plus + expense.bare > 0;
  const isUnclear = income.minus > 0 && income.plus + income.bare === 0 && !hasExpenses;
  if (roles.direction === undefined || minusMeans !== undefined || balanceOrder !== undefined || !isUnclear)
    return plan;
  throw new StatementError(
    `All words of the column "${roles.direction}" mean income, but all amounts have a minus.`,
    'Use --minus income if a minus is money in, as on some card statements. Use --direction-column "" if it is money out.',
    { minusMeans: 'income' },
  );
}

function findMinusOfOthers(all: { allOthersAreExpenses: boolean; allIncomes: boolean }): PlannedSigns['minusMeans'] {
  if (all.allOthersAreExpenses) return 'income';
  return all.allIncomes ? 'expense' : undefined;
}

/**
 * Refuses a file without headers if its first date has an unknown format, and another date has a known format. Only the user knows whether
 * the first row is a transaction, and whether other rows also have the unknown date format.
 */
function requireReadableFirstDate(
  { dialect, columns }: SurveyRequest,
  { firstDate, dates }: Pick<RowEvidence, 'firstDate' | 'dates'>,
): void {
  const hasHeaders = dialect.headers.some((header) => header.trim() !== '');
  if (hasHeaders || firstDate === undefined || isDateCell(firstDate) || !dates.hasDates) return;
  throw new StatementError(
    `The first row has "${firstDate}" in "${columns.date}", which is not a date in a known format.`,
    'Set the date format with --date-format. Rows with dates in other formats fail and are listed.',
  );
}

/** Reads all lines of the file, and adds them to the evidence. */
async function readAllLines(
  { source, dialect }: SurveyRequest,
  { positions, rows, lines }: { positions: ColumnPositions; rows: RowEvidence; lines: LineEvidence },
): Promise<void> {
  const classify = rowClassifier({ headers: dialect.headers, positions });
  let kind: RowKind = 'note';
  for await (const record of readRecords(lines.counting(readLines(source, dialect.encoding)), dialect.delimiter)) {
    if (record.line <= dialect.headerLine) {
      if (lines.addAboveRows(record) && 'cells' in record) rows.addNote(record.cells, 'preamble');
      continue;
    }
    kind = 'cells' in record ? nextKind(classify(record.cells), kind) : 'row';
    lines.add(record, kind);
    if (!('cells' in record)) continue;
    if (kind === 'row') rows.add(record.line, record.cells);
    else if (kind === 'note' || kind === 'continuation') rows.addNote(record.cells, kind);
  }
}

/** Refuses a guessed amount column if another column also has amounts, and no row has an amount in both columns. */
function requireOneSide(
  amount: string,
  { position, dialect }: { readonly position: number | undefined; readonly dialect: SurveyRequest['dialect'] },
): void {
  if (position === undefined) return;
  const other = nameColumns(dialect.headers)[position]?.trim();
  throw new StatementError(
    `Some rows have an amount in the column "${amount}", others in the column "${other}", and no row in both.`,
    'If one is money out and the other money in, name them with --debit-column and --credit-column. Otherwise name the amount with --amount-column.',
  );
}

/**
 * Refuses a guessed amount column if the amounts of another column differ from its amounts by the amounts of a third column, such as
 * `Cashback`.
 */
function requireOneAmount(amount: string, summed: SummedAmount | undefined): void {
  if (summed === undefined) return;
  throw new StatementError(
    `It is not clear which column has the amount: "${amount}" or "${summed.other}". In one row, ${summed.example}.`,
    'Name it with --amount-column.',
  );
}

/** Counts the empty cells of a direction column that has only one code. An empty cell means the opposite of this code. */
function countEmptyCodes({ signCounts, guesses }: RowEvidence, { emptyMeans, emptyCount }: LoneCode): void {
  signCounts[`${emptyMeans}-code`].bare += emptyCount;
  guesses.addResolved(emptyCount);
}

/** Counts the signs of amounts whose direction codes were resolved only after all rows had been read. */
function countCodeSigns({ letters, signCounts, guesses }: RowEvidence, codes: DirectionCodes): void {
  for (const [code, counts] of letters.countSigns(codes)) {
    const total = signCounts[readDirectionCode(code, codes) === 'expense' ? 'expense-code' : 'income-code'];
    for (const sign of ['minus', 'plus', 'bare'] as const) total[sign] += counts[sign];
    guesses.addResolved(counts.minus + counts.plus + counts.bare);
  }
}
