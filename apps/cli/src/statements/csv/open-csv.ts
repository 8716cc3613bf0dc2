import { UsageError } from '../../cli-error.js';
import type { OpenedStatement, OpenStatementRequest } from '../statement-format.js';
import type { StatementRow } from '../statement-row.js';
import { type CsvColumnName, type CsvColumns, requirePositions } from './csv-columns.js';
import type { CsvPlan, CsvWishes } from './csv-plan.js';
import { isWithoutSigns } from './decide-direction.js';
import { describeReading } from './describe-reading.js';
import { guessColumns } from './guess-columns.js';
import { csvRowReader } from './read-csv-row.js';
import { type CsvHead, findHeaderRow, readHead } from './read-head.js';
import {
  besideFlags,
  headerFingerprint,
  type MappingShelf,
  parseSavedMapping,
  type RememberedReading,
  type SavedMapping,
  toSavedMapping,
} from './saved-mapping.js';
import { rowsBelow, surveyRows } from './survey-rows.js';

/**
 * Opens a CSV statement: finds its headers, decides what they mean (flags, else a mapping saved for these headers,
 * else the obvious guess), and surveys the rows. Nothing has been sent anywhere yet.
 *
 * @returns the rows, and how they will be read; `doubt` when date or amount are only guessed, or nothing tells the side
 * @throws UsageError (exit 2) for a file without usable headers, or where only a flag can settle a reading
 */
export async function openCsv(request: OpenStatementRequest): Promise<OpenedStatement> {
  const { path, mappings } = request;
  const head = await readHead(path, request.csv);
  const saved = request.csv.ignoresSaved === true ? undefined : await findSaved(head, mappings);
  const remembered = saved === undefined ? undefined : besideFlags(saved.mapping, request.csv);
  const wishes = { ...request.csv, ...(remembered && pickSaid(remembered)) };
  const headerRow = saved?.row ?? findHeaderRow(head, wishedColumns(wishes)) ?? head.rows[0];
  if (headerRow === undefined) throw new UsageError(`${path} is empty.`, 'Export the statement again.');
  const chosen = chooseColumns(headerRow.cells, { wishes, isSaved: saved !== undefined });
  const plan = await surveyRows({
    ...wishes,
    path,
    encoding: head.encoding,
    delimiter: head.delimiter,
    headerLine: headerRow.line,
    headers: headerRow.cells,
    columns: chosen.columns,
    isDirectionGuessed: chosen.guessed.has('direction'),
    saved: remembered,
  });
  const isGuessed = ['date', 'amount', 'debit', 'credit'].some((name) => chosen.guessed.has(name as CsvColumnName));
  return {
    format: 'csv',
    rowCount: plan.rowCount,
    namesAccounts: plan.columns.account !== undefined,
    rows: () => readRows(plan),
    reading: {
      doubt: findDoubt(plan, { isGuessed, allExpenses: wishes.allExpenses === true }),
      advice: plan.dateAdvice ?? null,
      lines: describeReading(plan, { guessed: chosen.guessed, isSaved: saved !== undefined }),
      save: () => mappings.save(headerFingerprint(plan.headers), JSON.stringify(toSavedMapping(plan, wishes), null, 2)),
    },
  };
}

async function* readRows(plan: CsvPlan): AsyncGenerator<StatementRow> {
  const readRow = csvRowReader(plan);
  for await (const record of rowsBelow(plan)) {
    yield 'cells' in record
      ? readRow(record.line, record.cells)
      : { line: record.line, outcome: 'failure', reason: record.reason };
  }
}

async function findSaved(
  head: CsvHead,
  mappings: MappingShelf,
): Promise<{ row: CsvHead['rows'][number]; mapping: SavedMapping } | undefined> {
  for (const row of head.rows) {
    const text = await mappings.find(headerFingerprint(row.cells));
    const mapping = text === undefined ? undefined : parseSavedMapping(text);
    if (mapping !== undefined) return { row, mapping };
  }
  return undefined;
}

/** What a saved mapping says outright; its formats only break a tie, so they are not among the wishes. */
function pickSaid({ columns, expenseWords, incomeWords, allExpenses }: RememberedReading) {
  return { columns, expenseWords, incomeWords, allExpenses };
}

/** A saved mapping is complete; beside flags, what they leave open is guessed. An empty flag means: no such column. */
function chooseColumns(
  headers: readonly string[],
  { wishes, isSaved }: { wishes: CsvWishes; isSaved: boolean },
): { columns: CsvColumns; guessed: ReadonlySet<CsvColumnName> } {
  const wished = wishedColumns(wishes);
  // A column that was named and is not there is told before one that was not named.
  requirePositions(wished, headers);
  const unwanted = new Set(Object.keys(wishes.columns) as CsvColumnName[]);
  if (wished.debit !== undefined || wished.credit !== undefined) unwanted.add('amount').add('direction');
  if (wished.amount !== undefined) unwanted.add('debit').add('credit');
  if (wishes.hasOneAccount) unwanted.add('account');
  const guess = isSaved ? {} : guessColumns(headers, unwanted);
  // One of two columns named and the other guessed is still two columns.
  const { date, ...others } = { ...guess, ...wished };
  if (date === undefined) throw unclear('date', headers);
  const hasAmount = others.amount !== undefined || (others.debit !== undefined && others.credit !== undefined);
  if (!hasAmount) throw unclear('amount', headers);
  const names = Object.keys(guess) as CsvColumnName[];
  return { columns: { date, ...others }, guessed: new Set(names) };
}

function unclear(what: 'date' | 'amount', headers: readonly string[]): UsageError {
  const flags = what === 'date' ? '--date-column' : '--amount-column, or --debit-column and --credit-column';
  const names = headers.filter((header) => header.trim() !== '').join(', ');
  return new UsageError(
    `Which column holds the ${what} is not clear from the headers: ${names}.`,
    `Name it with ${flags}.`,
  );
}

function wishedColumns(wishes: CsvWishes): Partial<CsvColumns> {
  return Object.fromEntries(Object.entries(wishes.columns).filter(([, header]) => header !== ''));
}

/** What a person has to settle before anything is recorded, unless they accept the reading as it is shown. */
function findDoubt(
  plan: CsvPlan,
  { isGuessed, allExpenses }: { isGuessed: boolean; allExpenses: boolean },
): { message: string; remedy: string } | null {
  if (isWithoutSigns(plan) && !allExpenses) {
    return {
      message: 'No amount has a sign and no column tells expense from income, so every row would be an expense.',
      remedy:
        'Name the column with --direction-column (its words with --expense-word and --income-word), say --all-expenses, or accept the reading with --yes.',
    };
  }
  return isGuessed ? { message: 'The columns were guessed.', remedy: 'Accept them with --yes.' } : null;
}
