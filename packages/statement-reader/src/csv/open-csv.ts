import type { CsvOptions, OpenStatementRequest } from '../options.js';
import type { OpenedStatement } from '../statement.js';
import { StatementError } from '../statement-error.js';
import { chooseColumns, requestedColumns } from './choose-columns.js';
import { findPreambleCurrency } from './columns/preamble-currency.js';
import { findOnlyCreation } from './columns/revise-columns.js';
import { beginsWithSummary } from './columns/summary-row.js';
import type { InterpretationFacts } from './findings/interpretation-facts.js';
import { findHeaderRow, hasNoHeaders } from './lines/header-row.js';
import {
  type EffectiveMapping,
  findIdentity,
  headerFingerprint,
  mergeMapping,
  parseSavedMapping,
  replaceMapping,
  type SavedMapping,
  toSavedMapping,
  withIdentity,
} from './plan/mapping.js';
import { findQuestions } from './questions/find-questions.js';
import { areSidesUnknown, findBalanceDirection, findUndecidedSigns } from './questions/undecided-signs.js';
import { readRows } from './rows/rows.js';
import { type Description, describeInterpretation } from './survey/describe-interpretation.js';
import { settlePlan } from './survey/settle-plan.js';
import { surveyRows } from './survey/survey.js';
import { canonicalHeader } from './table/columns.js';
import { headerWords, recordKeepingHeaders } from './table/header-names.js';
import { type CsvHead, type HeadRow, readHead } from './table/reader.js';

/**
 * Opens a CSV statement. Finds the headers, and the role of each column from options, otherwise from the mapping that was saved for files
 * with the same headers, otherwise by detection. Then reads all rows to detect, for example, the date format.
 *
 * @returns the rows, and a description of how they are read, with the questions that the user has to answer
 * @throws StatementError if the file cannot be read, is empty or contains several tables, or if only an option can decide how to
 *   read it
 */
export async function openCsv(request: OpenStatementRequest): Promise<OpenedStatement> {
  const { source, mappings } = request;
  const head = await readHead(source, request.csv);
  const saved = request.csv.ignoresSaved === true ? undefined : await findSaved(head, request);
  const mapping = saved === undefined ? undefined : mergeMapping(saved.mapping, request.csv);
  const options: CsvOptions = { ...request.csv, ...(mapping && pickOptions(mapping)) };
  const headerRow = saved?.row ?? findHeaders(head, requestedColumns(options));
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
  const survey = await surveyRows({
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
  const { description, checks } = survey;
  requireRows(description);
  const { pending, ids, signs } = checks.rows;
  if ((request.csv.columns.id ?? '') !== '') ids.requireUnique(survey.plan.columns.roles.id ?? '');
  const { plan, described, unreversed } = await settlePlan(survey, options);
  const { roles } = plan.columns;
  const { lines, balance, rowCount } = described;
  const guessedCategory = chosen.guessed.has('category') || mapping?.guessedCategory === true;
  const isSaved = saved !== undefined;
  const facts: InterpretationFacts = {
    roles,
    guessed: chosen.guessed,
    isConfirmedEachTime: isSaved && hasNoHeaders(headerRow),
    options,
    allExpensesIsRequested: request.csv.allExpenses === true,
    otherAccountReversesSigns: mapping?.otherAccountReversesSigns === true,
    hasKnownStatuses: pending.statuses.hasKnown,
    areSidesUnknown: areSidesUnknown(plan, chosen.guessed),
    balance,
    newestWithoutBalance: described.checks.newestWithoutBalance.lines,
  };
  const fileChecks = { ...checks, ...described.checks, unreversed };
  const [question = null, ...furtherQuestions] = findQuestions(plan, fileChecks, facts);
  return {
    format: 'csv',
    rowCount,
    namesAccounts: roles.account !== undefined,
    ...(roles.category !== undefined && {
      categories: { names: description.categoryNames, areRequested: !guessedCategory },
    }),
    ...findUndecidedSigns(plan, {
      rows,
      balance,
      paysFirstBalance: described.paysFirstBalance,
      convention: signs.convention,
    }),
    balanceDirection: findBalanceDirection(plan, {
      guessed: chosen.guessed,
      options,
      balance,
      expensePayment: described.checks.debt.expensePayment,
    }),
    rows: () => readRows(plan),
    identityHeaders: Object.values(plan.columns.identity),
    saveIdentity: async () => {
      if (identity !== undefined) return;
      const text = withIdentity(await mappings.find(fingerprint), { ...kind, columns: plan.columns.identity });
      await mappings.save(fingerprint, text);
    },
    interpretation: {
      question,
      furtherQuestions,
      advice:
        rowCount === 0 ? 'There are no rows below the headers. Nothing is recorded.' : (description.dateAdvice ?? null),
      lines: [
        ...describeInterpretation(plan, description, {
          guessed: chosen.guessed,
          isSaved,
          hasOneAccount: options.hasOneAccount,
        }),
        ...lines,
      ],
      save: async () => {
        const current = toSavedMapping(plan, {
          ...options,
          guessedCategory,
          unknownStatuses: description.unknownStatuses,
          before: saved?.mapping,
        });
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
function requireRows({ rowCount, lines }: Description): void {
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
 * Returns the header row, as {@link findHeaderRow} does. If a file without headers begins with a summary, the rows begin below it, and the
 * next row shows how many columns there are.
 */
function findHeaders(head: CsvHead, columns: Parameters<typeof findHeaderRow>[1]): HeadRow | undefined {
  const row = findHeaderRow(head, columns);
  if (row === undefined || !hasNoHeaders(row)) return row;
  const [first, second, ...others] = head.rows.filter(({ line }) => line > row.line);
  if (first === undefined || second === undefined) return row;
  const hasSummary = beginsWithSummary([first, second, ...others].map(({ cells }) => cells));
  return hasSummary ? { line: first.line, cells: second.cells.map(() => '') } : row;
}

async function findSaved(
  head: CsvHead,
  { mappings, csv }: Pick<OpenStatementRequest, 'mappings' | 'csv'>,
): Promise<{ row: HeadRow; mapping: SavedMapping } | undefined> {
  const headerless = findHeaders(head, {});
  const rows = [...head.rows.filter((row) => !hasNoHeaders(row)), ...(headerless === undefined ? [] : [headerless])];
  for (const row of rows) {
    const text = await mappings.find(headerFingerprint(row.cells));
    const mapping = text === undefined ? undefined : parseSavedMapping(text);
    if (mapping === undefined) continue;
    const rows = head.rows.filter(({ line }) => line > row.line).map(({ cells }) => cells);
    if (csv.columns.date !== undefined || !hasOutdatedDate(mapping, { headers: row.cells, rows }))
      return { row, mapping };
  }
  return undefined;
}

/**
 * Returns whether the saved date column is one that older versions of Centavo chose wrongly: its header names the day on which a record was
 * created, changed, imported or exported, and the file has a better column.
 */
function hasOutdatedDate({ columns }: SavedMapping, file: Parameters<typeof findOnlyCreation>[0]): boolean {
  if (!recordKeepingHeaders.has(headerWords(columns.date))) return false;
  const only = findOnlyCreation(file);
  return only === undefined || canonicalHeader(only) !== canonicalHeader(columns.date);
}

/**
 * Returns the settings of a mapping that are used like options. Leaves out the formats, because the file can contradict them, and also
 * `otherAccountReversesSigns` and `guessedCategory`, which are not options.
 */
function pickOptions(mapping: EffectiveMapping) {
  const { columns, expenseWords, incomeWords, finalStatuses, skippedStatuses, allExpenses, allIncomes, minusMeans } =
    mapping;
  return { columns, expenseWords, incomeWords, finalStatuses, skippedStatuses, allExpenses, allIncomes, minusMeans };
}
