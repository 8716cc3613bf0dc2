import type { StatementSource } from '../../source.js';
import type { DecimalSeparator } from '../../values/amounts.js';
import type { SideCurrencies } from '../columns/currency-columns.js';
import type { DirectionCodes } from '../signs/direction-codes.js';
import type { BalanceOrder, SignConvention } from '../signs/sign-convention.js';
import type { DeclaredStatuses } from '../table/cells.js';
import type { CsvColumns, IdentityColumns } from '../table/columns.js';
import type { Dialect } from '../table/reader.js';
import type { MoneyOutWithoutMinus } from '../words/money-out-kinds.js';
import type { FoundBalance } from './balance-search.js';

/**
 * How to read the rows of a CSV statement: the columns, formats, signs and special rows. With the plan, each row can be read without the
 * other rows.
 */
export interface CsvPlan {
  readonly source: StatementSource;
  readonly dialect: Dialect;
  readonly columns: PlannedColumns;
  readonly formats: Formats;
  readonly signs: PlannedSigns;
  readonly specialRows: SpecialRows;
}

export interface PlannedColumns {
  /** For each role, such as `date`, the header of the column that has the role. */
  readonly roles: CsvColumns;
  /** The columns that identify a row. */
  readonly identity: IdentityColumns;
  /** Whether two rows have the same id. If so, the ids of the file are not used. */
  readonly hasRepeatedIds: boolean;
  /**
   * The position of the column with the running balances, from 0; undefined if there is no such column. Balances are not recorded,
   * but compared with the amounts.
   */
  readonly balancePosition: number | undefined;
  /** The position of the column with the debit/credit codes of the balance, from 0; undefined if there is no such column. */
  readonly balanceCodePosition: number | undefined;
  /** The currency columns of debits and credits; empty if debits and credits share one currency column, or if the file has none. */
  readonly sideCurrencies: SideCurrencies;
  /** The first two different currencies in the currency column; undefined if there are fewer. */
  readonly rowCurrencies: readonly string[] | undefined;
  /**
   * For a file without headers: the positions, from 0, of columns beside the description column in which some rows have their text (see
   * `SplitTexts`); usually empty.
   */
  readonly splitTexts: readonly number[];
}

/** The formats of the cells. */
export interface Formats {
  readonly dateFormat: string;
  readonly decimalSeparator: DecimalSeparator;
  readonly declaredStatuses: DeclaredStatuses;
}

/** The facts that decide whether an amount is an expense or an income. */
export interface PlannedSigns extends SignConvention {
  readonly directionCodes: DirectionCodes;
  /** Whether an option says that amounts without a minus are incomes. */
  readonly allIncomes: boolean;
  /** Whether an option says that amounts without a minus are expenses. */
  readonly allExpenses: boolean;
  /** The order of the rows, if the balance column decides the direction of some rows; otherwise undefined. */
  readonly balanceOrder: BalanceOrder | undefined;
  /**
   * The kinds of money out, such as `Market buy` or `ATM withdrawal`, for which most rows have no minus sign. Empty if there are none, if
   * an option says that the signs show the direction, or if the balance column agrees with the signs of all rows.
   */
  readonly moneyOutWithoutMinus: readonly MoneyOutWithoutMinus[];
  /**
   * Whether some amounts have a sign or code for expenses, others have one for incomes, and the rest have neither. The direction of the
   * rest is then unknown. False if the balance column agrees with the signs of all rows.
   */
  readonly hasUndirectedAmounts: boolean;
  /**
   * Whether rows with a credit fail. A credit is an amount in the credit column, or an amount with an income code. These rows fail if all
   * credits have a minus, and the balance column is compared with the amounts but does not show that these credits are incomes.
   */
  readonly hasUnclearCredits: boolean;
}

/** The rows for which only other rows show whether they are recorded, are skipped or fail. */
export interface SpecialRows {
  readonly pending: PendingRows;
  readonly balanceLines: BalanceLines;
  readonly splitRows: SplitRows;
  /**
   * The first row, the last row or both, if they have only a date, an amount and an account number, and are therefore probably balances of
   * the account; empty if neither. The key is the line of the row, and the value is the account number.
   */
  readonly accountBalanceRows: ReadonlyMap<number, string>;
  /**
   * The line number of the last row, if it is the only row without a text. Undefined if the file has at most three rows or a balance
   * column, or if Centavo wrote the file.
   */
  readonly lineWithoutText: number | undefined;
  /**
   * The line number of the last row, if its amount is the sum of all transactions above it: such a row may be a total. Undefined also if
   * the row has a balance that is compared with the amounts, or if Centavo wrote the file.
   */
  readonly lineOfSum: number | undefined;
  /**
   * Whether rows with neither an amount nor a balance are skipped. They are skipped if the balances agree with the amounts of the other
   * rows. Some banks write the items of a batch payment into such rows.
   */
  readonly leavesOutEmptyRows: boolean;
}

/** The rows that are recorded or skipped in spite of their status. */
export interface PendingRows {
  /**
   * The line numbers of rows that are recorded although their status is not final. Either the balance column includes their amount, or
   * they have a status such as `Reversed` and another row of the file reverses them.
   */
  readonly finalLines: Pick<ReadonlySet<number>, 'has' | 'size'> & Iterable<number>;
  /**
   * Pairs of rows that are both skipped, because one reverses the other. The key is the line of the reversing row, and the value is the
   * line of the reversed row.
   */
  readonly reversals: ReadonlyMap<number, number>;
  /** Pairs of rows that are both recorded although one reverses the other. Keys and values have the same meaning as in `reversals`. */
  readonly recordedReversals: ReadonlyMap<number, number>;
  /** Rows that fail, because it is unclear whether they reverse a pending row. Keys and values have the same meaning as in `reversals`. */
  readonly unclearReversals: ReadonlyMap<number, number>;
}

/** The value for a file in which every row is recorded or skipped according to its status. */
export const noPendingRows: PendingRows = {
  finalLines: new Set(),
  reversals: new Map(),
  recordedReversals: new Map(),
  unclearReversals: new Map(),
};

/** The lines of rows whose text is, or may be, the name of a balance or a total. */
export interface BalanceLines {
  /** The balances and totals that are skipped. The key is the line of the row, and the value is the reason. */
  readonly leftOut: ReadonlyMap<number, string>;
  /** The rows that fail because it is unclear whether they are a balance, a total or a payment. The key is the line of the row. */
  readonly inDoubt: ReadonlyMap<number, Pick<FoundBalance, 'text' | 'kind'>>;
}

/** The value for a file in which no row is a balance or a total. */
export const noBalanceLines: BalanceLines = { leftOut: new Map(), inDoubt: new Map() };

/**
 * The rows whose amount is, or may be, split into other rows of the file. In both maps, the key is the line of the row, and the value is
 * the reason why the row is skipped or fails.
 */
export interface SplitRows {
  /** The rows that are skipped, because their parts add up to their amount. */
  readonly leftOut: ReadonlyMap<number, string>;
  /** The rows that fail, because rows that may be their parts do not add up to their amount. */
  readonly inDoubt: ReadonlyMap<number, string>;
}

/** The value for a file in which no row is split into others. */
export const noSplitRows: SplitRows = { leftOut: new Map(), inDoubt: new Map() };
