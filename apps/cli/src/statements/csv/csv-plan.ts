import type { StatementDirection } from '../statement-row.js';
import type { CsvColumns, IdentityColumns } from './csv-columns.js';
import type { MarkCounts } from './decide-direction.js';
import type { DirectionWords } from './direction-words.js';
import type { DecimalSeparator } from './parse-amount.js';

/** Everything that is needed to read each row of one CSV statement without looking at another row. */
export interface CsvPlan {
  readonly path: string;
  readonly encoding: string;
  readonly delimiter: string;
  /** The line of the headers, from 1; what stands above is a preamble. */
  readonly headerLine: number;
  readonly headers: readonly string[];
  readonly columns: CsvColumns;
  /** The columns by which its rows are known again. */
  readonly identity: IdentityColumns;
  readonly dateFormat: string;
  readonly decimalSeparator: DecimalSeparator;
  readonly words: DirectionWords;
  readonly marks: MarkCounts;
  /** What a minus is in a column of its own, where that is known; undefined: the signs of the file tell. */
  readonly minusMeans: StatementDirection | undefined;
  /** Transactions below the headers, for the progress bar. */
  readonly rowCount: number;
  /** Lines below the headers that can be no transaction: how many, and where the first of them stand. */
  readonly asides: { readonly count: number; readonly lines: readonly number[] };
  /** One sentence of columns whose fees would not be recorded; undefined where there are none. */
  readonly fees: string | undefined;
  /** Words of the status column that nobody has explained; their rows count as final. */
  readonly unknownStatuses: readonly string[];
  /** Whether another word of the status column is known, so that it does tell what is final. */
  readonly hasKnownStatuses: boolean;
  /** What a person has called final, as `canonicalStatus` spells it. */
  readonly finalStatuses: ReadonlySet<string>;
  /** The categories that the rows name. */
  readonly categoryNames: ReadonlySet<string>;
  /** What else may be said of the date format, beside it: that it was saved, or does not fit. */
  readonly dateFormatNote: string | undefined;
  /** One sentence where no date of the file is written in the format that was asked for. */
  readonly dateAdvice: string | undefined;
}

/** How a person wants a file to be read; what is left out is taken from a saved mapping or detected. */
export interface CsvWishes {
  readonly columns: Partial<CsvColumns>;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly dateFormat?: string | undefined;
  readonly decimalSeparator?: DecimalSeparator | undefined;
  /** What a minus is; on the statements of some cards it is money in. */
  readonly minusMeans?: StatementDirection | undefined;
  readonly expenseWords: readonly string[];
  readonly incomeWords: readonly string[];
  /** Words of the status column that are to be taken for final. */
  readonly finalStatuses?: readonly string[] | undefined;
  /** The account of every row as it was named; what is remembered of signs counts for that one only. */
  readonly account?: string | undefined;
  /** Every row goes to one account, so an account column must not be guessed. */
  readonly hasOneAccount: boolean;
  /** Amounts without a sign are expenses, also where the whole file has none: no confirmation is needed. */
  readonly allExpenses?: boolean | undefined;
  /** A mapping saved for these headers is not looked for. */
  readonly ignoresSaved?: boolean | undefined;
  /** Rows are known by the columns that they are read with now, and no more by those of earlier files. */
  readonly newKeys?: boolean | undefined;
}
