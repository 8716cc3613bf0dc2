import { readLines } from '../../source.js';
import { StatementError } from '../../statement-error.js';
import type { BalanceCodeCheck } from '../balances/balance-code-check.js';
import type { AccountBalanceRow } from '../lines/account-balance-rows.js';
import { nextKind, type RowKind, rowClassifier } from '../lines/row-kind.js';
import {
  type CsvPlan,
  noBalanceLines,
  noPendingRows,
  noSplitRows,
  type PlannedColumns,
  type PlannedSigns,
  type SpecialRows,
} from '../plan/plan.js';
import { findCodesOfBalance } from '../row/codes-of-balance.js';
import { explainCodesByBalance, orderByBalance, settleCodesBesideBalance } from '../rows/directions-by-balance.js';
import type { DirectionCodes } from '../signs/direction-codes.js';
import type { SingleCodeColumn } from '../signs/single-code-columns.js';
import { type ColumnPositions, type CsvColumns, pickIdentity, requirePositions } from '../table/columns.js';
import { readRecords } from '../table/reader.js';
import type { Description } from './describe-interpretation.js';
import { LineEvidence } from './line-evidence.js';
import { RowEvidence } from './row-evidence.js';
import type { SurveyRequest } from './survey-request.js';

/** The result of the survey: the first pass over all rows of a file, which collects evidence and begins the plan. */
export interface Survey {
  /** How each row is read. */
  readonly plan: CsvPlan;
  readonly description: Description;
  readonly checks: SurveyChecks;
}

/** The checks that have received every line of the file during the survey. */
export interface SurveyChecks {
  readonly rows: RowEvidence;
  readonly lines: LineEvidence;
  /** The check of the debit/credit codes directly to the right of the balance; undefined if there are no such codes. */
  readonly codesBesideBalance: BalanceCodeCheck | undefined;
  /** A column whose only text is `CR` or `DR`, if it may show the direction but is not used; undefined if there is none. */
  readonly unusedSingleCodeColumn: SingleCodeColumn | undefined;
}

/**
 * Returns a plan, which says how to read the rows of a file, and the checks of all lines. Reads the whole file in constant memory to find
 * the facts that no single row shows. Examples are the date format, the decimal separator and the sign convention. Reads the file again
 * only if this is needed, for example if the balance column may show which amounts are expenses, or if ids seem to repeat.
 *
 * @throws StatementError if the file can be read in several ways (the error names the option that selects one of them), has no readable
 *   date, or contains another table that has other columns or may be of another account
 */
export async function surveyRows(request: SurveyRequest): Promise<Survey> {
  const { source, dialect, options } = request;
  const positions = requirePositions(request.columns, dialect.headers);
  const rows = new RowEvidence(request, positions);
  const lines = new LineEvidence({ dialect, positions, declared: rows.pending.statuses.declared });
  await readAllLines(request, { positions, rows, lines });
  const accountBalanceRows = lines.findAccountBalanceRows();
  for (const { cells } of accountBalanceRows) rows.signs.remove(cells);
  await lines.searchOverlap(source);

  const { roles, codes, areCodesOpen } = chooseRoles(request, rows);
  rows.columns.requireClearAmounts(roles);
  const reversedRow = await rows.signs.findReversedRow(roles, options);
  const { dateFormatNote, dateAdvice, ...formats } = await rows.formats.choose();
  if (roles.id !== undefined) await rows.ids.searchRepeated({ source, dialect, positions });
  const identity = request.identity ?? pickIdentity(areCodesOpen ? request.columns : roles);
  const plan: CsvPlan = {
    source,
    dialect,
    columns: planColumns({ roles, identity }, request, rows),
    formats: { ...formats, declaredStatuses: rows.pending.statuses.declared },
    signs: { ...planSigns(codes, request, rows), ...(reversedRow !== undefined && { minusMeans: 'income' }) },
    specialRows: planSpecialRows(accountBalanceRows, request, lines),
  };
  const unusedSingleCodeColumn = rows.signs.findUnusedSingleCodeColumn(roles, options);
  const description = { ...describeEvidence(rows, lines), dateFormatNote, dateAdvice, reversedRow };
  const settled = areCodesOpen ? await explainCodes(plan, request, rows) : await settleDirections(plan, request, rows);
  const { codesBesideBalance } = settled;
  return { plan: settled.plan, description, checks: { rows, lines, codesBesideBalance, unusedSingleCodeColumn } };
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
      const note = lines.addAboveRows(record);
      if (note === undefined) continue;
      rows.pending.addNote(note, 'preamble');
      rows.formats.addLineAboveHeaders(note);
      continue;
    }
    kind = 'cells' in record ? nextKind(classify(record.cells), kind) : 'row';
    lines.add(record, kind);
    if (!('cells' in record)) continue;
    if (kind === 'row') rows.add(record.line, record.cells);
    else if (kind === 'note' || kind === 'continuation') rows.pending.addNote(record.cells, kind);
  }
}

interface ChosenRoles {
  readonly roles: CsvColumns;
  /** The codes of the direction column; undefined if the meaning of some code is not clear. */
  readonly codes: DirectionCodes | undefined;
  /** Whether only the balances can show the meaning of the codes. */
  readonly areCodesOpen: boolean;
}

/**
 * Returns the columns without the guesses that the cells disprove, and the codes of the direction column.
 * @throws StatementError if the codes are ambiguous, and no balance is used
 */
function chooseRoles(request: SurveyRequest, { signs, columns, ids }: RowEvidence): ChosenRoles {
  const { direction } = request.columns;
  const codes = signs.resolveCodes(direction);
  const roles = columns.guesses.check(request.columns, { signCounts: signs.counts, hasShortIds: ids.hasShort });
  const areCodesOpen = codes === undefined && (roles.direction !== undefined || signs.counts.amount.minus === 0);
  if (areCodesOpen && !usesBalance(request)) throw signs.ambiguousCodesError(direction);
  return { roles, codes, areCodesOpen };
}

function usesBalance({ balancePosition, options }: SurveyRequest): boolean {
  return balancePosition !== undefined && options.ignoresBalance !== true;
}

function planColumns(
  { roles, identity }: Pick<PlannedColumns, 'roles' | 'identity'>,
  { dialect: { headers }, balancePosition, sideCurrencies }: SurveyRequest,
  { columns, ids }: RowEvidence,
): PlannedColumns {
  return {
    roles,
    identity,
    hasRepeatedIds: ids.hasRepeated,
    balancePosition,
    balanceCodePosition: findCodesOfBalance({
      headers,
      balancePosition: roles.amount === undefined ? undefined : balancePosition,
      used: Object.values(requirePositions(roles, headers)),
    }),
    sideCurrencies,
    rowCurrencies: columns.rowCurrencies.several,
    splitTexts: columns.splitTexts,
  };
}

function planSigns(
  codes: DirectionCodes | undefined,
  { options }: SurveyRequest,
  { signs }: RowEvidence,
): PlannedSigns {
  return {
    directionCodes: codes ?? signs.knownCodes,
    signCounts: signs.counts,
    minusMeans: signs.findMinusMeaning(options),
    allIncomes: options.allIncomes === true,
    allExpenses: options.allExpenses === true,
    balanceOrder: undefined,
    moneyOutWithoutMinus: options.columns.direction === '' ? [] : signs.moneyOut.findings,
    hasUndirectedAmounts: signs.undirectedAmounts.hasUndirected,
    hasUnclearCredits: false,
  };
}

function planSpecialRows(
  accountBalanceRows: readonly AccountBalanceRow[],
  { balancePosition }: SurveyRequest,
  { lineWithoutText }: LineEvidence,
): SpecialRows {
  return {
    pending: noPendingRows,
    balanceLines: noBalanceLines,
    splitRows: noSplitRows,
    accountBalanceRows: new Map(accountBalanceRows.map(({ line, number }) => [line, number])),
    lineWithoutText: balancePosition === undefined ? lineWithoutText : undefined,
    lineOfSum: undefined,
    leavesOutEmptyRows: false,
  };
}

function describeEvidence(
  rows: RowEvidence,
  lines: LineEvidence,
): Omit<Description, 'dateFormatNote' | 'dateAdvice' | 'reversedRow'> {
  return {
    rowCount: lines.rowCount,
    lines: lines.countLines(),
    unnamedPositions: rows.columns.unnamedPositions,
    fees: rows.fees.description,
    unusedIds: rows.ids.unused,
    unknownStatuses: rows.pending.statuses.unknown,
    categoryNames: rows.categories.names,
    repeatedRows: lines.overlap.description,
  };
}

/**
 * Returns the plan with the meanings of the debit/credit codes that the balances show.
 * @throws StatementError if the balances do not show these meanings
 */
async function explainCodes(plan: CsvPlan, { columns: { direction } }: SurveyRequest, { signs }: RowEvidence) {
  const explained = await explainCodesByBalance(plan, direction ?? '');
  if (explained === undefined) throw signs.ambiguousCodesError(direction);
  signs.countCodeSigns(explained.signs.directionCodes);
  return { plan: explained, codesBesideBalance: undefined };
}

/**
 * Returns the plan. Changes it if the balances show that the debit/credit codes belong to the balance, or if only the balances show the
 * direction of some rows.
 * @throws StatementError if the direction of all rows is unclear
 */
async function settleDirections(plan: CsvPlan, request: SurveyRequest, { fees }: RowEvidence) {
  const { plan: settled, codesBesideBalance } = request.guessed.has('direction')
    ? await settleCodesBesideBalance(plan)
    : { plan, codesBesideBalance: undefined };
  const ordered = usesBalance(request)
    ? await orderByBalance(settled, { options: request.options, unrecordedFees: fees.headers })
    : settled;
  requireMeaningOfMinus(ordered);
  return { plan: ordered, codesBesideBalance };
}

/**
 * Refuses a file in which all debit/credit codes mean income and all amounts have a minus, unless an option or the balances show the
 * meaning of the minus. On a card statement, such amounts are money in (payments of the card bill). On a bank statement, they are money
 * out (reversals of incomes).
 */
function requireMeaningOfMinus({ columns: { roles }, signs }: CsvPlan): void {
  const { minusMeans, balanceOrder, signCounts } = signs;
  const { 'expense-code': expense, 'income-code': income } = signCounts;
  const hasExpenses = expense.minus + expense.plus + expense.none > 0;
  const isUnclear = income.minus > 0 && income.plus + income.none === 0 && !hasExpenses;
  if (roles.direction === undefined || minusMeans !== undefined || balanceOrder !== undefined || !isUnclear) return;
  throw new StatementError(
    `All words of the column "${roles.direction}" mean income, but all amounts have a minus.`,
    'Use --minus income if a minus is money in, as on some card statements. Use --direction-column "" if it is money out.',
    { minusMeans: 'income' },
  );
}
