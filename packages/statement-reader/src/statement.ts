/** The direction of the money. */
export type StatementDirection = 'expense' | 'income';

/** One transaction of a statement, in the form that the API expects as far as that is possible without a request. */
export interface StatementTransaction {
  readonly direction: StatementDirection;
  /** Unsigned, whole units, no trailing zeros: `"12.5"`. */
  readonly amountDecimal: string;
  /** The currency that the row itself names; null if it names none, so that the currency of the account applies. */
  readonly currencyCode: string | null;
  /** The currency sign beside the amount (`"£"`), if the row has no code: the account must have one of its currencies. */
  readonly currencySign?: string;
  /** `YYYY-MM-DD`. */
  readonly occurredOn: string;
  readonly description: string | null;
  readonly merchantName: string | null;
  readonly categoryName: string | null;
  readonly accountName: string | null;
  /** The statement's own id of the row (FITID, entry reference); null in formats that have none. */
  readonly statementId: string | null;
  /** The group of the transfer to which the row belongs; only an export of Centavo has it. */
  readonly transferGroupId?: string;
  /** The movement that the row was exported from; only an export of Centavo has it. */
  readonly movementId?: string;
  /** The content that identifies the row; absent in formats whose reading no option can change. */
  readonly identity?: RowContentOfFile;
}

/**
 * The content of a row in the file. It does not depend on the options: two readings with different columns or signs give
 * the same content for the same row.
 */
export interface RowContentOfFile {
  /** `YYYY-MM-DD`. */
  readonly occurredOn: string;
  /**
   * The amount without trailing zeros, so that `12.5` and `12.50` are equal. Before it stands the direction as the file
   * shows it: a minus, the code beside the amount, or the name of its column. `"-12.5"`, `"debit 12.5"`.
   */
  readonly signedAmount: string;
  readonly description: string | null;
  readonly merchantName: string | null;
  /** As the file spells it, so that renaming the category in the API does not change the identity of the row. */
  readonly categoryName: string | null;
}

/**
 * One row of a statement. `line` counts from 1, as in an editor. A `skipped` row moves no money or is not final yet,
 * such as a pending payment. A `failure` cannot be read.
 */
export type StatementRow =
  | { readonly line: number; readonly outcome: 'transaction'; readonly transaction: StatementTransaction }
  | { readonly line: number; readonly outcome: 'failure'; readonly reason: string }
  | { readonly line: number; readonly outcome: 'skipped'; readonly reason: string };

/** A statement whose rows can be read as often as the caller wants. */
export interface OpenedStatement {
  readonly format: string;
  /** The number of rows that `rows` yields. */
  readonly rowCount: number;
  /** Whether each row names its account. */
  readonly namesAccounts: boolean;
  /** The accounts that the file names, in its order; absent in CSV, whose rows may name any account. */
  readonly accounts?: readonly StatementAccount[];
  /** The categories that its rows name; absent if the file has none. */
  readonly categories?: {
    /** As the file spells them, in its order; at most 1000. */
    readonly names: ReadonlySet<string>;
    /** Whether an option or a saved mapping named their column. If not, the column is only a guess. */
    readonly areRequested: boolean;
  };
  /** The signs of the amounts, if only signs show the direction and no option says what a minus means. */
  readonly openSigns?: {
    readonly minus: number;
    readonly other: number;
    /** A header that only files of cards have; undefined if there is none. */
    readonly cardHeader?: string | undefined;
    /** The text of a card payment with a minus; undefined if there is none, or the signs are those of a bank account. */
    readonly paymentWithMinus?: string | undefined;
  };
  /** Returns whether the file may have this id more than once; absent in CSV, whose rows have no id. */
  mayRepeat?(statementId: string): boolean;
  rows(): AsyncIterable<StatementRow>;
  /**
   * Saves which columns identify the rows of files with these headers. Call it before you record the first row. Absent in
   * formats that can be read in one way only.
   */
  keepIdentity?(): Promise<void>;
  /**
   * Saves the latest balance of each account of the file, to compare the next file with it. Call it after you recorded
   * the rows. Absent in formats other than OFX.
   */
  keepBalances?(): Promise<void>;
  /** The headers of the columns that identify the rows; absent in formats that can be read in one way only. */
  readonly identityHeaders?: readonly string[];
  /** How the file will be read, for the user to check; null if the format leaves nothing open. */
  readonly reading: {
    /** The first doubt that the user has to confirm; null if nothing is in doubt. */
    readonly doubt: Doubt | null;
    /** Further doubts that the user has to confirm; absent: none. */
    readonly furtherDoubts?: readonly Doubt[];
    /** One sentence about an option that fits no row; null if there is none. */
    readonly advice: string | null;
    readonly lines: readonly (readonly [label: string, value: string])[];
    /** Saves this reading for the next file with the same headers. Absent in formats without headers. */
    save?(): Promise<void>;
  } | null;
}

/** A reading that the user has to confirm, and the options that confirm it in advance. */
export interface Doubt {
  readonly message: string;
  readonly remedy: string;
  /** Whether the remedy needs the options that it names, so that accepting the reading (`--yes`) is not enough. */
  readonly requiresOption?: boolean;
}

/** An account as the file describes it. */
export interface StatementAccount {
  /** Its number, IBAN or name; the `accountName` of its rows. */
  readonly name: string;
  /** The API's name for its kind; null if the file does not say it. */
  readonly type: 'checking' | 'savings' | 'credit_card' | 'loan' | 'cash' | 'investment' | 'other' | null;
  readonly currencyCode: string | null;
  readonly rowCount: number;
}
