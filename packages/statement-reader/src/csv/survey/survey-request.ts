import type { CsvOptions } from '../../options.js';
import type { StatementSource } from '../../source.js';
import type { SideCurrencies } from '../columns/currency-columns.js';
import type { EffectiveMapping } from '../plan/mapping.js';
import type { CsvColumnName, CsvColumns, IdentityColumns } from '../table/columns.js';
import type { Dialect } from '../table/reader.js';

/** The input of the survey (the first pass over all rows): a file whose headers are known, and the options for its rows. */
export interface SurveyRequest {
  readonly source: StatementSource;
  readonly dialect: Dialect;
  readonly columns: CsvColumns;
  /** The roles whose columns were guessed. A guessed direction, currency or id column is not used if its cells do not fit its role. */
  readonly guessed: ReadonlySet<CsvColumnName>;
  /** The position of the column with the running balances, from 0; undefined if there is no such column. */
  readonly balancePosition: number | undefined;
  readonly sideCurrencies: SideCurrencies;
  readonly options: CsvOptions;
  /** The formats of the saved mapping, which are used unless the file contradicts them. */
  readonly saved: Pick<EffectiveMapping, 'dateFormat' | 'decimalSeparator'> | undefined;
  /**
   * The columns that identified the rows when a file with these headers was first imported. Undefined before the first import, or if the
   * option `newKeys` replaces these columns.
   */
  readonly identity: IdentityColumns | undefined;
}
