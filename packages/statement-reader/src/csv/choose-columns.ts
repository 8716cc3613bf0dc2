import type { CsvOptions } from '../options.js';
import { StatementError } from '../statement-error.js';
import { detectBalancePosition, isRunningSum } from './balances/balance-column.js';
import { findAccountAmount } from './columns/account-amount.js';
import {
  findColumnOfCodes,
  findCurrencyBesideAmount,
  findCurrencyBesideNamedAmount,
  findCurrencyOfAmount,
  findSideCurrencies,
  isCurrencyOfOtherAmount,
  type SideCurrencies,
} from './columns/currency-columns.js';
import { detectColumnsByContent } from './columns/detect-columns-by-content.js';
import { detectFittingColumns } from './columns/fitting-columns.js';
import { findUnitError, requireMainUnit } from './columns/header-units.js';
import { chooseFilledGrossOrNet, findOnlyCreation, reviseColumns } from './columns/revise-columns.js';
import { RivalAmounts } from './columns/rival-amounts.js';
import { findRowIdHeader } from './row/row-ids.js';
import { looksLikeTransaction, plainCell, requireClearHeaders } from './table/cells.js';
import { type CsvColumnName, type CsvColumns, nameColumns, requirePositions } from './table/columns.js';
import { headerWords, payersAndPayees } from './table/header-names.js';

/** The columns of a file, and the names of those that were guessed. */
export interface ChosenColumns {
  readonly columns: CsvColumns;
  readonly guessed: ReadonlySet<CsvColumnName>;
  /** The position of the running balance, from 0; undefined if there is none. */
  readonly balancePosition: number | undefined;
  /** The currency columns of debits and credits; empty if both share a currency column or have no currency column. */
  readonly sideCurrencies: SideCurrencies;
}

/**
 * Chooses the columns of a file. If a mapping of columns is saved for these headers, no column is guessed, because the mapping contains all
 * columns. Without a saved mapping, each column that no option names is guessed, first from the headers and then from the cells. An empty
 * option, such as `--currency-column ""`, means that the file has no such column. An option for only the debit or only the credit column
 * means that the other column does not exist.
 *
 * @param file.rows the first rows below the headers
 * @throws StatementError if a named column is absent, if the date, amount or currency column is unclear, if the header of the amounts
 *   names a unit such as cents, or if a column has the same header as a chosen column, but different cells
 */
export function chooseColumns(file: {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly options: CsvOptions;
  readonly isSaved: boolean;
  /** Whether the encoding is guessed. If the guess is wrong, the headers may be garbled. */
  readonly isEncodingGuessed: boolean;
}): ChosenColumns {
  const { headers, options } = file;
  const requested = requestedColumns(options);
  // An absent column is reported before an unclear column.
  requireMainUnit(headers, requirePositions(requested, headers));
  const unwanted = new Set(Object.keys(options.columns) as CsvColumnName[]);
  const hasOneSide = requested.debit !== undefined || requested.credit !== undefined;
  if (hasOneSide) unwanted.add('amount').add('direction').add('debit').add('credit');
  if (requested.amount !== undefined) unwanted.add('debit').add('credit');
  if (options.hasOneAccount) unwanted.add('account');
  const guess = file.isSaved ? {} : guessMissingColumns(file, { requested, unwanted });
  const { date, ...others } = { ...guess, ...requested };
  if (date === undefined) throw unclearError('date', file);
  const hasAmount = others.amount !== undefined || (others.debit !== undefined && others.credit !== undefined);
  if (!hasAmount && !hasOneSide) throw findUnitError(headers, file.rows) ?? unclearError('amount', file);
  const names = Object.keys(guess) as CsvColumnName[];
  const columns = { date, ...others };
  if (guess.currency !== undefined && requested.currency === undefined) {
    columns.currency = findCurrencyBesideAmount({ ...file, columns, currency: guess.currency });
    if (isCurrencyOfOtherAmount(columns, file)) delete columns.currency;
  }
  requireMainUnit(headers, requirePositions(columns, headers));
  requireClearHeaders({ ...file, columns });
  const rivals = new RivalAmounts(columns, { headers, guessed: new Set(names) });
  for (const cells of file.rows.filter(looksLikeTransaction)) rivals.add(cells);
  rivals.requireNone();
  const hasOneCurrency = columns.currency !== undefined || unwanted.has('currency');
  return {
    columns,
    guessed: new Set(names),
    balancePosition: detectBalancePosition({ ...file, columns }),
    sideCurrencies: hasOneCurrency ? {} : findSideCurrencies(columns, headers),
  };
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
  const byHeader = withPayers(isBalance ? withoutAmount : chosen, { headers, unwanted });
  const byContent = detectColumnsByContent({ headers, rows, known: { ...byHeader, ...requested }, unwanted });
  const guess = { ...byHeader, ...byContent };
  const accountAmount = findAccountAmount(guess, file);
  const found = accountAmount === undefined ? guess : { ...guess, amount: accountAmount };
  const date = found.date ?? (unwanted.has('date') ? undefined : findOnlyCreation(file));
  const currency = unwanted.has('currency')
    ? undefined
    : findCurrency({ ...found, ...requested }, { ...file, requested });
  const id = unwanted.has('id') ? undefined : findRowIdHeader(headers);
  return {
    ...found,
    ...(date !== undefined && { date }),
    ...(currency !== undefined && { currency }),
    ...(id !== undefined && { id }),
  };
}

/** Adds the columns of payees and payers if the file has both, and no better column for the merchant. */
function withPayers(
  guess: Partial<CsvColumns>,
  { headers, unwanted }: { readonly headers: readonly string[]; readonly unwanted: ReadonlySet<CsvColumnName> },
): Partial<CsvColumns> {
  const known = headers.map(headerWords);
  const pair = payersAndPayees.find((words) => words.every((header) => known.includes(header))) ?? [];
  const [payer, payee] = pair.map((words) => nameColumns(headers)[known.indexOf(words)]);
  if (payer === undefined || payee === undefined || unwanted.has('merchant')) return guess;
  if (guess.merchant !== undefined && guess.merchant !== payee) return guess;
  const { description, ...others } = guess;
  return { ...(description === payee ? others : guess), merchant: payee, payer };
}

function findCurrency(
  columns: Partial<CsvColumns>,
  file: Parameters<typeof findColumnOfCodes>[1] & { readonly requested: Partial<CsvColumns> },
): string | undefined {
  const { amount } = file.requested;
  const beside = amount === undefined ? undefined : findCurrencyBesideNamedAmount(amount, file);
  const named = findCurrencyOfAmount(columns, file.headers) ?? beside ?? columns.currency;
  const hasSides = Object.keys(findSideCurrencies(columns, file.headers)).length > 0;
  return named ?? (hasSides ? undefined : findColumnOfCodes(columns, file));
}

function unclearError(
  what: 'date' | 'amount',
  { headers, rows, isEncodingGuessed }: Parameters<typeof chooseColumns>[0],
): StatementError {
  const areMostShort =
    2 * rows.filter((cells) => cells.filter((cell) => cell.trim() !== '').length === 1).length > rows.length;
  if (what === 'date' && areMostShort) {
    return new StatementError(
      'The file is not a table, because most of its first lines have only one cell.',
      'Export the statement as CSV, OFX, QIF or CAMT.053. If the file is a table, set the character between its cells with --delimiter.',
    );
  }
  const flags = what === 'date' ? '--date-column' : '--amount-column, or --debit-column and --credit-column';
  const hasNoHeaders = headers.every((header) => header.trim() === '');
  const garbled = `If the ${hasNoHeaders ? 'texts' : 'headers'} are garbled, set the encoding of the file with --encoding.`;
  return new StatementError(
    `It is not clear which column has the ${what}. The ${hasNoHeaders ? 'columns' : 'headers'}: ${listFilledColumns(headers, rows)}.${hasNoHeaders ? describeFirstRows(rows) : ''}`,
    `Name it with ${flags}${hasNoHeaders ? `, for example --${what}-column "column 1"` : ''}.${isEncodingGuessed ? ` ${garbled}` : ''}`,
  );
}

/** Lists the headers, and the positions of filled columns without a header. */
function listFilledColumns(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const isListed = (position: number) =>
    headers[position]?.trim() !== '' || rows.some((cells) => (cells[position] ?? '').trim() !== '');
  return nameColumns(headers)
    .filter((_, position) => isListed(position))
    .join(', ');
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
