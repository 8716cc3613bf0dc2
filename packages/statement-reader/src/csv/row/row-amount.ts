import type { StatementTransaction } from '../../statement.js';
import { type DecimalSeparator, isEmptyAmount, type ParsedAmount, parseAmount } from '../../values/amounts.js';
import { currenciesOfName } from '../../values/currency-names.js';
import { canSymbolMean, currenciesOfText } from '../../values/currency-symbols.js';
import type { DateReader } from '../../values/dates.js';
import type { BalanceSearch } from '../plan/balance-search.js';
import type { CsvPlan } from '../plan/plan.js';
import { readDirectionCode } from '../signs/direction-codes.js';
import { type AmountPlace, decideDirection, isWithoutSigns } from '../signs/sign-convention.js';
import {
  type CentavoExport,
  cellOf,
  isCurrencyCode,
  type MemoPositions,
  plainCell,
  type RepeatedColumn,
  type RowCells,
} from '../table/cells.js';
import { type ColumnPositions, type CsvColumnName, findHeaderCurrency, type HeaderCurrency } from '../table/columns.js';

/** Facts about a file that are the same for all its rows. */
export interface FileContext {
  readonly plan: CsvPlan;
  /** The columns that the import uses. */
  readonly columns: readonly { readonly name: CsvColumnName; readonly header: string; readonly position: number }[];
  readonly headerCurrencies: HeaderCurrencies;
  /** The currency in the header of the balance column; undefined if there is none. */
  readonly balanceCurrency: HeaderCurrency | undefined;
  readonly repeated: readonly RepeatedColumn[];
  /** The positions of the columns with further text of the description (`findContinuations`). */
  readonly continuations: readonly number[];
  readonly identityPositions: ColumnPositions;
  readonly balances: BalanceSearch;
  readonly further: FurtherPositions;
  readonly readDate: DateReader;
  /** Reads the data that only exports of Centavo contain; undefined for other files. */
  readonly centavoExport: CentavoExport | undefined;
}

/** The positions of columns that have no role, or that are not always used; -1 if there is none. */
export interface FurtherPositions {
  /** The column whose flags say which rows are pending. */
  readonly pendingFlag: number;
  /** The columns that show that a row does not change the balance. */
  readonly memo: MemoPositions;
  /** The column with debit/credit codes to the right of the amounts. */
  readonly code: number;
  /** A column such as `Amount` that is not used, because the file has debit and credit columns. */
  readonly unusedAmount: number;
  /** The column with the bank's ids of the rows; -1 also if several rows have the same id. */
  readonly id: number;
  /** The column with the currency of the fee; -1 also if the fee is not used. */
  readonly feeCurrency: number;
}

/** A row, and its file. */
export interface RowContext extends RowCells {
  readonly line: number;
  readonly file: FileContext;
}

/**
 * Returns the currency that a line above the table names; undefined if there is none, or if the row has a text in its currency column
 * or a currency code in its amount.
 */
export function findPreambleCurrency(
  row: RowContext,
  { currencyCode }: Pick<ParsedAmount, 'currencyCode'>,
): HeaderCurrency | undefined {
  return cellOf(row, 'currency') === undefined && currencyCode === undefined
    ? row.file.plan.dialect.preambleCurrency
    : undefined;
}

/**
 * Returns the currency in the header of the balance column. The amounts have this currency too, because the balance is their sum. Returns
 * undefined if the header names no currency, if the row has a text in its currency column, or if the amount contains a currency code or a
 * symbol that cannot mean the currency in the header.
 */
export function findBalanceCurrency(
  { file: { balanceCurrency } }: Pick<RowContext, 'file'>,
  {
    column,
    amount: { currencyCode, currencySymbol },
  }: Pick<Parameters<typeof readRowCurrency>[0], 'column' | 'amount'>,
): HeaderCurrency | undefined {
  if (balanceCurrency === undefined || column !== undefined || currencyCode !== undefined) return undefined;
  const { code, sign } = balanceCurrency;
  const fits =
    currencySymbol === undefined ||
    (code === undefined ? shareCurrency(currencySymbol, sign) : canSymbolMean(currencySymbol, code));
  return fits ? balanceCurrency : undefined;
}

type ReadAmount =
  | (Pick<StatementTransaction, 'direction'> &
      Pick<ParsedAmount, 'amountDecimal' | 'currencyCode' | 'currencySymbol'> & {
        readonly column: AmountColumnName;
        readonly undecided?: string;
      })
  | { readonly skipReason: string }
  | { readonly reason: string; readonly isEmpty?: boolean };

export function readAmount(row: RowContext): ReadAmount {
  const { formats, signs, columns } = row.file.plan;
  const found = findAmount(row);
  if (!('place' in found)) return found;
  const parsed = parseAmount(found.text, formats.decimalSeparator);
  if (parsed === undefined) return { reason: `"${found.text}" is not an amount` };
  const column: AmountColumnName = found.place === 'debit' || found.place === 'credit' ? found.place : 'amount';
  const { amountDecimal, currencyCode, currencySymbol } = parsed;
  // A zero amount has no direction, so `expense` is only a placeholder.
  if (amountDecimal === '0') return { direction: 'expense', amountDecimal, currencyCode, currencySymbol, column };
  const direction = decideDirection(found.place, parsed.sign, signs);
  if (direction === undefined) {
    const reason = `the sign of "${found.text}" contradicts "${cellOf(row, 'direction') ?? ''}"`;
    return signs.balanceOrder === undefined
      ? { reason }
      : { direction: 'expense', amountDecimal, currencyCode, currencySymbol, column, undecided: reason };
  }
  const read = { direction, amountDecimal, currencyCode, currencySymbol, column };
  if (signs.balanceOrder === undefined || !isWithoutSigns(columns.roles, signs)) return read;
  return { ...read, undecided: 'nothing in the row shows whether it is an expense or an income' };
}

/** Returns the amount of a row. If the row has no amount, but a fee, the amount is zero. */
export function readAmountOrFee(row: RowContext): ReadAmount {
  const amount = readAmount(row);
  const hasOnlyFee = 'reason' in amount && amount.isEmpty === true && /[1-9]/.test(cellOf(row, 'fee') ?? '');
  if (!hasOnlyFee) return amount;
  return {
    direction: 'expense',
    amountDecimal: '0',
    currencyCode: undefined,
    currencySymbol: undefined,
    column: row.positions.amount === undefined ? 'debit' : 'amount',
  };
}

type FoundAmount =
  | { place: AmountPlace; text: string }
  | { skipReason: string }
  | { reason: string; isEmpty?: boolean };

function findAmount(row: RowContext): FoundAmount {
  if (row.positions.amount === undefined) return findInTwoColumns(row);
  const amount = amountCellOf(row, 'amount');
  if (amount === undefined) return { reason: 'it has no amount', isEmpty: true };
  const text = withCode(amount, row.cells[row.file.further.code]);
  if (row.positions.direction === undefined) return { place: 'amount', text };
  const code = cellOf(row, 'direction') ?? '';
  const direction = readDirectionCode(code, row.file.plan.signs.directionCodes);
  if (direction === undefined) {
    if (neutralCodes.has(code)) {
      const question = `"${code}" says that it is neither an expense nor an income`;
      return { reason: `${question}: record it manually if it changed the balance of the account` };
    }
    return { reason: `"${code}" is not a known word for an expense or an income (--expense-word, --income-word)` };
  }
  return { place: direction === 'expense' ? 'expense-code' : 'income-code', text };
}

/** The words of Alipay and WeChat for rows that may be money in or out, such as a refund or a transfer between the user's accounts. */
const neutralCodes: ReadonlySet<string> = new Set(['不计收支', '中性交易', '/']);

/**
 * Returns the position, from 0, of the column to the right of the amount, in which some banks write `CR`. Returns -1 if this column has a
 * header, or if the import uses it for other data.
 */
export function findCodePosition(headers: readonly string[], positions: ColumnPositions): number {
  const position = (positions.amount ?? headers.length) + 1;
  return headers[position]?.trim() === '' && !Object.values(positions).includes(position) ? position : -1;
}

/** Returns an amount with the debit/credit code of the cell next to it: `5.00` and `CR` become `5.00 CR`. */
export function withCode(amount: string, code: string | undefined): string {
  return code !== undefined && /^\s*(cr|dr)\.?\s*$/i.test(code) ? `${amount} ${code.trim()}` : amount;
}

/** Returns the text of the amount cell of a row; undefined if the cell is empty, or contains only a dash or a currency. */
function amountCellOf(row: RowContext, name: AmountColumnName): string | undefined {
  const text = cellOf(row, name);
  return text === undefined || isEmptyAmount(text) ? undefined : text;
}

/**
 * Returns the amount of the debit or credit column. If only one of the two columns is used, a row with an empty cell in this column is
 * skipped. If both columns are used, a row fails in two cases:
 *
 * - Both cells have an amount other than zero.
 * - Both cells are empty, and the row has no zero in an unused amount column.
 */
function findInTwoColumns(row: RowContext): FoundAmount {
  const isFilled = (text: string | undefined): text is string =>
    text !== undefined && parseAmount(text, row.file.plan.formats.decimalSeparator)?.amountDecimal !== '0';
  const { positions, file } = row;
  const [debit, credit] = [amountCellOf(row, 'debit'), amountCellOf(row, 'credit')];
  if (isFilled(debit) && isFilled(credit)) return { reason: 'it has both a debit and a credit' };
  if (isFilled(debit)) return { place: 'debit', text: debit };
  if (isFilled(credit)) return { place: 'credit', text: credit };
  if (debit !== undefined || credit !== undefined) return { place: 'debit', text: debit ?? credit ?? '' };
  // Only one of the two columns is used, so an empty cell means that the row has the other direction.
  const only = positions.debit === undefined ? 'credit' : positions.credit === undefined ? 'debit' : undefined;
  if (only !== undefined) return { skipReason: `its column "${file.plan.columns.roles[only] ?? ''}" is empty` };
  const unused = plainCell(row.cells[file.further.unusedAmount] ?? '');
  if (parseAmount(unused, file.plan.formats.decimalSeparator)?.amountDecimal === '0') {
    return { place: 'debit', text: unused };
  }
  return { reason: 'it has neither a debit nor a credit', isEmpty: true };
}

/**
 * Returns the amount of a row, with a minus if it has one, such as `"-12.5"`. If the row has a debit/credit code, the code precedes
 * the amount. In a file with debit and credit columns, `debit` or `credit` precedes the amount: `"debit 12.5"`, or `"debit -12.5"`
 * for a reversal. Returns undefined if the row has no amount, or the amount is zero.
 */
export function readSignedAmount(row: RowCells, decimalSeparator: DecimalSeparator): string | undefined {
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

/** The roles of columns with amounts. */
export type AmountColumnName = 'amount' | 'debit' | 'credit';

/** The currency in the header of each amount column. */
export type HeaderCurrencies = Readonly<Partial<Record<AmountColumnName, HeaderCurrency>>>;

/** Returns the currencies in the headers of the used amount columns. */
export function findHeaderCurrencies(headers: readonly string[], positions: ColumnPositions): HeaderCurrencies {
  const names = ['amount', 'debit', 'credit'] as const;
  const found = names.map((name) => [name, findHeaderCurrency(headers[positions[name] ?? -1] ?? '')] as const);
  return Object.fromEntries(found.filter(([, currency]) => currency !== undefined));
}

/** Returns the text and the header of the currency column of a row. Debits and credits may have separate currency columns. */
export function findCurrencyCell(
  row: RowContext,
  column: AmountColumnName,
): Pick<Parameters<typeof readRowCurrency>[0], 'column' | 'columnHeader'> {
  const { columns, dialect } = row.file.plan;
  const text = cellOf(row, 'currency');
  if (text !== undefined) return { column: text, columnHeader: columns.roles.currency };
  const position = (column === 'amount' ? undefined : columns.sideCurrencies[column]) ?? -1;
  return { column: plainCell(row.cells[position] ?? '') || undefined, columnHeader: dialect.headers[position]?.trim() };
}

/**
 * Returns the currency of a row, from its currency column, the text of its amount and the header of that amount.
 *
 * @param row.column the text of the currency column; undefined if it is empty
 * @param row.columnHeader the header of the currency column
 * @param row.header the currency in the header of the amount, in a line above the table, or in the header of the balance column
 * @returns the currency, or the reason why the row fails: these sources contradict each other, or the text of the currency column is not
 *   a currency
 */
export function readRowCurrency(row: {
  readonly column: string | undefined;
  readonly columnHeader: string | undefined;
  readonly amount: Pick<ParsedAmount, 'currencyCode' | 'currencySymbol'>;
  readonly header: HeaderCurrency | undefined;
}): Pick<StatementTransaction, 'currencyCode' | 'currencySymbol'> | { readonly reason: string } {
  const { column, columnHeader, amount, header } = row;
  const isCode = column === undefined || isCurrencyCode(column.toUpperCase());
  const [named, ...others] = (isCode ? undefined : currenciesOfName(column)) ?? [];
  if (named !== undefined && others.length === 0) return readRowCurrency({ ...row, column: named });
  const meant = isCode ? undefined : currenciesOfText(column);
  if (column !== undefined && meant !== undefined) {
    const { currencySymbol = column } = amount;
    if (!shareCurrency(column, currencySymbol))
      return { reason: `its amount is in ${currencySymbol}, but its currency is ${column}` };
    // Uses the text of the currency column or the symbol of the amount, whichever can mean fewer currencies. For example, if the amount
    // has `$` and the currency column contains `Pesos`, `Pesos` is used, so that the amount is not taken for US dollars.
    const isNarrower = meant.size < (currenciesOfText(currencySymbol)?.size ?? 0);
    const narrower = isNarrower ? column : currencySymbol;
    return readRowCurrency({ ...row, column: undefined, amount: { ...amount, currencySymbol: narrower } });
  }
  const currencyCode = column?.toUpperCase() ?? amount.currencyCode ?? header?.code ?? null;
  if (currencyCode !== null && !/^[A-Z]{3}$/.test(currencyCode)) {
    return {
      reason: `"${column}" in the column "${columnHeader}" is not a known currency (use --currency-column "" if all amounts are in the currency of the account)`,
    };
  }
  const differs = (code: string | undefined) => code !== undefined && code !== currencyCode;
  if (differs(amount.currencyCode)) {
    return { reason: `its amount is in ${amount.currencyCode}, but its currency is ${currencyCode}` };
  }
  if (differs(header?.code)) {
    const remedy = ` (use --currency-column "" if ${currencyCode} is the currency of the payment, and not of the amount)`;
    return {
      reason: `the header of its amount names ${header?.code}, but its currency is ${currencyCode}${column === undefined ? '' : remedy}`,
    };
  }
  const sign = amount.currencySymbol ?? header?.sign;
  if (sign !== undefined && header?.sign !== undefined && !shareCurrency(sign, header.sign)) {
    return { reason: `its amount is in ${sign}, but the header of its amount names ${header.sign}` };
  }
  if (currencyCode === null) return { currencyCode, ...(sign !== undefined && { currencySymbol: sign }) };
  if (amount.currencySymbol !== undefined && !canSymbolMean(amount.currencySymbol, currencyCode)) {
    return { reason: `its amount is in ${amount.currencySymbol}, but its currency is ${currencyCode}` };
  }
  if (header?.sign !== undefined && !canSymbolMean(header.sign, currencyCode)) {
    return { reason: `the header of its amount names ${header.sign}, but its currency is ${currencyCode}` };
  }
  return { currencyCode };
}

function shareCurrency(sign: string, other: string): boolean {
  const codes = currenciesOfText(sign);
  return codes === undefined || [...codes].some((code) => canSymbolMean(other, code));
}
