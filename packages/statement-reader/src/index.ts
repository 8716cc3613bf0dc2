/** The entry point of the package. Other files of the package may change without notice. */
export { isSameNumber } from './accounts.js';
export type { CsvColumnName, CsvColumns } from './csv/table/columns.js';
export { importKey, pairKey, type RowIdentity, repetitionFingerprint } from './import-key.js';
export { OccurrenceCounter } from './occurrence-counter.js';
export { formatNames, openStatement } from './open-statement.js';
export type { BalanceStore, CsvOptions, KnownAccount, MappingStore, OpenStatementRequest } from './options.js';
export { NumberColumn, RepeatedIds } from './repeated-ids.js';
export { fileSource, type StatementSource } from './source.js';
export type {
  OpenedStatement,
  Question,
  RowContentOfFile,
  StatementAccount,
  StatementDirection,
  StatementRow,
  StatementTransaction,
} from './statement.js';
export { type PossibleAnswer, StatementError } from './statement-error.js';
export { cutText } from './texts.js';
export { describeAmount } from './totals.js';
export { canSymbolMean } from './values/currency-symbols.js';
