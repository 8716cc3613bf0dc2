import type { CsvOptions, OpenStatementRequest } from '../options.js';
import type { OpenedStatement } from '../statement.js';
import { StatementError } from '../statement-error.js';
import { chooseColumns, requestedColumns } from './columns/choose-columns.js';
import { canonicalHeader, requirePositions } from './columns/columns.js';
import { headerWords, recordKeepingHeaders } from './columns/header-names.js';
import { findPreambleCurrency } from './columns/preamble-currency.js';
import { findOnlyCreation } from './columns/revise-columns.js';
import { describeReading } from './describe-reading.js';
import { describeRows } from './describe-rows.js';
import { findDoubts } from './doubts/find-doubts.js';
import { findHeaderRow, hasNoHeaders } from './header-row.js';
import {
  type EffectiveMapping,
  findIdentity,
  headerFingerprint,
  keepIdentity,
  mergeMapping,
  parseSavedMapping,
  replaceMapping,
  type SavedMapping,
  toSavedMapping,
} from './mapping.js';
import { type BalanceLines, type CsvPlan, noBalanceLines, noSplitParents } from './plan.js';
import { type CsvHead, type HeadRow, readHead } from './reader.js';
import type { ReadingFacts } from './reading-facts.js';
import { BalanceSearch } from './rows/balance-search.js';
import { findOwnExport } from './rows/cells.js';
import { findPendingRows } from './rows/pending-rows.js';
import { readCsvRows, readRows } from './rows/rows.js';
import { findSplitParents } from './rows/split-parents.js';
import { findBalanceLines } from './signs/balance-lines.js';
import { areSidesUnknown, findBalanceDirection, findOpenSigns } from './signs/open-signs.js';
import { type SurveyChecks, surveyRows } from './survey.js';

/**
 * Opens a CSV statement. Finds the headers and the role of each column from options, otherwise from a mapping saved for
 * these headers, otherwise by detection. Then reads all rows to detect, for example, the date format.
 *
 * @returns the rows, and a description of how they are read, with the doubts that the user has to resolve
 * @throws StatementError if the file cannot be read, is empty or contains several tables, or if only an option can decide how to
 *   read it
 */
export async function openCsv(request: OpenStatementRequest): Promise<OpenedStatement> {
  const { source, mappings } = request;
  const head = await readHead(source, request.csv);
  const saved = request.csv.ignoresSaved === true ? undefined : await findSaved(head, request);
  const mapping = saved === undefined ? undefined : mergeMapping(saved.mapping, request.csv);
  const options: CsvOptions = { ...request.csv, ...(mapping && pickStated(mapping)) };
  const headerRow = saved?.row ?? findHeaderRow(head, requestedColumns(options));
  if (headerRow === undefined) throw new StatementError(`${source.name} is empty.`, 'Export the statement again.');
  const headers = headerRow.cells;
  const { encoding, delimiter } = head;
  const preamble = head.rows.filter(({ line }) => line < headerRow.line).map(({ cells }) => cells);
  const preambleCurrency = findPreambleCurrency(preamble);
  const rows = head.rows.filter(({ line }) => line > headerRow.line).map(({ cells }) => cells);
  const chosen = chooseColumns({
    headers,
    rows,
    options,
    isSaved: saved !== undefined,
    isEncodingGuessed: request.csv.encoding === undefined && !encoding.startsWith('utf-'),
  });
  const fingerprint = headerFingerprint(headers);
  const kind = { headers, account: options.account };
  const identity = request.csv.newKeys === true ? undefined : findIdentity(await mappings.find(fingerprint), kind);
  const { plan: surveyed, checks } = await surveyRows({
    source,
    dialect: { encoding, delimiter, headerLine: headerRow.line, headers, preambleCurrency },
    columns: chosen.columns,
    guessed: chosen.guessed,
    balancePosition: chosen.balancePosition,
    sideCurrencies: chosen.sideCurrencies,
    options,
    saved: mapping,
    identity,
  });
  requireRows(surveyed);
  const { statuses, ids } = checks.rows;
  if ((request.csv.columns.id ?? '') !== '') ids.requireUnique(surveyed.columns.roles.id ?? '');
  const found = surveyed.findings.hasNotFinal ? await findPendingRows(surveyed) : undefined;
  const pending = found?.pending ?? surveyed.pending;
  const unsplit = { ...surveyed, pending };
  const splitParents = surveyed.findings.hasSplitRows ? await findSplitParents(unsplit) : noSplitParents;
  const settled = { ...unsplit, splitParents };
  const balanceLines = surveyed.findings.hasBalanceRows ? await findBalances(settled) : noBalanceLines;
  const { plan, described } = await describeSettledRows({ ...settled, balanceLines }, checks, options);
  const { roles } = plan.columns;
  const { dateAdvice, categoryNames } = plan.findings;
  const { lines, balance, rowCount } = described;
  const guessedCategory = chosen.guessed.has('category') || mapping?.guessedCategory === true;
  const isSaved = saved !== undefined;
  const facts: ReadingFacts = {
    roles,
    guessed: chosen.guessed,
    isConfirmedEachTime: isSaved && hasNoHeaders(headerRow),
    options,
    allExpensesIsRequested: request.csv.allExpenses === true,
    otherAccountReversesSigns: mapping?.otherAccountReversesSigns === true,
    hasKnownStatuses: statuses.hasKnown,
    areSidesUnknown: areSidesUnknown(plan, chosen.guessed),
    balance,
    newestWithoutBalance: described.checks.newestWithoutBalance.lines,
  };
  const fileChecks = { ...checks, ...described.checks, unreversed: found?.unreversed };
  const [doubt = null, ...furtherDoubts] = findDoubts(plan, fileChecks, facts);
  return {
    format: 'csv',
    rowCount,
    namesAccounts: roles.account !== undefined,
    ...(roles.category !== undefined && { categories: { names: categoryNames, areRequested: !guessedCategory } }),
    ...findOpenSigns(plan, {
      rows,
      balance,
      paysFirstBalance: described.paysFirstBalance,
      convention: checks.rows.signConvention,
    }),
    balanceDirection: findBalanceDirection(plan, { guessed: chosen.guessed, options, balance }),
    rows: () => readRows(plan),
    identityHeaders: Object.values(plan.columns.identity),
    keepIdentity: async () => {
      if (identity !== undefined) return;
      const text = keepIdentity(await mappings.find(fingerprint), { ...kind, columns: plan.columns.identity });
      await mappings.save(fingerprint, text);
    },
    reading: {
      doubt,
      furtherDoubts,
      advice: rowCount === 0 ? 'There are no rows below the headers. Nothing is recorded.' : (dateAdvice ?? null),
      lines: [
        ...describeReading(plan, checks, { guessed: chosen.guessed, isSaved, hasOneAccount: options.hasOneAccount }),
        ...lines,
      ],
      save: async () => {
        const current = toSavedMapping(plan, { ...options, guessedCategory, before: saved?.mapping });
        const text = replaceMapping(await mappings.find(fingerprint), { ...kind, mapping: current });
        await mappings.save(fingerprint, text);
      },
    },
  };
}

/**
 * Refuses a file in which no line is a row with a date and an amount, if several lines below the headers have an amount. These lines are
 * probably transactions.
 */
function requireRows({ findings: { rowCount, lines } }: CsvPlan): void {
  if (rowCount > 0 || lines.notesWithAmounts < notesWithAmountsMin) return;
  throw new StatementError(
    `No line below the headers has a date in the date column and an amount in the amount column, but ${lines.notesWithAmounts} lines have an amount.`,
    'Name the columns with --date-column and --amount-column, or export the statement again as CSV.',
  );
}

/**
 * A file without rows is refused if at least this many lines have an amount. A statement without transactions has fewer lines with an
 * amount, often only the opening and the closing balance.
 */
const notesWithAmountsMin = 3;

/**
 * Describes the rows. Returns the description, and the plan by which the described rows were read. In three cases, changes the plan and
 * describes the rows again:
 *
 * - If some rows have neither an amount nor a balance, and the balances of the other rows agree with the amounts, the changed plan skips
 *   the rows that have neither.
 * - If the last row may be a total, the changed plan makes this row fail.
 * - If all credits have a minus, and the balance column is compared with the amounts but does not show that these credits are incomes, the
 *   changed plan makes these credits fail.
 */
async function describeSettledRows(
  surveyed: CsvPlan,
  checks: SurveyChecks,
  { ignoresBalance = false }: Pick<CsvOptions, 'ignoresBalance'>,
) {
  const plan = ignoresBalance ? surveyed : await trustProvenSigns(surveyed, checks);
  const described = await describeRows(plan, checks);
  const leavesOutEmptyRows = described.hasEmptyRows && described.balance?.kind === 'agrees';
  const { balance, lineOfSum } = described;
  const isChecked = !ignoresBalance && balance !== undefined && balance.kind !== 'unrelated';
  const hasUnclearCredits = isChecked && !balance.provesCredits;
  if (!leavesOutEmptyRows && lineOfSum === undefined && !hasUnclearCredits) return { plan, described };
  const settled = { ...plan, leavesOutEmptyRows, lineOfSum, hasUnclearCredits };
  return { plan: settled, described: await describeRows(settled, checks) };
}

/**
 * Returns the plan. If rows of money out have no minus, or some amounts have no sign or code, but the balance column agrees with the signs
 * of all rows, the returned plan reads these rows as incomes.
 */
async function trustProvenSigns(plan: CsvPlan, checks: SurveyChecks): Promise<CsvPlan> {
  const { unsignedMoneyOut, hasUnmarkedAmounts } = plan.findings;
  const areOpen = unsignedMoneyOut.length > 0 || hasUnmarkedAmounts;
  if (!areOpen || plan.columns.balancePosition === undefined) return plan;
  const trusting = { ...plan, findings: { ...plan.findings, unsignedMoneyOut: [], hasUnmarkedAmounts: false } };
  const { balance } = await describeRows(trusting, checks);
  return balance?.kind === 'agrees' ? trusting : plan;
}

function findBalances(plan: CsvPlan): Promise<BalanceLines> {
  const { headers } = plan.dialect;
  const positions = requirePositions(plan.columns.roles, headers);
  const balances = new BalanceSearch(positions);
  const isOwn = findOwnExport(headers) !== undefined;
  return findBalanceLines(readCsvRows(plan), {
    hasBalanceColumn: plan.columns.balancePosition !== undefined,
    findMention: (cells) => (isOwn ? undefined : balances.findMention(cells)),
    findTotalMention: (cells) => (isOwn ? undefined : balances.findTotalMention(cells)),
    findPeriod: (cells) => (isOwn ? undefined : balances.findPeriod(cells)),
  });
}

async function findSaved(
  head: CsvHead,
  { mappings, csv }: Pick<OpenStatementRequest, 'mappings' | 'csv'>,
): Promise<{ row: HeadRow; mapping: SavedMapping } | undefined> {
  const headerless = findHeaderRow(head, {});
  const rows = [...head.rows.filter((row) => !hasNoHeaders(row)), ...(headerless === undefined ? [] : [headerless])];
  for (const row of rows) {
    const text = await mappings.find(headerFingerprint(row.cells));
    const mapping = text === undefined ? undefined : parseSavedMapping(text);
    if (mapping === undefined) continue;
    const rows = head.rows.filter(({ line }) => line > row.line).map(({ cells }) => cells);
    if (csv.columns.date !== undefined || !usesRecordDate(mapping, { headers: row.cells, rows }))
      return { row, mapping };
  }
  return undefined;
}

/**
 * Returns whether detection would no longer choose the saved date column, because its header names the date on which a record was created,
 * changed, imported or exported. Older versions of Centavo chose such columns.
 */
function usesRecordDate({ columns }: SavedMapping, file: Parameters<typeof findOnlyCreation>[0]): boolean {
  if (!recordKeepingHeaders.has(headerWords(columns.date))) return false;
  const only = findOnlyCreation(file);
  return only === undefined || canonicalHeader(only) !== canonicalHeader(columns.date);
}

/**
 * Returns the settings of a mapping that are used like options. Leaves out the formats, because the file can contradict them, and also
 * `otherAccountReversesSigns` and `guessedCategory`, which are not options.
 */
function pickStated(mapping: EffectiveMapping) {
  const { columns, expenseWords, incomeWords, finalStatuses, skippedStatuses, allExpenses, allIncomes, minusMeans } =
    mapping;
  return { columns, expenseWords, incomeWords, finalStatuses, skippedStatuses, allExpenses, allIncomes, minusMeans };
}
