import type { CsvOptions } from '../../options.js';
import type { StatementDirection } from '../../statement.js';
import { StatementError } from '../../statement-error.js';
import { plainCell, requireClearHeaders } from '../rows/cells.js';
import type { PlaceSignCounts } from '../signs/signs.js';
import { type CsvColumnName, type CsvColumns, listColumns, nameColumns, requirePositions } from './columns.js';
import { detectBalancePosition, isRunningSum } from './detect-balance.js';
import { detectColumnsByContent, detectColumnsByHeader } from './detect-columns.js';
import { headerWords, vagueDirectionHeaders } from './header-names.js';
import { chooseFilledGrossOrNet, findOnlyCreation, reviseColumns } from './revise-columns.js';

/** The columns of a file, and which of them no option names. */
export interface ChosenColumns {
  readonly columns: CsvColumns;
  readonly guessed: ReadonlySet<CsvColumnName>;
  /** The position of the running balance, from 0; undefined if there is none. */
  readonly balancePosition: number | undefined;
}

/**
 * Chooses the columns of a file. A saved mapping is complete. Beside options, the remaining roles are guessed, from the
 * headers first and then from the cells. An empty option means that there is no such column, and an option for one of
 * debit and credit alone that there is no other.
 *
 * @param file.rows the first rows below the headers
 * @throws StatementError if a named column is absent, the date or amount column is unclear, or two columns with one
 *   header differ
 */
export function chooseColumns(file: {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly options: CsvOptions;
  readonly isSaved: boolean;
  /** The guessed encoding may be wrong, so that the headers are garbled. */
  readonly isEncodingGuessed: boolean;
}): ChosenColumns {
  const { headers, options } = file;
  const requested = requestedColumns(options);
  // Reports an absent column before an unclear one.
  requirePositions(requested, headers);
  const unwanted = new Set(Object.keys(options.columns) as CsvColumnName[]);
  const hasOneSide = requested.debit !== undefined || requested.credit !== undefined;
  if (hasOneSide) unwanted.add('amount').add('direction').add('debit').add('credit');
  if (requested.amount !== undefined) unwanted.add('debit').add('credit');
  if (options.hasOneAccount) unwanted.add('account');
  const guess = file.isSaved ? {} : guessMissingColumns(file, { requested, unwanted });
  const { date, ...others } = { ...guess, ...requested };
  if (date === undefined) throw unclearError('date', file);
  const hasAmount = others.amount !== undefined || (others.debit !== undefined && others.credit !== undefined);
  if (!hasAmount && !hasOneSide) throw unclearError('amount', file);
  const names = Object.keys(guess) as CsvColumnName[];
  const columns = { date, ...others };
  requireClearHeaders({ ...file, columns });
  return { columns, guessed: new Set(names), balancePosition: detectBalancePosition({ ...file, columns }) };
}

/** Returns the columns that options name. */
export function requestedColumns(options: CsvOptions): Partial<CsvColumns> {
  return Object.fromEntries(Object.entries(options.columns).filter(([, header]) => header !== ''));
}

function guessMissingColumns(
  file: Parameters<typeof chooseColumns>[0],
  { requested, unwanted }: { requested: Partial<CsvColumns>; unwanted: ReadonlySet<CsvColumnName> },
): Partial<CsvColumns> {
  const { headers, rows } = file;
  const guessed = reviseColumns(detectColumnsByHeader(headers, unwanted), { headers, rows, unwanted });
  const grossOrNet = guessed.amount === undefined ? undefined : chooseFilledGrossOrNet(file);
  if (grossOrNet === 'unclear') throw unclearError('amount', file);
  const chosen = grossOrNet === undefined ? guessed : { ...guessed, amount: nameColumns(headers)[grossOrNet] ?? '' };
  // Whatever its header, a column that the running sum of another one explains is a balance.
  const { amount, ...withoutAmount } = chosen;
  const isBalance = amount !== undefined && isRunningSum(amount, { headers, rows });
  const byHeader: Partial<CsvColumns> = isBalance ? withoutAmount : chosen;
  const byContent = detectColumnsByContent({ headers, rows, known: { ...byHeader, ...requested }, unwanted });
  const { date = unwanted.has('date') ? undefined : findOnlyCreation(file) } = { ...byHeader, ...byContent };
  return { ...byHeader, ...byContent, ...(date !== undefined && { date }) };
}

function unclearError(
  what: 'date' | 'amount',
  { headers, rows, isEncodingGuessed }: Parameters<typeof chooseColumns>[0],
): StatementError {
  const flags = what === 'date' ? '--date-column' : '--amount-column, or --debit-column and --credit-column';
  return new StatementError(
    `Which column holds the ${what} is not clear from the headers: ${listColumns(headers)}.${headers.every((header) => header.trim() === '') ? describeFirstRows(rows) : ''}`,
    `Name it with ${flags}.${isEncodingGuessed ? ' If the headers are garbled, say how the file is encoded with --encoding.' : ''}`,
  );
}

/** Returns ` Row 1 has column 1 "2024-03-13", column 2 "Grocer"; row 2 has …` for the first three rows. */
function describeFirstRows(rows: readonly (readonly string[])[]): string {
  const described = rows.slice(0, 3).map((cells, row) => {
    const filled = cells.flatMap((cell, index) => {
      const text = plainCell(cell).replace(/\s+/g, ' ');
      return text === '' ? [] : [`column ${index + 1} "${text.length > 24 ? `${text.slice(0, 24)}…` : text}"`];
    });
    return `row ${row + 1} has ${filled.join(', ')}`;
  });
  return described.length === 0 ? '' : ` R${described.join('; ').slice(1)}.`;
}

/** Reads the cells of guessed columns, and drops the guesses that the cells disprove. */
export class GuessedColumnsCheck {
  readonly #guessed: ReadonlySet<CsvColumnName>;
  #known = 0;
  #unknown = 0;
  #codes = 0;

  constructor(guessed: ReadonlySet<CsvColumnName>) {
    this.#guessed = guessed;
  }

  add(row: { direction: StatementDirection | undefined; currency: string; hasDirectionColumn: boolean }): void {
    if (row.hasDirectionColumn) {
      if (row.direction === undefined) this.#unknown += 1;
      else this.#known += 1;
    }
    if (/^[A-Za-z]{3}$/.test(row.currency)) this.#codes += 1;
  }

  /** Counts cells whose codes were unknown first and were resolved later. */
  addResolved(count: number): void {
    this.#known += count;
    this.#unknown -= count;
  }

  /**
   * Returns the columns without disproved guesses. A direction column without any known code is dropped, and so is one
   * with a vague header and unknown codes if signs show the direction: it holds kinds ("transfer", "refund"). A
   * currency column without any code is dropped.
   */
  withoutDisproved(columns: CsvColumns, signCounts: PlaceSignCounts): CsvColumns {
    const { direction, currency, ...others } = columns;
    const isVague = direction !== undefined && vagueDirectionHeaders.has(headerWords(direction));
    const saysLittle = this.#known === 0 || (isVague && this.#unknown > 0 && signCounts.amount.minus > 0);
    return {
      ...others,
      ...(direction !== undefined && !(this.#guessed.has('direction') && saysLittle) && { direction }),
      ...(currency !== undefined && !(this.#guessed.has('currency') && this.#codes === 0) && { currency }),
    };
  }
}
