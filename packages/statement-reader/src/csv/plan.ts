import type { StatementSource } from '../source.js';
import type { StatementDirection } from '../statement.js';
import type { DecimalSeparator } from '../values/amounts.js';
import type { CsvColumns, IdentityColumns } from './columns/columns.js';
import type { Dialect } from './reader.js';
import type { LineAccount } from './rows/line-tally.js';
import type { DirectionCodes } from './signs/direction-codes.js';
import type { PlaceSignCounts } from './signs/signs.js';

/** Everything that is needed to read each row of one CSV statement without looking at another row. */
export interface CsvPlan {
  readonly source: StatementSource;
  readonly dialect: Dialect;
  readonly columns: PlannedColumns;
  readonly formats: Formats;
  readonly findings: Findings;
  readonly pending: PendingRows;
}

export interface PlannedColumns {
  /** The header of each column role. */
  readonly roles: CsvColumns;
  /** The columns that identify a row. */
  readonly identity: IdentityColumns;
  /** The position of the running balance, from 0; undefined if there is none. It is not recorded, but checks the amounts. */
  readonly balancePosition: number | undefined;
}

/** The order of the rows in a file. */
export type BalanceOrder = 'oldest first' | 'newest first';

/** How the cells of the columns are written. */
export interface Formats {
  readonly dateFormat: string;
  readonly decimalSeparator: DecimalSeparator;
  readonly directionCodes: DirectionCodes;
  readonly signCounts: PlaceSignCounts;
  /** The meaning of a minus in a column without direction codes; undefined: the signs of the file decide. */
  readonly minusMeans: StatementDirection | undefined;
  /** Amounts without a minus are incomes. */
  readonly allIncomes: boolean;
  /** The order in which the balance column decides the rows whose direction nothing else shows; undefined: it decides none. */
  readonly balanceOrder: BalanceOrder | undefined;
  /** Statuses that the user called final, as `canonicalStatus` spells them. */
  readonly finalStatuses: ReadonlySet<string>;
}

/** What the rows of the file showed, for the user to check. */
export interface Findings {
  /** The number of rows below the headers, for the progress bar. */
  readonly rowCount: number;
  /** The lines of the file by their use. */
  readonly lines: LineAccount;
  /** One sentence about columns with fees that are not recorded; undefined if there are none. */
  readonly fees: string | undefined;
  /** The header of the first of these columns. */
  readonly feeColumn: string | undefined;
  /** The header of a guessed direction column whose words are unknown, so that it is not used. */
  readonly unusedDirection: string | undefined;
  /** Unknown statuses; their rows count as final. */
  readonly unknownStatuses: readonly string[];
  /** Whether the status column also has known statuses, and so is one. */
  readonly hasKnownStatuses: boolean;
  /** Whether the status of some row is not final. */
  readonly hasNotFinal: boolean;
  readonly categoryNames: ReadonlySet<string>;
  /** A remark about the date format: it was saved, or does not fit. */
  readonly dateFormatNote: string | undefined;
  /** One sentence if no date of the file is written in the requested format. */
  readonly dateAdvice: string | undefined;
}

/** What the other rows of a file show about rows whose status is not final. */
export interface PendingRows {
  /** Lines whose status is not final, but which the balance column counts. */
  readonly finalLines: Pick<ReadonlySet<number>, 'has' | 'size'> & Iterable<number>;
  /** Lines that take back a row that is left out, by the line of that row: they are left out too. */
  readonly reversals: ReadonlyMap<number, number>;
}

/** No row is special. */
export const noPendingRows: PendingRows = { finalLines: new Set(), reversals: new Map() };
