import { CategoryNames } from '../category-names.js';
import {
  type ColumnPositions,
  type CsvColumnName,
  type IdentityColumns,
  nameColumns,
  onOneLine,
  pickIdentity,
  plainCell,
  requirePositions,
} from './csv-columns.js';
import type { CsvPlan, CsvWishes } from './csv-plan.js';
import { type AmountPlace, emptyMarkCounts } from './decide-direction.js';
import { DateFormatDetector } from './detect-date-format.js';
import { type DirectionWords, directionWords, readDirectionWord } from './direction-words.js';
import { findBalance } from './find-balance.js';
import { guessBalanceColumn, isDateHeader } from './guess-columns.js';
import { GuessedColumns } from './guessed-columns.js';
import { findOwnExport, withoutGuard } from './own-export.js';
import { findAmountMark } from './parse-amount.js';
import { readLines } from './read-lines.js';
import { type CsvRecord, readRecords } from './read-records.js';
import { type RecordKind, recordJudge } from './record-kind.js';
import type { RememberedReading } from './saved-mapping.js';
import { SeparatorVote } from './separator-vote.js';
import { settleDateFormat } from './settle-date-format.js';
import { SideLetters } from './side-letters.js';
import { SignHabit } from './sign-habit.js';
import { StatusSurvey } from './status-survey.js';
import { isPendingWord } from './status-words.js';
import { UnrecordedFees } from './unrecorded-fees.js';

/** A file whose headers are known, and what is wished about the reading of its rows. */
export type SurveyRequest = Pick<CsvPlan, 'path' | 'encoding' | 'delimiter' | 'headerLine' | 'headers' | 'columns'> &
  Pick<
    CsvWishes,
    'dateFormat' | 'decimalSeparator' | 'minusMeans' | 'allExpenses' | 'expenseWords' | 'incomeWords' | 'finalStatuses'
  > & {
    /** Columns that nobody has named: those of the direction and the currency are dropped when their words say nothing. */
    readonly guessed: ReadonlySet<CsvColumnName>;
    /** What a saved mapping says; it decides only where the file itself does not. */
    readonly saved: Pick<RememberedReading, 'dateFormat' | 'decimalSeparator'> | undefined;
    /** The columns that rows of these headers were first recorded with; undefined: none were. */
    readonly identity: IdentityColumns | undefined;
  };

/**
 * Reads a whole file once, in constant memory, to learn what no single row can tell: the date format, the decimal
 * separator, the habit of signs, which lines are no transactions, and how many rows there are.
 *
 * @throws UsageError (exit 2) naming the flag that settles it, where the file alone leaves two readings open
 */
export async function surveyRows(request: SurveyRequest): Promise<CsvPlan> {
  const { path, encoding, delimiter, headerLine, headers, saved } = request;
  const positions = requirePositions(request.columns, headers);
  const judge = recordJudge({ headers, positions });
  const named = directionWords(request.expenseWords, request.incomeWords);
  const letters = new SideLetters(named);
  const dates = new DateFormatDetector(request.dateFormat ?? saved?.dateFormat);
  const [separators, balances] = [new SeparatorVote(), new SeparatorVote()];
  const signs = new SignHabit();
  const guesses = new GuessedColumns(request.guessed);
  const marks = emptyMarkCounts();
  const asides = { count: 0, lines: [] as number[] };
  const statuses = new StatusSurvey(request.finalStatuses ?? []);
  const categories = new CategoryNames();
  const hints = hintPositions(headers, positions);
  const fees = new UnrecordedFees(headers, request.columns);
  const isOwn = findOwnExport(headers) !== undefined;
  let rowCount = 0;
  let kind: RecordKind = 'aside';
  for await (const record of rowsBelow({ path, encoding, delimiter, headerLine })) {
    kind = 'cells' in record ? nextKind(judge(record.cells), kind) : 'row';
    if (kind === 'aside') {
      asides.count += 1;
      if (asides.lines.length < asideLinesMax) asides.lines.push(record.line);
    }
    if (kind !== 'row') continue;
    rowCount += 1;
    if (!('cells' in record)) continue;
    const cell = (name: CsvColumnName) => cellAt(record.cells, positions[name]);
    const date = cell('date');
    if (date === '') continue;
    if (!isPendingWord(date)) dates.see(date);
    for (const place of hints.dates) dates.seeWitness(cellAt(record.cells, place));
    const category = onOneLine(cell('category'));
    categories.see(isOwn ? withoutGuard(category) : category);
    const status = statuses.see(cell('status'));
    if (findBalance(record.cells, positions) !== undefined) continue;
    if (!isPendingWord(date) && (status === 'final' || status === 'unknown')) fees.see(record.cells);
    const word = readDirectionWord(cell('direction'), named);
    guesses.see({ word, currency: cell('currency'), isNamed: positions.direction !== undefined });
    const count = (place: AmountPlace, text: string) => {
      const mark = findAmountMark(text);
      if (mark !== undefined) marks[place][mark] += 1;
      return mark;
    };
    for (const name of ['debit', 'credit'] as const) {
      separators.see(cell(name));
      count(name, cell(name));
    }
    separators.see(cell('amount'));
    const mark = count('amount', cell('amount'));
    signs.see({ mark, text: `${cell('description')} ${cell('merchant')}`.trim(), word });
    balances.see(cellAt(record.cells, hints.balance));
    letters.see(cell('direction'), mark);
    if (word !== undefined) count(word === 'expense' ? 'expense-word' : 'income-word', cell('amount'));
  }
  const words = settleLetters(letters, { named, marks, guesses, header: request.columns.direction });
  const columns = guesses.keepUseful(request.columns, marks);
  if (words === undefined && (columns.direction !== undefined || marks.amount.minus === 0)) {
    throw letters.unclear(request.columns.direction ?? '');
  }
  const isSaid = request.minusMeans !== undefined || request.allExpenses === true;
  if (columns.amount !== undefined && columns.direction === undefined && !isSaid) {
    signs.requireUsual();
  }
  const fallback = saved?.decimalSeparator ?? balances.evidence;
  const decimalSeparator = request.decimalSeparator ?? separators.requireSeparator(fallback);
  return {
    path,
    encoding,
    delimiter,
    headerLine,
    headers,
    columns,
    identity: request.identity ?? pickIdentity(columns),
    ...settleDateFormat({
      dates,
      wished: request.dateFormat,
      saved: saved?.dateFormat,
      hasDecimalComma: separators.evidence === ',',
      dateColumn: columns.date,
    }),
    decimalSeparator,
    words: words ?? named,
    marks,
    // Where plain amounts are expenses, a minus can only be money that came back.
    minusMeans: request.minusMeans ?? (request.allExpenses === true && marks.amount.minus > 0 ? 'income' : undefined),
    rowCount,
    asides,
    fees: fees.told,
    ...statuses.told,
    categoryNames: categories.names,
  };
}

/** Explains letters of the direction column once all are seen, and counts what stood beside them; undefined: unclear. */
function settleLetters(
  letters: SideLetters,
  file: {
    readonly named: DirectionWords;
    readonly marks: ReturnType<typeof emptyMarkCounts>;
    readonly guesses: GuessedColumns;
    readonly header: string | undefined;
  },
): DirectionWords | undefined {
  if (file.header === undefined) return file.named;
  const words = letters.explain(file.header);
  if (words === undefined) return undefined;
  for (const [letter, seen] of letters.marks) {
    const counts = file.marks[readDirectionWord(letter, words) === 'expense' ? 'expense-word' : 'income-word'];
    for (const mark of ['minus', 'plus', 'bare'] as const) counts[mark] += seen[mark];
    file.guesses.explain(seen.minus + seen.plus + seen.bare);
  }
  return words;
}

/** A line of text belongs to the row above it; where there is none, it is an aside itself. */
export function nextKind(kind: RecordKind, before: RecordKind): RecordKind {
  return kind === 'continuation' && before !== 'row' && before !== 'continuation' ? 'aside' : kind;
}

/** So many lines that are no transactions are named, and the others are counted. */
const asideLinesMax = 5;

function cellAt(cells: readonly string[], place: number | undefined): string {
  return place === undefined ? '' : plainCell(cells[place] ?? '');
}

/** Columns that are not read, but tell how the others are written: further dates, and the running balance. */
function hintPositions(headers: readonly string[], positions: ColumnPositions) {
  const balanceHeader = guessBalanceColumn(headers);
  const balance = balanceHeader === undefined ? undefined : nameColumns(headers).indexOf(balanceHeader);
  const dates = headers.flatMap((header, place) => (isDateHeader(header) && place !== positions.date ? [place] : []));
  return { balance, dates };
}

/** The records below the headers of a file; the preamble above them need not be CSV at all. */
export async function* rowsBelow(
  plan: Pick<CsvPlan, 'path' | 'encoding' | 'delimiter' | 'headerLine'>,
): AsyncGenerator<CsvRecord> {
  for await (const record of readRecords(readLines(plan.path, plan.encoding), plan.delimiter)) {
    if (record.line > plan.headerLine) yield record;
  }
}
