import { readLines } from '../source.js';
import { StatementError } from '../statement-error.js';
import { chooseDateFormat } from '../values/choose-date-format.js';
import { type ColumnPositions, nameColumns, pickIdentity, requirePositions } from './columns/columns.js';
import { requireMainUnitInLine } from './columns/header-units.js';
import type { SummedAmount } from './columns/summed-amount.js';
import { OtherTableCheck, titleOf } from './other-tables.js';
import { type CsvPlan, type Formats, noBalanceLines, noPendingRows, noSplitParents } from './plan.js';
import { readRecords, recordsBelowHeaders } from './reader.js';
import { RowEvidence, type SurveyRequest } from './row-evidence.js';
import { isBalanceText } from './rows/balance-names.js';
import { findOwnExport, isAmountCell, isDateCell } from './rows/cells.js';
import { LastRowCheck } from './rows/last-row-check.js';
import { LineTally } from './rows/line-tally.js';
import { NumberedBalances } from './rows/numbered-balances.js';
import { findOverlap, RepeatedBlocks } from './rows/overlapping-exports.js';
import { nextKind, type RowKind, rowClassifier } from './rows/row-kind.js';
import { SectionTitles } from './rows/section-titles.js';
import { findCodesOfBalance } from './signs/codes-of-balance.js';
import { type DirectionCodes, directionCodes, readDirectionCode } from './signs/direction-codes.js';
import { explainCodesByBalance, orderByBalance, settleCodesBesideBalance } from './signs/directions-by-balance.js';
import { type LoneCode, withEmptyCode } from './signs/lone-codes.js';
import { StatedBalances } from './signs/stated-balances.js';

/**
 * Returns a plan, which says how to read the rows of a file. Reads the whole file in constant memory to find the facts that no single
 * row shows. Examples are the date format, the decimal separator and the sign convention. Reads the file again only if this is needed,
 * for example if the balance column may show which amounts are expenses, or if ids seem to repeat.
 *
 * @throws StatementError if the file can be read in several ways (the error names the option that selects one of them), has no readable
 *   date, or contains another table that has other columns or may be of another account
 */
export async function surveyRows(request: SurveyRequest): Promise<CsvPlan> {
  const { source, dialect, options, saved } = request;
  const positions = requirePositions(request.columns, dialect.headers);
  const knownCodes = directionCodes(options.expenseWords, options.incomeWords);
  const evidence = new RowEvidence(request, { positions, knownCodes });
  const { rowCount, lines, lineWithoutText, numberedBalances, statedBalances, sectionTitles, overlap } =
    await countRows(request, { positions, evidence });

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
  const { roles, conflictingDirection } = evidence.guesses.check(request.columns, {
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
  const { statuses, fees, categories } = evidence;
  const isDropped = direction !== undefined && roles.direction === undefined && !areCodesOpen;
  const isOwnExport = findOwnExport(dialect.headers) !== undefined;
  const isProven = request.balancePosition !== undefined || isOwnExport;
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
    },
    formats: {
      dateFormat,
      decimalSeparator,
      directionCodes: codes ?? knownCodes,
      signCounts,
      minusMeans: options.minusMeans ?? findMinusOfOthers({ allOthersAreExpenses, allIncomes }),
      allIncomes,
      allExpenses: options.allExpenses === true,
      balanceOrder: undefined,
      declaredStatuses: statuses.declared,
    },
    findings: {
      rowCount,
      lines,
      hasBalanceRows: evidence.hasBalanceRows || numberedBalances.size > 0,
      hasSplitRows: evidence.hasSplitRows,
      statedBalances: isOwnExport ? [] : statedBalances,
      lineWithoutText: isProven ? undefined : lineWithoutText,
      numberedBalances,
      fees: fees.description,
      feeColumns: fees.headers,
      // An export of Centavo marks the rows of transfers, so that no transfer is recorded twice.
      ownAccounts: isOwnExport ? undefined : evidence.ownAccounts.several,
      rowCurrencies: evidence.rowCurrencies.several,
      unnamedPositions: evidence.unnamedPositions,
      splitTexts: evidence.splitTexts?.besideDescription ?? [],
      unusedDirection: isDropped ? direction : undefined,
      conflictingDirection,
      unusedLoneCode:
        roles.amount === undefined || roles.direction !== undefined || options.columns.direction === ''
          ? undefined
          : loneCodes[0],
      openBalanceCodes: undefined,
      unknownStatuses: statuses.unknown,
      hasKnownStatuses: statuses.hasKnown,
      pendingTexts: evidence.pendingTexts.finding,
      pendingMarks: evidence.pendingMarks.finding,
      asterisks: evidence.asterisks.finding,
      paidElsewhere: evidence.funding.finding,
      sectionTitles,
      undirectedTransfers: evidence.transfers.finding,
      unsignedMoneyOut: options.columns.direction === '' ? [] : evidence.moneyOut.findings,
      hasUnmarkedAmounts: evidence.markedAmounts.hasUnmarked,
      reversedSides: evidence.sides.finding(dialect.headers),
      overlap,
      paymentWithMinus: evidence.signConvention.paymentWithMinus,
      showsBankSigns: evidence.signConvention.showsBankSigns,
      hasNotFinal: statuses.hasNotFinal,
      categoryNames: categories.names,
      dateFormatNote,
      dateAdvice,
      repeatedId: roles.id === undefined ? undefined : await evidence.ids.findRepeated({ source, dialect, positions }),
      longIdCount: evidence.ids.longCount,
    },
    pending: noPendingRows,
    balanceLines: noBalanceLines,
    splitParents: noSplitParents,
    leavesOutEmptyRows: false,
  };
  if (!areCodesOpen) {
    const settled = request.guessed.has('direction') ? await settleCodesBesideBalance(plan) : plan;
    return requireMeaningOfMinus(usesBalance ? await orderByBalance(settled, options) : settled);
  }
  if (!usesBalance) return plan;
  const explained = await explainCodesByBalance(plan, direction ?? '');
  if (explained === undefined) throw evidence.letters.ambiguousError(direction ?? '');
  countCodeSigns(evidence, explained.formats.directionCodes);
  return explained;
}

/**
 * Refuses a file in which all direction codes mean income and all amounts have a minus, unless an option or the balances show the
 * meaning of the minus. On a card statement, such amounts are money in (payments of the card bill). On a bank statement, they are money
 * out (reversals of incomes).
 */
function requireMeaningOfMinus(plan: CsvPlan): CsvPlan {
  const { roles } = plan.columns;
  const { minusMeans, balanceOrder, signCounts } = plan.formats;
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

function findMinusOfOthers(all: { allOthersAreExpenses: boolean; allIncomes: boolean }): Formats['minusMeans'] {
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

async function countRows(
  { source, dialect }: SurveyRequest,
  { positions, evidence }: { positions: ColumnPositions; evidence: RowEvidence },
): Promise<
  Pick<
    CsvPlan['findings'],
    'rowCount' | 'lines' | 'lineWithoutText' | 'numberedBalances' | 'statedBalances' | 'sectionTitles' | 'overlap'
  >
> {
  const classify = rowClassifier({ headers: dialect.headers, positions });
  const tally = new LineTally();
  const lines = tally.counting(readLines(source, dialect.encoding));
  const accounts = new OtherTableCheck(dialect.headers);
  const texts = new LastRowCheck(positions);
  const hasHeaders = dialect.headers.some((header) => header.trim() !== '');
  const numbered = new NumberedBalances(positions, { hasHeaders });
  const stated = new StatedBalances();
  const declared = evidence.statuses.declared.final;
  const titles = new SectionTitles({ datePosition: positions.date ?? -1, declared });
  const blocks = new RepeatedBlocks(positions.date ?? -1);
  let rowCount = 0;
  let hasRepeatedHeaders = false;
  let kind: RowKind = 'note';
  for await (const record of readRecords(lines, dialect.delimiter)) {
    if (record.line <= dialect.headerLine) {
      const isHeader = record.line === dialect.headerLine && hasHeaders;
      const isBlank = 'cells' in record && record.cells.every((cell) => cell.trim() === '');
      tally.add(record, isHeader ? 'header' : isBlank ? 'blank' : 'preamble');
      if (!isHeader) stated.add(record, 'preamble');
      if ('cells' in record) accounts.addPreamble(record.cells);
      if (!isHeader && 'cells' in record) requireNoRow(record, { dialect, positions });
      if ('cells' in record && !isHeader) {
        evidence.pendingTexts.addTitle(titleOf(record.cells));
        evidence.asterisks.addNote(record.cells);
        requireMainUnitInLine(record);
      }
      continue;
    }
    kind = 'cells' in record ? nextKind(classify(record.cells), kind) : 'row';
    tally.add(record, kind);
    if ('cells' in record) accounts.add(record, kind);
    if ('cells' in record) titles.add(record.line, record.cells, kind);
    hasRepeatedHeaders ||= kind === 'repeated header' && rowCount > 0;
    if ('cells' in record && kind === 'note') evidence.pendingTexts.addTitle(titleOf(record.cells));
    if ('cells' in record && kind === 'note') requireMainUnitInLine(record);
    if ('cells' in record && (kind === 'note' || kind === 'continuation')) evidence.asterisks.addNote(record.cells);
    texts.add(record, kind);
    numbered.add(record, kind);
    stated.add(record, kind);
    if (kind !== 'row') continue;
    rowCount += 1;
    if ('cells' in record) evidence.add(record.line, record.cells);
    if ('cells' in record) blocks.add(record.line, record.cells);
  }
  const balances = findOwnExport(dialect.headers) === undefined ? numbered.find() : [];
  for (const { cells } of balances) evidence.discountSigns(cells);
  const file = {
    read: () => recordsBelowHeaders(source, dialect),
    classify: rowClassifier({ headers: dialect.headers, positions }),
  };
  return {
    rowCount,
    lines: tally.finish(),
    lineWithoutText: texts.lineWithoutText,
    numberedBalances: new Map(balances.map(({ line, number }) => [line, number])),
    statedBalances: stated.lines,
    sectionTitles: titles.titles,
    overlap: (hasRepeatedHeaders ? await findOverlap(file) : undefined) ?? (await blocks.find(file)),
  };
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

/**
 * Refuses a line above the headers if the line may be a transaction: it has a date in the date column and an amount in an amount column,
 * and no cell with the name of a balance.
 */
function requireNoRow(
  { line, cells }: { readonly line: number; readonly cells: readonly string[] },
  { dialect, positions }: { readonly dialect: SurveyRequest['dialect']; readonly positions: ColumnPositions },
): void {
  const { date = -1, amount = -1, debit = -1, credit = -1 } = positions;
  const hasAmount = [amount, debit, credit].some((position) => isAmountCell(cells[position] ?? ''));
  if (!isDateCell(cells[date] ?? '') || !hasAmount || cells.some(isBalanceText)) return;
  throw new StatementError(
    `Line ${line} may be a transaction, but it is above the headers in line ${dialect.headerLine}.`,
    'Move the headers above all rows.',
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
