import { UsageError } from '../../errors.js';
import type { Doubt, OpenedStatement, OpenStatementRequest } from '../statement-format.js';
import { chooseColumns, wishedColumns } from './choose-columns.js';
import type { CsvPlan, CsvWishes } from './csv-plan.js';
import { isWithoutSigns } from './decide-direction.js';
import { describeReading } from './describe-reading.js';
import { describeRows } from './describe-rows.js';
import { cardHeaders, recordKeepingHeaders } from './header-dictionary.js';
import { headerWords } from './header-words.js';
import { findIdentity, keepIdentity, replaceMapping } from './identity-columns.js';
import { type CsvHead, findHeaderRow, type HeadRow, readHead } from './read-head.js';
import { readRows } from './read-rows.js';
import {
  besideFlags,
  headerFingerprint,
  parseSavedMapping,
  type RememberedReading,
  type SavedMapping,
  toSavedMapping,
} from './saved-mapping.js';
import { doubtStatuses } from './status-survey.js';
import { surveyRows } from './survey-rows.js';

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
  const saved = request.csv.ignoresSaved === true ? undefined : await findSaved(head, request);
  const remembered = saved === undefined ? undefined : besideFlags(saved.mapping, request.csv);
  const wishes = { ...request.csv, ...(remembered && pickSaid(remembered)) };
  const headerRow = saved?.row ?? findHeaderRow(head, wishedColumns(wishes));
  if (headerRow === undefined) throw new UsageError(`${path} is empty.`, 'Export the statement again.');
  const rows = head.rows.filter(({ line }) => line > headerRow.line).map(({ cells }) => cells);
  const chosen = chooseColumns({
    headers: headerRow.cells,
    rows,
    wishes,
    isSaved: saved !== undefined,
    isEncodingGuessed: request.csv.encoding === undefined && !head.encoding.startsWith('utf-'),
  });
  const fingerprint = headerFingerprint(headerRow.cells);
  const kind = { headers: headerRow.cells, account: wishes.account };
  const identity = request.csv.newKeys === true ? undefined : findIdentity(await mappings.find(fingerprint), kind);
  const plan = await surveyRows({
    ...wishes,
    identity,
    path,
    encoding: head.encoding,
    delimiter: head.delimiter,
    headerLine: headerRow.line,
    headers: headerRow.cells,
    columns: chosen.columns,
    guessed: chosen.guessed,
    saved: remembered,
  });
  const guessedCategory = chosen.guessed.has('category') || remembered?.guessedCategory === true;
  const names = ['date', 'amount', 'debit', 'credit'] as const;
  const isGuessed = names.some((name) => chosen.guessed.has(name)) || (saved !== undefined && isNameless(headerRow));
  return {
    format: 'csv',
    rowCount: plan.rowCount,
    namesAccounts: plan.columns.account !== undefined,
    ...(plan.columns.category !== undefined && {
      categories: { names: plan.categoryNames, areAskedFor: !guessedCategory },
    }),
    ...findOpenSigns(plan),
    rows: () => readRows(plan),
    identityHeaders: Object.values(plan.identity),
    keepIdentity: async () => {
      if (identity !== undefined) return;
      const text = keepIdentity(await mappings.find(fingerprint), { ...kind, columns: plan.identity });
      await mappings.save(fingerprint, text);
    },
    reading: {
      doubt: findDoubt(plan, {
        isGuessed,
        wishes,
        flags: request.csv,
        remembered,
        isStatusGuessed: chosen.guessed.has('status'),
      }),
      advice:
        plan.rowCount === 0
          ? 'There are no rows below the headers: nothing is to be recorded.'
          : (plan.dateAdvice ?? null),
      lines: [
        ...describeReading(plan, {
          guessed: chosen.guessed,
          isSaved: saved !== undefined,
          hasOneAccount: wishes.hasOneAccount,
        }),
        ...(await describeRows(plan)),
      ],
      save: async () => {
        const mapping = toSavedMapping(plan, { ...wishes, guessedCategory, before: saved?.mapping });
        const text = replaceMapping(await mappings.find(fingerprint), { ...kind, mapping });
        await mappings.save(fingerprint, text);
      },
    },
  };
}

async function findSaved(
  head: CsvHead,
  { mappings, csv }: Pick<OpenStatementRequest, 'mappings' | 'csv'>,
): Promise<{ row: HeadRow; mapping: SavedMapping } | undefined> {
  const nameless = findHeaderRow(head, {});
  for (const row of [...head.rows.filter((row) => !isNameless(row)), ...(nameless === undefined ? [] : [nameless])]) {
    const text = await mappings.find(headerFingerprint(row.cells));
    const mapping = text === undefined ? undefined : parseSavedMapping(text);
    if (mapping !== undefined && (csv.columns.date !== undefined || !datesRecords(mapping))) return { row, mapping };
  }
  return undefined;
}

/** Whether the date is that of a record, which was once guessed to be the day of its transaction: it is settled anew. */
function datesRecords({ columns }: SavedMapping): boolean {
  return recordKeepingHeaders.has(headerWords(columns.date));
}

/** Columns without names are alike in files of any bank, so what is saved for them has to be confirmed each time. */
function isNameless(row: HeadRow): boolean {
  return row.cells.every((cell) => cell.trim() === '');
}

/** What a saved mapping says outright; its formats only break a tie, so they are not among the wishes. */
function pickSaid(remembered: RememberedReading) {
  const { columns, expenseWords, incomeWords, finalStatuses, allExpenses, minusMeans } = remembered;
  return { columns, expenseWords, incomeWords, finalStatuses, allExpenses, minusMeans };
}

function findOpenSigns({ headers, columns, marks, minusMeans }: CsvPlan): Pick<OpenedStatement, 'openSigns'> {
  const { minus, plus, bare } = marks.amount;
  const isOpen =
    columns.amount !== undefined && columns.direction === undefined && minusMeans === undefined && minus > 0;
  const cardHeader = headers.find((header) => cardHeaders.has(headerWords(header)));
  return isOpen ? { openSigns: { minus, other: plus + bare, cardHeader } } : {};
}

/** What a person has to settle before anything is recorded, unless they accept the reading as it is shown. */
function findDoubt(
  plan: CsvPlan,
  {
    isGuessed,
    wishes,
    flags,
    remembered,
    isStatusGuessed,
  }: {
    isGuessed: boolean;
    wishes: CsvWishes;
    flags: CsvWishes;
    remembered: RememberedReading | undefined;
    isStatusGuessed: boolean;
  },
): Doubt | null {
  if (plan.rowCount === 0) return null;
  const statusDoubt = isStatusGuessed && !plan.hasKnownStatuses ? undefined : doubtStatuses(plan);
  if (statusDoubt !== undefined) return statusDoubt;
  const signRemedy = 'Say --minus income, --minus expense or --all-expenses, or accept the reading with --yes.';
  const readsSigns = plan.columns.amount !== undefined && plan.columns.direction === undefined;
  if (readsSigns && remembered?.hasStrangeSigns === true) {
    return { message: 'What is saved about the signs of such files is for another account.', remedy: signRemedy };
  }
  const isFirstMinus = wishes.allExpenses === true && wishes.minusMeans === undefined && plan.marks.amount.minus > 0;
  if (readsSigns && isFirstMinus && flags.allExpenses !== true) {
    return {
      message: 'Until now amounts had no sign and were expenses; some now have a minus, which would be income.',
      remedy: signRemedy,
    };
  }
  if (isWithoutSigns(plan) && wishes.allExpenses !== true) {
    return {
      message: 'No amount has a sign and no column tells expense from income, so every row would be an expense.',
      remedy:
        'Name the column with --direction-column (its words with --expense-word and --income-word), say --all-expenses, or accept the reading with --yes.',
    };
  }
  if (plan.fees !== undefined) {
    return { message: `${plan.fees}.`, remedy: 'Record the fees by themselves, and accept the reading with --yes.' };
  }
  return isGuessed ? { message: 'The columns were guessed.', remedy: 'Accept them with --yes.' } : null;
}
