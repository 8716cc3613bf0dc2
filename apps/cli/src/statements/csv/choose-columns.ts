import { UsageError } from '../../errors.js';
import { chooseGrossOrNet } from './choose-amount-header.js';
import { type CsvColumnName, type CsvColumns, listColumns, requirePositions } from './csv-columns.js';
import type { CsvWishes } from './csv-plan.js';
import { guessByContent } from './guess-by-content.js';
import { guessColumns } from './guess-columns.js';
import { requireClearHeaders } from './repeated-headers.js';

/** The columns of a file, and which of them nobody has named. */
export interface ChosenColumns {
  readonly columns: CsvColumns;
  readonly guessed: ReadonlySet<CsvColumnName>;
}

/**
 * Chooses the columns of a file. A saved mapping is complete; beside flags, what they leave open is guessed, from the
 * headers first and then from the cells. An empty flag means: no such column.
 *
 * @param file.rows the first rows below the headers
 * @throws UsageError (exit 2) for a column that is not there, and where date or amount are not clear,
 *   or two columns with one header differ
 */
export function chooseColumns(file: {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly wishes: CsvWishes;
  readonly isSaved: boolean;
  /** The bytes may be of another encoding than the one that was guessed, so that the headers are not what they say. */
  readonly isEncodingGuessed: boolean;
}): ChosenColumns {
  const { headers, wishes } = file;
  const wished = wishedColumns(wishes);
  // A column that was named and is not there is told before one that was not named.
  requirePositions(wished, headers);
  const unwanted = new Set(Object.keys(wishes.columns) as CsvColumnName[]);
  if (wished.debit !== undefined || wished.credit !== undefined) unwanted.add('amount').add('direction');
  if (wished.amount !== undefined) unwanted.add('debit').add('credit');
  if (wishes.hasOneAccount) unwanted.add('account');
  const guess = file.isSaved ? {} : guessOpenColumns(file, { wished, unwanted });
  // One of two columns named and the other guessed is still two columns.
  const { date, ...others } = { ...guess, ...wished };
  if (date === undefined) throw unclear('date', file);
  const hasAmount = others.amount !== undefined || (others.debit !== undefined && others.credit !== undefined);
  if (!hasAmount) throw unclear('amount', file);
  const names = Object.keys(guess) as CsvColumnName[];
  const columns = { date, ...others };
  requireClearHeaders({ ...file, columns });
  return { columns, guessed: new Set(names) };
}

/** The columns that flags name. */
export function wishedColumns(wishes: CsvWishes): Partial<CsvColumns> {
  return Object.fromEntries(Object.entries(wishes.columns).filter(([, header]) => header !== ''));
}

function guessOpenColumns(
  file: Parameters<typeof chooseColumns>[0],
  { wished, unwanted }: { wished: Partial<CsvColumns>; unwanted: ReadonlySet<CsvColumnName> },
): Partial<CsvColumns> {
  const { headers, rows } = file;
  const byHeader = guessColumns(headers, unwanted);
  const isUnclear = byHeader.amount !== undefined && chooseGrossOrNet(headers) === 'unclear';
  if (isUnclear) throw unclear('amount', file);
  const byContent = guessByContent({ headers, rows, known: { ...byHeader, ...wished }, unwanted });
  return { ...byHeader, ...byContent };
}

function unclear(
  what: 'date' | 'amount',
  { headers, isEncodingGuessed }: Pick<Parameters<typeof chooseColumns>[0], 'headers' | 'isEncodingGuessed'>,
): UsageError {
  const flags = what === 'date' ? '--date-column' : '--amount-column, or --debit-column and --credit-column';
  return new UsageError(
    `Which column holds the ${what} is not clear from the headers: ${listColumns(headers)}.`,
    `Name it with ${flags}.${isEncodingGuessed ? ' If the headers are garbled, say how the file is encoded with --encoding.' : ''}`,
  );
}
