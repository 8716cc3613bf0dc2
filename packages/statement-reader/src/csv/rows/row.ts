import type { RowContentOfFile, StatementRow, StatementTransaction } from '../../statement.js';
import { cutText, descriptionCharactersMax, merchantCharactersMax } from '../../texts.js';
import { type DecimalSeparator, isEmptyAmount, type ParsedAmount, parseAmount } from '../../values/amounts.js';
import { compileDateFormat, type DateReader } from '../../values/dates.js';
import { type ColumnPositions, type CsvColumnName, requirePositions } from '../columns/columns.js';
import type { HeaderCurrency } from '../columns/header-currency.js';
import {
  cellsDiffer,
  describeRepeated,
  findRepeatedColumns,
  type RepeatedColumn,
} from '../columns/repeated-headers.js';
import type { CsvPlan } from '../plan.js';
import { readDirectionCode } from '../signs/direction-codes.js';
import { type AmountPlace, decideDirection, isWithoutSigns } from '../signs/signs.js';
import type { BalanceLine } from './balance-lines.js';
import {
  cellOf,
  findOwnExport,
  looksLikeTransaction,
  nameOf,
  type OwnExport,
  plainCell,
  type RowCells,
} from './cells.js';
import { readFeeRow } from './fee-row.js';
import { type AmountColumnName, findHeaderCurrencies, type HeaderCurrencies, readRowCurrency } from './row-currency.js';
import { type FoundBalance, findBalance } from './row-kind.js';
import { fitsHeaders } from './row-width.js';
import { isPendingStatus, readStatus } from './status.js';

/** A row, with what its cells say beside the transaction. */
export interface CsvRow {
  readonly row: StatementRow;
  readonly cells: readonly string[];
  /** The balance after the row, negative below zero; undefined if the file says none. */
  readonly balance: string | undefined;
  /** Why only the balance can show the direction of this transaction; undefined if the row shows it. */
  readonly undecided: string | undefined;
  /** The fee of the row as a row of its own; undefined if there is none. */
  readonly fee: StatementRow | undefined;
  /** The balance that the row names, if it is hardly a payment; undefined for a transaction. */
  readonly balanceLine: BalanceLine | undefined;
}

/**
 * Returns the reader of the rows of one file: cells in; a transaction, a skipped row or a failure out. It is pure, so
 * that a row reads the same in a dry run, a first import and a repeated one.
 */
export function csvRowReader(plan: CsvPlan): (line: number, cells: readonly string[]) => CsvRow {
  const { headers } = plan.dialect;
  const { roles, identity, balancePosition } = plan.columns;
  const positions = requirePositions(roles, headers);
  const readDate = compileDateFormat(plan.formats.dateFormat);
  if (readDate === undefined) throw new RangeError(`Not a date format: ${plan.formats.dateFormat}`);
  const identityPositions = requirePositions(identity, headers);
  const own = findOwnExport(headers);
  const repeated = findRepeatedColumns(roles, headers);
  const headerCurrencies = findHeaderCurrencies(headers, positions);
  const file = {
    headers,
    plan,
    positions,
    headerCurrencies,
    repeated,
    identityPositions,
    readDate,
    own,
    isOwn: own !== undefined,
  };
  return (line, cells) => ({
    undecided: undefined,
    fee: undefined,
    balanceLine: undefined,
    ...readRow({ ...file, line, cells }),
    cells,
    balance: balancePosition === undefined ? undefined : readBalance(cells[balancePosition] ?? '', plan),
  });
}

function readBalance(cell: string, { formats }: CsvPlan): string | undefined {
  const parsed = parseAmount(plainCell(cell), formats.decimalSeparator);
  if (parsed === undefined) return undefined;
  return parsed.sign === 'minus' ? `-${parsed.amountDecimal}` : parsed.amountDecimal;
}

interface RowContext extends RowCells {
  readonly headers: readonly string[];
  readonly plan: CsvPlan;
  readonly headerCurrencies: HeaderCurrencies;
  readonly repeated: readonly RepeatedColumn[];
  readonly identityPositions: ColumnPositions;
  readonly readDate: DateReader;
  /** Undefined for a file that Centavo did not write. */
  readonly own: OwnExport | undefined;
  readonly line: number;
}

function readRow(row: RowContext): Pick<CsvRow, 'row'> & Partial<CsvRow> {
  const { line, cells, plan } = row;
  const { headers } = plan.dialect;
  const { dateFormat, decimalSeparator } = plan.formats;
  const failure = (reason: string) => ({ row: { line, outcome: 'failure', reason } as const });
  const skipped = (reason: string) => ({ row: { line, outcome: 'skipped', reason } as const });
  if (!fitsHeaders(cells, row)) return failure(`it has ${cells.length} cells where the headers are ${headers.length}`);

  const swallowed = findSwallowedRow(cells, plan.dialect);
  if (swallowed !== undefined) return failure(`a quote may be missing, because a cell holds the row "${swallowed}"`);
  const long = findLongCell(row);
  if (long !== undefined) return failure(long);
  const differing = row.repeated.find((column) => cellsDiffer(cells, column));
  if (differing !== undefined) return failure(`its ${describeRepeated(differing)}, and differ`);

  const dateText = cellOf(row, 'date') ?? '';
  const skipReason = findSkipReason(row, dateText);
  if (skipReason !== undefined) return skipped(skipReason);
  if (dateText === '') return failure('it has no date');
  const balance = findBalance(cells, row.positions);
  if (balance !== undefined) {
    const failed = failure(`"${balance.text}" looks like a ${balance.kind} and not like a transaction`);
    return { ...failed, balanceLine: readBalanceLine(row, balance) };
  }
  const occurredOn = row.readDate(dateText);
  if (occurredOn === undefined) return failure(`"${dateText}" is not a date written as ${dateFormat}`);

  const amount = readAmount(row);
  if ('skipReason' in amount) return skipped(amount.skipReason);
  if ('reason' in amount) return failure(amount.reason);
  if (amount.amountDecimal === '0' && row.positions.fee === undefined) return skipped('its amount is zero');
  const currency = readRowCurrency({
    column: cellOf(row, 'currency'),
    amount,
    header: row.headerCurrencies[amount.column] ?? findPreambleCurrency(row, amount),
  });
  if ('reason' in currency) return failure(currency.reason);
  const merchantName = nameOf(row, 'merchant');
  const transaction: StatementTransaction = {
    direction: amount.direction,
    amountDecimal: amount.amountDecimal,
    ...currency,
    occurredOn,
    description: cutText(cellOf(row, 'description') ?? '', descriptionCharactersMax) || null,
    merchantName: merchantName === null ? null : cutText(merchantName, merchantCharactersMax),
    categoryName: nameOf(row, 'category'),
    accountName: nameOf(row, 'account'),
    statementId: null,
    ...row.own?.readOrigin(cells),
    identity: readIdentity(
      { ...row, positions: row.identityPositions },
      { ...row, occurredOn, amountDecimal: amount.amountDecimal, decimalSeparator },
    ),
  };
  const fee = readFeeRow(row, { line, transaction, formats: plan.formats });
  if (amount.amountDecimal === '0') return { ...skipped('its amount is zero'), fee };
  return { row: { line, outcome: 'transaction', transaction }, undecided: amount.undecided, fee };
}

/** Returns the balance that a row names; undefined if the row may be a payment. It may lack a code. */
function readBalanceLine(row: RowContext, { text, isPlain }: FoundBalance): BalanceLine | undefined {
  if (!isPlain || row.isOwn) return undefined;
  const { direction: _, ...positions } = row.positions;
  const amount = readAmount(cellOf(row, 'direction') === undefined ? { ...row, positions } : row);
  if (!('amountDecimal' in amount)) return undefined;
  const { amountDecimal, direction } = amount;
  return { text, amount: amountDecimal, isExpense: direction === 'expense' && amountDecimal !== '0' };
}

/** The currency above the table counts for rows that name none. */
function findPreambleCurrency(
  row: RowContext,
  { currencyCode }: Pick<ParsedAmount, 'currencyCode'>,
): HeaderCurrency | undefined {
  return cellOf(row, 'currency') === undefined && currencyCode === undefined
    ? row.plan.dialect.preambleCurrency
    : undefined;
}

/** Returns a line inside a cell that has a date and an amount as rows do: a quote that does not close holds such lines. */
function findSwallowedRow(cells: readonly string[], { delimiter }: CsvPlan['dialect']): string | undefined {
  const lines = cells.flatMap((cell) => (cell.includes('\n') ? cell.split('\n').slice(1) : []));
  return lines.map((line) => line.trim()).find((line) => looksLikeTransaction(line.split(delimiter)));
}

/** Refuses cells that are too long. A name must not be cut, because it would become another name. */
function findLongCell({ cells, plan, positions }: RowContext): string | undefined {
  for (const [name, header] of Object.entries(plan.columns.roles) as [CsvColumnName, string][]) {
    const { length } = cells[positions[name] ?? -1] ?? '';
    const isCut = name === 'description' || name === 'merchant';
    if (!isCut && length > cellCharactersMax) return `its column "${header}" holds ${length} characters`;
  }
  return undefined;
}

/** Longer than any date, amount, code or name; the limits of the API end at 100. */
const cellCharactersMax = 1000;

/** Returns why a row is skipped: the bank may still change it, or it moves nothing. Undefined for a final row. */
function findSkipReason(row: RowContext, dateText: string): string | undefined {
  const { finalLines, reversals } = row.plan.pending;
  const takenBack = reversals.get(row.line);
  if (takenBack !== undefined) return `it takes back line ${takenBack}, which is left out`;
  if (finalLines.has(row.line)) return undefined;
  const status = cellOf(row, 'status') ?? '';
  const kind = isPendingStatus(dateText) ? 'pending' : readStatus(status, row.plan.formats.finalStatuses);
  if (kind === 'pending') return 'it is pending';
  if (kind === 'discarded') return `it did not happen ("${status}")`;
  return kind === 'reversed' ? `it was taken back ("${status}")` : undefined;
}

type ReadAmount =
  | (Pick<StatementTransaction, 'direction'> &
      Pick<ParsedAmount, 'amountDecimal' | 'currencyCode' | 'currencySign'> & {
        readonly column: AmountColumnName;
        readonly undecided?: string;
      })
  | { readonly skipReason: string }
  | { readonly reason: string };

function readAmount(row: RowContext): ReadAmount {
  const { formats, columns } = row.plan;
  const found = findAmount(row);
  if (!('place' in found)) return found;
  const parsed = parseAmount(found.text, formats.decimalSeparator);
  if (parsed === undefined) return { reason: `"${found.text}" is not an amount` };
  const column: AmountColumnName = found.place === 'debit' || found.place === 'credit' ? found.place : 'amount';
  // The direction of nothing is never used.
  if (parsed.amountDecimal === '0') return { ...parsed, direction: 'expense', column };
  const direction = decideDirection(found.place, parsed.sign, formats);
  if (direction === undefined) {
    const reason = `the sign of "${found.text}" contradicts "${cellOf(row, 'direction') ?? ''}"`;
    return formats.balanceOrder === undefined
      ? { reason }
      : { ...parsed, direction: 'expense', column, undecided: reason };
  }
  const read = { ...parsed, direction, column };
  if (formats.balanceOrder === undefined || !isWithoutSigns(columns.roles, formats)) return read;
  return { ...read, undecided: 'nothing in the row shows whether it is an expense or an income' };
}

type FoundAmount = { place: AmountPlace; text: string } | { skipReason: string } | { reason: string };

function findAmount(row: RowContext): FoundAmount {
  if (row.positions.amount === undefined) return findInTwoColumns(row);
  const text = amountCellOf(row, 'amount');
  if (text === undefined) return { reason: 'it has no amount' };
  if (row.positions.direction === undefined) return { place: 'amount', text };
  const code = cellOf(row, 'direction') ?? '';
  const direction = readDirectionCode(code, row.plan.formats.directionCodes);
  if (direction === undefined) {
    return { reason: `"${code}" says neither expense nor income (--expense-word, --income-word)` };
  }
  return { place: direction === 'expense' ? 'expense-code' : 'income-code', text };
}

/** Returns the text of a column of amounts; undefined if it is empty, a dash or a currency alone. */
function amountCellOf(row: RowContext, name: AmountColumnName): string | undefined {
  const text = cellOf(row, name);
  return text === undefined || isEmptyAmount(text) ? undefined : text;
}

/** Banks fill the other column with nothing or with a zero. */
function findInTwoColumns(row: RowContext): FoundAmount {
  const isFilled = (text: string | undefined): text is string =>
    text !== undefined && parseAmount(text, row.plan.formats.decimalSeparator)?.amountDecimal !== '0';
  const { positions, plan } = row;
  const [debit, credit] = [amountCellOf(row, 'debit'), amountCellOf(row, 'credit')];
  if (isFilled(debit) && isFilled(credit)) return { reason: 'it has both a debit and a credit' };
  if (isFilled(debit)) return { place: 'debit', text: debit };
  if (isFilled(credit)) return { place: 'credit', text: credit };
  if (debit !== undefined || credit !== undefined) return { place: 'debit', text: debit ?? credit ?? '' };
  // The user named one of the two columns only, so an empty cell means that no money moved on that side.
  const only = positions.debit === undefined ? 'credit' : positions.credit === undefined ? 'debit' : undefined;
  if (only !== undefined) return { skipReason: `its column "${plan.columns.roles[only] ?? ''}" is empty` };
  return { reason: 'it has neither a debit nor a credit' };
}

/**
 * Reads the content that identifies a row: the texts of the columns that identify it, and the amount with its sign as
 * the file writes it. The direction is not used, because options can change it.
 *
 * @param row.positions those of the identity columns
 * @param asRead the current reading; day and amount come from it if the identity columns have none
 */
export function readIdentity(
  row: RowCells,
  asRead: { readonly occurredOn: string; readonly amountDecimal: string } & {
    readonly readDate: DateReader;
    readonly decimalSeparator: DecimalSeparator;
  },
): RowContentOfFile {
  return {
    occurredOn: asRead.readDate(cellOf(row, 'date') ?? '') ?? asRead.occurredOn,
    signedAmount: readSignedAmount(row, asRead.decimalSeparator) ?? asRead.amountDecimal,
    description: cellOf(row, 'description') ?? null,
    merchantName: nameOf(row, 'merchant'),
    categoryName: nameOf(row, 'category'),
  };
}

/**
 * Returns `"-12.5"`; beside a code `"debit 12.5"`; in one of two columns `"debit 12.5"`, and for a reversal `"debit
 * -12.5"`.
 */
function readSignedAmount(row: RowCells, decimalSeparator: DecimalSeparator): string | undefined {
  const read = (name: 'amount' | 'debit' | 'credit') => {
    const parsed = parseAmount(cellOf(row, name) ?? '', decimalSeparator);
    if (parsed === undefined || parsed.amountDecimal === '0') return undefined;
    return parsed.sign === 'minus' ? `-${parsed.amountDecimal}` : parsed.amountDecimal;
  };
  if (row.positions.amount === undefined) {
    const [debit, credit] = [read('debit'), read('credit')];
    if (debit !== undefined) return `debit ${debit}`;
    return credit === undefined ? undefined : `credit ${credit}`;
  }
  const amount = read('amount');
  const code = cellOf(row, 'direction')?.toLowerCase();
  return amount === undefined || code === undefined ? amount : `${code} ${amount}`;
}
