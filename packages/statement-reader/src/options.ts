import type { CsvColumns } from './csv/table/columns.js';
import type { StatementSource } from './source.js';
import type { StatementAccount, StatementDirection } from './statement.js';
import type { DecimalSeparator } from './values/amounts.js';

/** Options for reading a file. An absent option is taken from the saved mapping (see {@link MappingStore}), or detected in the file. */
export interface CsvOptions {
  readonly columns: Partial<CsvColumns>;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly dateFormat?: string | undefined;
  readonly decimalSeparator?: DecimalSeparator | undefined;
  /** The meaning of a minus sign. On the statements of some cards, a minus means income. */
  readonly minusMeans?: StatementDirection | undefined;
  /** Codes of the direction column that mean an expense; if empty, the common codes. */
  readonly expenseWords: readonly string[];
  /** Codes of the direction column that mean income; if empty, the common codes. */
  readonly incomeWords: readonly string[];
  /** Statuses of booked transactions, in addition to the common statuses. */
  readonly finalStatuses?: readonly string[] | undefined;
  /** Statuses whose rows are skipped, in addition to the common statuses. A status that is also in `finalStatuses` is not skipped. */
  readonly skippedStatuses?: readonly string[] | undefined;
  /**
   * The account of every row, as the user named it. The reader also uses it to find the saved sign convention, because each account has its
   * own sign convention.
   */
  readonly account?: string | undefined;
  /** Whether all rows belong to one account. If they do, no account column is detected. */
  readonly hasOneAccount: boolean;
  /**
   * Returns facts about the account of every row; undefined if they are unknown. Called in two cases: the file names no single currency and
   * does not show whether `5,000` has a thousands separator; or a minus seems to mean income, as on a card statement.
   */
  readonly findAccount?: (() => Promise<KnownAccount | undefined>) | undefined;
  /** Amounts without a sign are expenses, and amounts with a minus are incomes. No confirmation is needed if no amount has a sign. */
  readonly allExpenses?: boolean | undefined;
  /** Amounts without a minus are incomes, and amounts with a minus are expenses. */
  readonly allIncomes?: boolean | undefined;
  /** Accepts rows and amounts that contradict a balance of the file. The balance is then ignored. */
  readonly ignoresBalance?: boolean | undefined;
  /**
   * Whether a row is skipped or recorded if an earlier statement of the file covers the same days and has an equal row. Without this
   * option, the reader asks the user about such rows. The option works only for OFX and CAMT.053.
   */
  readonly copiedRows?: 'skip' | 'record' | undefined;
  /** Ignores the mapping that was saved for the headers of the file. */
  readonly ignoresSaved?: boolean | undefined;
  /**
   * Identifies rows by the columns that this import uses, also in later imports of files with the same headers. Without this option, rows
   * are identified by the columns that were used when a file with these headers was first imported.
   */
  readonly newKeys?: boolean | undefined;
}

/** Facts about an account that are known from outside the file. */
export interface KnownAccount {
  /** The ISO currency code; undefined if it is unknown. */
  readonly currencyCode?: string | undefined;
  /** The type of the account; undefined or null if it is unknown. */
  readonly type?: StatementAccount['type'] | undefined;
}

/** Stores mappings (how to read CSV files with certain headers) by a fingerprint of the headers. */
export interface MappingStore {
  /** Returns the text saved under a fingerprint, or undefined. */
  find(fingerprint: string): Promise<string | undefined>;
  save(fingerprint: string, text: string): Promise<void>;
}

/** Stores balances of earlier OFX and CAMT.053 files by a fingerprint of the account. */
export interface BalanceStore {
  /** Returns the text saved under a fingerprint, or undefined. */
  find(fingerprint: string): Promise<string | undefined>;
  save(fingerprint: string, text: string): Promise<void>;
}

/** A statement to open. */
export interface OpenStatementRequest {
  readonly source: StatementSource;
  readonly csv: CsvOptions;
  readonly mappings: MappingStore;
  /**
   * The store with the balances of earlier OFX and CAMT.053 files. The balances of such a file are compared with those in the store. If the
   * store is absent, the balances of a file are compared only with each other.
   */
  readonly balances?: BalanceStore;
  /** The accounts to read, by their number or name in the file; if empty or absent, all accounts. Not for CSV. */
  readonly onlyAccounts?: readonly string[];
}
