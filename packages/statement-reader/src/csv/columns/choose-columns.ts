import type { CsvOptions } from '../../options.js';
import type { StatementDirection } from '../../statement.js';
import { StatementError } from '../../statement-error.js';
import { findAmountSign } from '../../values/amounts.js';
import type { PlaceSignCounts, SignedPlace } from '../plan.js';
import {
  cellsDiffer,
  findRepeatedColumns,
  isDateCell,
  looksLikeTransaction,
  plainCell,
  readStatus,
  requireClearHeaders,
} from '../rows/cells.js';
import { detectBalancePosition, isRunningSum } from '../signs/balance-column.js';
import { type CsvColumnName, type CsvColumns, listColumns, nameColumns, requirePositions } from './columns.js';
import { chooseGrossOrNet, detectColumnsByContent, isDateHeader } from './detect-columns.js';
import { detectFittingColumns } from './fitting-columns.js';
import {
  bookingDateHeaders,
  creationHeaders,
  headerDictionary,
  headerWords,
  recordKeepingHeaders,
  taxHeaders,
  vagueDirectionHeaders,
} from './header-names.js';

/** The columns of a file, and the roles whose column was guessed. */
export interface ChosenColumns {
  readonly columns: CsvColumns;
  readonly guessed: ReadonlySet<CsvColumnName>;
  /** The position of the running balance, from 0; undefined if there is none. */
  readonly balancePosition: number | undefined;
}

/**
 * Chooses the columns of a file. A saved mapping contains all columns. Without a saved mapping, the column of each role
 * that no option sets is guessed, first from the headers and then from the cells. An empty option means that the file has
 * no column for the role. An option for only the debit or only the credit column means that the other column does not
 * exist.
 *
 * @param file.rows the first rows below the headers
 * @throws StatementError if a named column is absent, the date or amount column is unclear, or two columns with the same
 *   header differ
 */
export function chooseColumns(file: {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly options: CsvOptions;
  readonly isSaved: boolean;
  /** Whether the encoding is guessed. If the guess is wrong, the headers are garbled. */
  readonly isEncodingGuessed: boolean;
}): ChosenColumns {
  const { headers, options } = file;
  const requested = requestedColumns(options);
  // An absent column is reported before an unclear column.
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
  if (guess.currency !== undefined && requested.currency === undefined) {
    columns.currency = findCurrencyBesideAmount({ ...file, columns, currency: guess.currency });
  }
  requireClearHeaders({ ...file, columns });
  return { columns, guessed: new Set(names), balancePosition: detectBalancePosition({ ...file, columns }) };
}

/**
 * Returns the name of the currency column. If several different columns have its header, and one of them is right after
 * the amount, returns that column.
 */
function findCurrencyBesideAmount({
  columns: { amount },
  currency,
  headers,
  rows,
}: {
  readonly columns: Partial<CsvColumns>;
  readonly currency: string;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}): string {
  const [repeated] = findRepeatedColumns({ currency }, headers);
  if (amount === undefined || repeated === undefined || findRepeatedColumns({ amount }, headers).length > 0) {
    return currency;
  }
  const { amount: position = 0 } = requirePositions({ amount }, headers);
  const isBeside = repeated.positions.includes(position + 1) && !repeated.positions.includes(position - 1);
  return isBeside && rows.some((cells) => cellsDiffer(cells, repeated)) ? `column ${position + 2}` : currency;
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
  const guessed = reviseColumns(detectFittingColumns(file, unwanted), { headers, rows, unwanted });
  const grossOrNet = guessed.amount === undefined ? undefined : chooseFilledGrossOrNet(file);
  if (grossOrNet === 'unclear') throw unclearError('amount', file);
  const chosen = grossOrNet === undefined ? guessed : { ...guessed, amount: nameColumns(headers)[grossOrNet] ?? '' };
  // A column that is the running sum of another column is a balance, even if its header names an amount.
  const { amount, ...withoutAmount } = chosen;
  const isBalance = amount !== undefined && isRunningSum(amount, { headers, rows });
  const byHeader: Partial<CsvColumns> = isBalance ? withoutAmount : chosen;
  const byContent = detectColumnsByContent({ headers, rows, known: { ...byHeader, ...requested }, unwanted });
  const found = { ...byHeader, ...byContent };
  const date = found.date ?? (unwanted.has('date') ? undefined : findOnlyCreation(file));
  const currency = unwanted.has('currency') ? undefined : findCurrencyOfAmount({ ...found, ...requested }, headers);
  return { ...found, ...(date !== undefined && { date }), ...(currency !== undefined && { currency }) };
}

/** Returns the currency column with the name of the amount column: `Billing Currency` is the currency of `Billing Amount`. */
function findCurrencyOfAmount({ amount }: Partial<CsvColumns>, headers: readonly string[]): string | undefined {
  if (amount === undefined) return undefined;
  const { amount: position = -1 } = requirePositions({ amount }, headers);
  const name = headerWords(headers[position] ?? '');
  const currencyName = name.replace(/\bamount\b/, 'currency').replace(/betrag\b/, 'wahrung');
  const found = currencyName === name ? -1 : headers.findIndex((header) => headerWords(header) === currencyName);
  return found === -1 ? undefined : nameColumns(headers)[found];
}

function unclearError(
  what: 'date' | 'amount',
  { headers, rows, isEncodingGuessed }: Parameters<typeof chooseColumns>[0],
): StatementError {
  const flags = what === 'date' ? '--date-column' : '--amount-column, or --debit-column and --credit-column';
  return new StatementError(
    `It is not clear which column has the ${what}. The headers: ${listColumns(headers)}.${headers.every((header) => header.trim() === '') ? describeFirstRows(rows) : ''}`,
    `Name it with ${flags}.${isEncodingGuessed ? ' If the headers are garbled, set the encoding of the file with --encoding.' : ''}`,
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

/** Checks the cells of guessed columns, and drops each guess that they disprove. */
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

  /** Counts cells with an unknown code as cells with a known code, after their code was resolved. */
  addResolved(count: number): void {
    this.#known += count;
    this.#unknown -= count;
  }

  /**
   * Returns the columns without disproved guesses. A direction column without any known code is dropped. A currency
   * column without any currency code is dropped too.
   *
   * A direction column whose header does not clearly mean a direction is dropped in further cases. If its header is vague,
   * it has some unknown codes and some amounts have a minus, it contains kinds of transactions ("transfer", "refund"). If
   * codes of a direction have amounts with and without a minus, they may be kinds of cards: the column is conflicting. A
   * vague header must have such amounts in both directions.
   */
  check(
    columns: CsvColumns,
    signCounts: PlaceSignCounts,
  ): { readonly roles: CsvColumns; readonly conflictingDirection: string | undefined } {
    const { direction, currency, ...others } = columns;
    const words = headerWords(direction ?? '');
    const isVague = vagueDirectionHeaders.has(words);
    const isUnknownHeader = !headerDictionary.direction.includes(words);
    const mixed = [isMixed(signCounts['expense-code']), isMixed(signCounts['income-code'])];
    const isConflicting = (isVague && mixed.every(Boolean)) || (isUnknownHeader && mixed.some(Boolean));
    const isOfKinds = isVague && this.#unknown > 0 && signCounts.amount.minus > 0;
    const isDropped = this.#guessed.has('direction') && (this.#known === 0 || isOfKinds || isConflicting);
    return {
      roles: {
        ...others,
        ...(direction !== undefined && !isDropped && { direction }),
        ...(currency !== undefined && !(this.#guessed.has('currency') && this.#codes === 0) && { currency }),
      },
      conflictingDirection: isDropped && isConflicting && !isOfKinds ? direction : undefined,
    };
  }
}

/** Returns whether some amounts have a minus and others do not. */
function isMixed({ minus, plus, bare }: PlaceSignCounts[SignedPlace]): boolean {
  return minus > 0 && plus + bare > 0;
}

interface FileHead {
  readonly headers: readonly string[];
  /** The first rows below the headers. */
  readonly rows: readonly (readonly string[])[];
}

/**
 * Returns the columns that were guessed by headers, without guesses that the first rows contradict. If the date column
 * has empty cells, another date column may replace it. If every row fills both debit and credit, an amount column
 * replaces them, because such columns contain sums.
 */
export function reviseColumns(
  guess: Partial<CsvColumns>,
  file: FileHead & { readonly unwanted: ReadonlySet<CsvColumnName> },
): Partial<CsvColumns> {
  const rows = file.rows.filter(looksLikeTransaction);
  if (rows.length === 0) return guess;
  const amounts = areSumsOfFile(guess, { ...file, rows })
    ? detectFittingColumns(file, new Set([...file.unwanted, 'debit', 'credit'] as const))
    : guess;
  const revised = amounts.amount === undefined ? guess : amounts;
  const final = rows.filter((cells) => isFinal(cells, { headers: file.headers, status: revised.status }));
  const date = revised.date === undefined ? undefined : chooseFilledDate(revised.date, { ...file, rows: final });
  return { ...revised, ...(date !== undefined && { date }) };
}

/** Returns whether a row is final, or has an unknown status. */
function isFinal(
  cells: readonly string[],
  { headers, status }: { headers: readonly string[]; status?: string | undefined },
) {
  const kind = status === undefined ? 'final' : readStatus(cells[nameColumns(headers).indexOf(status)] ?? '');
  return kind === 'final' || kind === 'unknown';
}

/** Returns whether each row has both a debit and a credit. Such columns contain sums of the file. */
function areSumsOfFile({ debit, credit }: Partial<CsvColumns>, { headers, rows }: FileHead): boolean {
  if (debit === undefined || credit === undefined) return false;
  const known = nameColumns(headers);
  const positions = [debit, credit].map((header) => known.indexOf(header));
  return rows.every((cells) => positions.every((position) => findAmountSign(cells[position] ?? '') !== undefined));
}

/**
 * Returns the date column to read. A full column of booking dates replaces a guessed column with empty cells. Without such a
 * column, any full date column replaces a guessed column of which at least half of the cells are empty. Otherwise the guess
 * stays, because a row without a date may be pending.
 */
function chooseFilledDate(guessed: string, { headers, rows }: FileHead): string {
  const known = nameColumns(headers);
  const isFilled = (header: string, cells: readonly string[]) => (cells[known.indexOf(header)] ?? '').trim() !== '';
  const filledCount = rows.filter((cells) => isFilled(guessed, cells)).length;
  if (filledCount === rows.length) return guessed;
  const order = (header: string) => headerDictionary.date.indexOf(headerWords(header));
  const complete = known
    .filter((header) => isDateHeader(header) && rows.every((cells) => isDateCell(cells[known.indexOf(header)] ?? '')))
    .toSorted((one, other) => order(one) - order(other));
  const booking = complete.find((header) => bookingDateHeaders.has(headerWords(header)));
  return booking ?? (filledCount * 2 <= rows.length ? complete[0] : undefined) ?? guessed;
}

/**
 * Returns the position of the gross or the net amount like {@link chooseGrossOrNet}, but ignores tax columns that are
 * empty in all rows.
 */
export function chooseFilledGrossOrNet({ headers, rows }: FileHead): number | 'unclear' | undefined {
  const choice = chooseGrossOrNet(headers);
  if (choice !== 'unclear') return choice;
  const isEmptyTax = (header: string, position: number) =>
    taxHeaders.has(headerWords(header)) && rows.every((cells) => findAmountSign(cells[position] ?? '') === undefined);
  return chooseGrossOrNet(headers.map((header, position) => (isEmptyTax(header, position) ? '' : header)));
}

/**
 * Returns the header of the creation date, if all other date columns of the file are dates of later changes of the
 * record.
 * @returns undefined if there is no such column, or if a row leaves it empty
 */
export function findOnlyCreation({ headers, rows }: FileHead): string | undefined {
  const transactions = rows.filter(looksLikeTransaction);
  const known = nameColumns(headers);
  const dates = known.filter((_, position) => transactions.some((cells) => isDateCell(cells[position] ?? '')));
  if (!dates.every((header) => recordKeepingHeaders.has(headerWords(header)))) return undefined;
  const isFull = (header: string) => transactions.every((cells) => isDateCell(cells[known.indexOf(header)] ?? ''));
  return dates.find((header) => creationHeaders.has(headerWords(header)) && isFull(header));
}
