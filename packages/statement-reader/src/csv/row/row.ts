import type { RowContentOfFile, StatementDirection, StatementRow, StatementTransaction } from '../../statement.js';
import { cutText, merchantCharactersMax } from '../../texts.js';
import { type DecimalSeparator, findAmountSign, parseAmount } from '../../values/amounts.js';
import { compileDateFormat, type DateReader, explainAmbiguousMonth } from '../../values/dates.js';
import { isProbablyReceived } from '../../values/received-payments.js';
import { findFeeCurrency } from '../columns/fee-currency.js';
import { BalanceSearch, type FoundBalance } from '../plan/balance-search.js';
import type { CsvPlan } from '../plan/plan.js';
import {
  cellOf,
  cellsDiffer,
  describeRepeated,
  findCentavoExport,
  findMemoPositions,
  findPendingFlag,
  findRepeatedColumns,
  isFlagSet,
  isMemo,
  isPendingStatus,
  nameOf,
  plainCell,
  type RowCells,
  readStatus,
} from '../table/cells.js';
import { type CsvColumnName, findHeaderCurrency, nameColumns, requirePositions } from '../table/columns.js';
import { findByHeader } from '../table/detect-columns-by-header.js';
import { hasRefundWord, namesRefund } from '../words/refunds.js';
import { findLongCell, findSwallowedRow } from './cell-checks.js';
import { readCodeOfBalance } from './codes-of-balance.js';
import { findContinuations, readDescription } from './description.js';
import { readFeeRow } from './fee.js';
import { explainMoneyOut } from './money-out-without-minus.js';
import {
  type FileContext,
  findBalanceCurrency,
  findCodePosition,
  findCurrencyCell,
  findHeaderCurrencies,
  findPreambleCurrency,
  type RowContext,
  readAmount,
  readAmountOrFee,
  readRowCurrency,
  readSignedAmount,
} from './row-amount.js';
import { explainBlankCurrency } from './row-currencies.js';
import { readRowId } from './row-ids.js';
import { describeWidth, findSplitText, fitsHeaders } from './row-width.js';
import { explainUndirectedAmount } from './undirected-amounts.js';

/** A row, with further data from its cells. */
export interface CsvRow {
  readonly row: StatementRow;
  readonly cells: readonly string[];
  /** The merchant if the row is an expense, and the merchant if it is an income; undefined if the row is not a transaction. */
  readonly merchants: Readonly<Record<StatementDirection, string | null>> | undefined;
  /** The balance after the row, with a minus if it is below zero; undefined if there is no balance column, or its cell has no amount. */
  readonly balance: string | undefined;
  /** The reason why only the balance can show the direction of this transaction; undefined if the row itself shows it. */
  readonly undecided: string | undefined;
  /** The fee of the row as a separate row; undefined if there is none. */
  readonly fee: StatementRow | undefined;
  /** Whether the row has neither an amount nor a balance, although the file has a balance column. */
  readonly isEmpty: boolean;
  /** The balance that the row names; undefined if the row names none, or if the amount of the row cannot be read. */
  readonly balanceLine: BalanceLine | undefined;
  /** The total that the row names; undefined if the row names none, or if the amount of the row cannot be read. */
  readonly totalLine: BalanceLine | undefined;
}

/** A row that names a balance or a total. */
export interface BalanceLine extends Pick<FoundBalance, 'text' | 'isPlain'> {
  /** The amount of the row, read as if the row were a transaction; negative for an expense. */
  readonly amount: string;
}

/**
 * Returns a function that turns the cells of a row into a transaction, a skipped row or a failure. The function is
 * pure, so that a dry run, a first import and a repeated import read each row in the same way.
 */
export function csvRowReader(plan: CsvPlan): (line: number, cells: readonly string[]) => CsvRow {
  const { headers } = plan.dialect;
  const { roles, identity, balancePosition } = plan.columns;
  const positions = requirePositions(roles, headers);
  const readDate = compileDateFormat(plan.formats.dateFormat);
  if (readDate === undefined) throw new RangeError(`Not a date format: ${plan.formats.dateFormat}`);
  const identityPositions = requirePositions(identity, headers);
  const centavoExport = findCentavoExport(headers);
  const file: FileContext = {
    plan,
    columns: (Object.entries(roles) as [CsvColumnName, string][]).map(([name, header]) => ({
      name,
      header,
      position: positions[name] ?? -1,
    })),
    headerCurrencies: findHeaderCurrencies(headers, positions),
    balanceCurrency: findHeaderCurrency(headers[balancePosition ?? -1] ?? ''),
    repeated: findRepeatedColumns(roles, headers),
    continuations: findContinuations({ headers, positions, splitTexts: plan.columns.splitTexts }),
    identityPositions,
    balances: new BalanceSearch(positions),
    further: {
      pendingFlag: findPendingFlag(headers),
      memo: findMemoPositions(headers),
      code: findCodePosition(headers, positions),
      unusedAmount: positions.amount === undefined ? findNamedAmount(headers) : -1,
      id: plan.columns.hasRepeatedIds ? -1 : (positions.id ?? -1),
      feeCurrency: findFeeCurrency(headers, positions),
    },
    readDate,
    centavoExport,
  };
  const isCentavoExport = centavoExport !== undefined;
  return (line, cells) => {
    const {
      row,
      merchants,
      undecided,
      fee,
      isEmpty = false,
      balanceLine,
      totalLine,
    } = readRow({ line, cells, positions, isCentavoExport, file });
    const balance =
      balancePosition === undefined ? undefined : readBalance(cells[balancePosition] ?? '', { cells, plan });
    return { row, cells, merchants, balance, undecided, fee, isEmpty, balanceLine, totalLine };
  };
}

/** Returns the position of the column whose header names the amount; -1 if there is none. */
function findNamedAmount(headers: readonly string[]): number {
  const { amount } = findByHeader(headers, new Set());
  return amount === undefined ? -1 : nameColumns(headers).indexOf(amount);
}

function readBalance(
  cell: string,
  { cells, plan: { formats, columns } }: { readonly cells: readonly string[]; readonly plan: CsvPlan },
): string | undefined {
  const parsed = parseAmount(plainCell(cell), formats.decimalSeparator);
  if (parsed === undefined) return undefined;
  const isOverdrawn = readCodeOfBalance(cells[columns.balanceCodePosition ?? -1] ?? '') === 'expense';
  const isBelowZero = parsed.amountDecimal !== '0' && (parsed.sign === 'minus' || isOverdrawn);
  return isBelowZero ? `-${parsed.amountDecimal}` : parsed.amountDecimal;
}

function readRow(row: RowContext): Pick<CsvRow, 'row'> & Partial<CsvRow> {
  const { line, cells, file } = row;
  const { plan } = file;
  const { headers } = plan.dialect;
  const { dateFormat, decimalSeparator } = plan.formats;
  const failure = (reason: string) => ({ row: { line, outcome: 'failure', reason } as const });
  const skipped = (reason: string) => ({ row: { line, outcome: 'skipped', reason } as const });
  const { specialRows } = plan;
  const { balanceLines, splitRows } = specialRows;
  const number = specialRows.accountBalanceRows.get(line);
  if (number !== undefined) return readNumberedBalance(row, number);
  if (!fitsHeaders(cells, { headers, positions: row.positions }))
    return failure(describeWidth(cells.length, headers.length));

  const split = findSplitText(cells, row.positions);
  if (split !== undefined) return failure(split);
  const swallowed = findSwallowedRow(cells, plan.dialect);
  if (swallowed !== undefined) return failure(`a quote may be missing, because a cell contains the row "${swallowed}"`);
  const long = findLongCell(row);
  if (long !== undefined) return failure(long);
  const differing = file.repeated.find((column) => cellsDiffer(cells, column));
  if (differing !== undefined) return failure(`its ${describeRepeated(differing)}, but have different values`);

  const dateText = cellOf(row, 'date') ?? '';
  const skipReason = findSkipReason(row, dateText);
  if (skipReason !== undefined) return skipped(skipReason);
  const pendingLine = specialRows.pending.unclearReversals.get(line);
  if (pendingLine !== undefined)
    return failure(
      `it may reverse line ${pendingLine}, which is pending: record it manually if it changed the balance of the account`,
    );
  if (dateText === '') return failure('it has no date');
  const leftOut = balanceLines.leftOut.get(line) ?? splitRows.leftOut.get(line);
  if (leftOut !== undefined) return skipped(leftOut);
  const unclearSplit = splitRows.inDoubt.get(line);
  if (unclearSplit !== undefined) return failure(unclearSplit);
  const balance = file.balances.find(cells, row);
  const named = balance ?? balanceLines.inDoubt.get(line);
  if (named !== undefined) {
    const failed = failure(`"${named.text}" looks like a ${named.kind} and not like a transaction`);
    if (balance === undefined) return failed;
    return { ...failed, [`${balance.kind}Line`]: readBalanceLine(row, balance) };
  }
  const occurredOn = file.readDate(dateText);
  if (occurredOn === undefined) {
    const ambiguity = explainAmbiguousMonth(dateText);
    const remedy = 'replace it by a number in the file';
    return failure(
      ambiguity === undefined ? `"${dateText}" is not a date written as ${dateFormat}` : `${ambiguity}: ${remedy}`,
    );
  }

  const amount = readAmountOrFee(row);
  if ('skipReason' in amount) return skipped(amount.skipReason);
  if ('reason' in amount) {
    const isEmpty = amount.isEmpty === true && cells[plan.columns.balancePosition ?? -1]?.trim() === '';
    if (isEmpty && specialRows.leavesOutEmptyRows)
      return skipped('it has no amount, and the balances agree with the amounts of the other rows');
    return { ...failure(amount.reason), isEmpty };
  }
  if (amount.amountDecimal === '0' && row.positions.fee === undefined) return skipped('its amount is zero');
  const cell = findCurrencyCell(row, amount.column);
  const header =
    file.headerCurrencies[amount.column] ??
    findPreambleCurrency(row, amount) ??
    findBalanceCurrency(row, { ...cell, amount });
  const { rowCurrencies } = plan.columns;
  const isBlank = [cell.column, amount.currencyCode, amount.currencySymbol, header].every(
    (named) => named === undefined,
  );
  if (isBlank && rowCurrencies !== undefined && plan.columns.roles.currency !== undefined)
    return failure(explainBlankCurrency(plan.columns.roles.currency, rowCurrencies));
  const currency = readRowCurrency({ ...cell, amount, header });
  if ('reason' in currency) return failure(currency.reason);
  const merchants = {
    expense: readMerchant(row, 'merchant'),
    income: readMerchant(row, row.positions.payer === undefined ? 'merchant' : 'payer'),
  };
  const externalId = readRowId(cells[file.further.id]);
  const transaction: StatementTransaction = {
    direction: amount.direction,
    amountDecimal: amount.amountDecimal,
    ...currency,
    occurredOn,
    description: readDescription(row, file.continuations),
    merchantName: merchants[amount.direction],
    categoryName: nameOf(row, 'category'),
    accountName: nameOf(row, 'account'),
    statementId: null,
    ...(externalId !== null && { externalId }),
    ...file.centavoExport?.readOrigin(cells),
    identity: readIdentity(
      { cells, positions: file.identityPositions, isCentavoExport: row.isCentavoExport },
      { occurredOn, amountDecimal: amount.amountDecimal, readDate: file.readDate, decimalSeparator },
    ),
  };
  const mayBeIncome = amount.column === 'amount' && amount.direction === 'expense' && amount.amountDecimal !== '0';
  const contradiction = mayBeIncome ? findIncomeText(row) : undefined;
  if (contradiction !== undefined) return failure(contradiction);
  const isSigned = amount.column === 'amount' && amount.amountDecimal !== '0';
  const openSign = isSigned ? (explainMoneyOut(row) ?? explainUndirectedAmount(row)) : undefined;
  if (openSign !== undefined) return failure(openSign);
  if (plan.signs.hasUnclearCredits && amount.direction === 'income' && amount.column !== 'debit') {
    return failure(
      'its amount has a minus, and no balance shows that it is an income: use --minus income if it is, or record it manually',
    );
  }
  if (line === specialRows.lineWithoutText) {
    return failure(
      'it has no text, unlike all rows above it, and may be a balance: record it manually if it is a payment',
    );
  }
  if (line === specialRows.lineOfSum) {
    return failure(
      'its amount is the sum of all rows above it, and it may be a total: record it manually if it is a payment',
    );
  }
  const fee = readFeeRow(row, transaction);
  if (amount.amountDecimal === '0') return { ...skipped('its amount is zero'), fee };
  return { row: { line, outcome: 'transaction', transaction }, merchants, undecided: amount.undecided, fee };
}

function readMerchant(row: RowContext, name: 'merchant' | 'payer'): string | null {
  const text = nameOf(row, name);
  return text === null ? null : cutText(text, merchantCharactersMax);
}

/**
 * Returns the reason why an expense fails: a text of the row names an income, and only an option or a saved mapping makes the row an
 * expense. `--all-expenses` does this for amounts without a minus, and `--all-incomes` for amounts with a minus. With `--all-incomes`, a
 * text that names a refund does not count, because the minus may mean that the user paid the refund back. Returns undefined if no text
 * names an income, or if the balances or a direction column show the direction.
 */
function findIncomeText({ cells, positions, file: { plan } }: RowContext): string | undefined {
  const { allExpenses, allIncomes, balanceOrder } = plan.signs;
  if (!(allExpenses || allIncomes) || balanceOrder !== undefined || positions.direction !== undefined) return undefined;
  const { description, merchant, category, date, amount, currency, account } = positions;
  const refund = cells.find((cell, position) => {
    if (!allExpenses || [date, amount, currency, account].includes(position)) return false;
    const isText = [description, merchant, category].includes(position);
    return isText ? namesRefund(plainCell(cell)) : hasRefundWord(cell);
  });
  const texts = [description, merchant].map((position) => plainCell(cells[position ?? -1] ?? ''));
  const payment = texts.find(isProbablyReceived);
  const found = refund ?? payment;
  if (found === undefined) return undefined;
  const named = `"${found}" names ${refund === undefined ? 'a received payment' : 'a refund or a credit'}`;
  return allExpenses
    ? `${named}, but --all-expenses makes it an expense: put a minus before its amount if it is an income, or record it manually`
    : `${named}, but with --all-incomes a minus makes it an expense: remove the minus if it is an income, or record it manually`;
}

/**
 * Returns the balance or total that a row names; undefined if the amount of the row cannot be read, or if Centavo wrote the file.
 * If the debit/credit code of the row is missing, the sign of the amount shows the direction.
 */
function readBalanceLine(row: RowContext, { text, isPlain }: Omit<FoundBalance, 'kind'>): BalanceLine | undefined {
  if (row.isCentavoExport) return undefined;
  const { direction, ...positions } = row.positions;
  const lacksCode = direction !== undefined && cellOf(row, 'direction') === undefined;
  const read = readAmount(lacksCode ? { ...row, positions } : row);
  if (!('amountDecimal' in read)) return undefined;
  const isExpense = lacksCode
    ? findAmountSign(cellOf(row, read.column) ?? '') === 'minus'
    : read.direction === 'expense' && read.amountDecimal !== '0';
  return { text, isPlain, amount: isExpense ? `-${read.amountDecimal}` : read.amountDecimal };
}

/** Returns a row that is probably a balance (see `AccountBalanceRows`). Skips the row if other rows prove that it is one. */
function readNumberedBalance(row: RowContext, number: string): Pick<CsvRow, 'row'> & Partial<CsvRow> {
  const { line } = row;
  const reason = row.file.plan.specialRows.balanceLines.leftOut.get(line);
  if (reason !== undefined) return { row: { line, outcome: 'skipped', reason } };
  const question = `it has only a date, an amount and the number "${number}", unlike all other rows, and may be a balance`;
  return {
    row: { line, outcome: 'failure', reason: `${question}: record it manually if it is a payment` },
    balanceLine: readBalanceLine(row, { text: number, isPlain: false }),
  };
}

/**
 * Returns the reason why a row is skipped: it is pending, did not happen, was reversed, reverses a skipped row, or has
 * a status that the user declared not final. Returns undefined for all other rows. These include rows with an unknown
 * status, and rows that are recorded in spite of their status (`findPendingRows`).
 */
function findSkipReason(row: RowContext, dateText: string): string | undefined {
  const { finalLines, reversals } = row.file.plan.specialRows.pending;
  const takenBack = reversals.get(row.line);
  if (takenBack !== undefined) return `it reverses line ${takenBack}, which is skipped`;
  if (finalLines.has(row.line)) return undefined;
  const status = cellOf(row, 'status') ?? '';
  const isPending = isPendingStatus(dateText) || isFlagSet(row.cells[row.file.further.pendingFlag]);
  const kind = isPending ? 'pending' : readStatus(status, row.file.plan.formats.declaredStatuses);
  if (kind === 'skipped') return `its status is "${status}"`;
  if (kind === 'pending') return 'it is pending';
  if (isMemo(row.cells, row.file.further.memo)) {
    const kind = row.cells[row.file.further.memo.kind]?.trim() ?? '';
    return kind === '' ? 'it does not change the balance' : `it does not change the balance ("${kind}")`;
  }
  if (kind === 'discarded') return `it did not happen ("${status}")`;
  return kind === 'reversed' ? `it was reversed ("${status}")` : undefined;
}

/**
 * Returns the content that identifies a row: the day and the texts of the identity columns, and the amount with its sign as the file
 * writes it. The identity columns are those that were used when a file with these headers was first imported. The content does not say
 * whether the row is an expense or an income, because options can change this.
 *
 * @param row.positions the positions of the identity columns
 * @param asRead the day and the amount as this import reads them, which are used if the identity columns have none. It also has the
 *   formats of the identity columns.
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
