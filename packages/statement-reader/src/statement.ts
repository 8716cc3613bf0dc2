/** Whether money leaves the account (`expense`) or comes in (`income`). */
export type StatementDirection = 'expense' | 'income';

/**
 * One transaction of a statement, in the form that the API expects, with one exception: the account and the category are names, which the
 * caller must replace by ids.
 */
export interface StatementTransaction {
  readonly direction: StatementDirection;
  /** Unsigned, in major units (euros, not cents), without zeros at the end of the decimals: `"12.5"`. */
  readonly amountDecimal: string;
  /** The currency that the row itself names; null if it names no currency, so that the currency of the account applies. */
  readonly currencyCode: string | null;
  /**
   * The currency symbol of the amount (`"£"`), if the row has no currency code. The currency of the account must be
   * one of the currencies of this symbol.
   */
  readonly currencySymbol?: string;
  /** `YYYY-MM-DD`. */
  readonly occurredOn: string;
  readonly description: string | null;
  readonly merchantName: string | null;
  readonly categoryName: string | null;
  readonly accountName: string | null;
  /**
   * The id that the bank gave the row (FITID in OFX, entry reference in camt.053); null if there is none. Always null in CSV, whose rows
   * have `externalId` instead.
   */
  readonly statementId: string | null;
  /**
   * The `statementId` of another transaction of the file that this transaction replaces (CORRECTFITID in OFX); absent if it replaces
   * none. The replaced transaction is skipped. If an earlier import recorded it, the caller must not record this transaction too.
   */
  readonly replacedId?: string;
  /**
   * The id that the bank gave a row of CSV, unique in the file; absent if there is none. The id is not part of the row's idempotency key,
   * because earlier versions of the importer ignored the id. With the id in the key, rows that such a version recorded would be recorded
   * again.
   */
  readonly externalId?: string;
  /** Whether the transaction is the fee of a row. The amount of the row, if it is not zero, is another transaction. */
  readonly isFee?: boolean;
  /** The id that all rows of one transfer share; only in exports of Centavo. */
  readonly transferGroupId?: string;
  /** The id of the exported movement; only in exports of Centavo. */
  readonly movementId?: string;
  /** The content that identifies the row; absent in formats other than CSV. */
  readonly identity?: RowContentOfFile;
}

/**
 * The content that identifies a row in later imports. Options for columns and signs change it only if the option `newKeys` is set. With
 * `newKeys`, the columns of this import identify the rows, instead of the columns of the first import of a file with the same headers.
 */
export interface RowContentOfFile {
  /** `YYYY-MM-DD`. */
  readonly occurredOn: string;
  /**
   * The amount without trailing zeros, so that `12.5` and `12.50` are equal. The direction, if the file shows it, is a prefix: a minus,
   * the debit/credit code, or the column (`debit` or `credit`). Examples: `"-12.5"`, `"debit 12.5"`. A fee has the suffix ` fee`.
   */
  readonly signedAmount: string;
  readonly description: string | null;
  readonly merchantName: string | null;
  /** The category as the file spells it, so that renaming the category in the API does not change the identity of the row. */
  readonly categoryName: string | null;
}

/**
 * One row of a statement. `line` is its line number, from 1. A `skipped` row is not a transaction, is a copy of a row in an earlier
 * statement of the same file, or is marked as not booked yet, for example in a status column. A `failure` cannot be read, or is possibly
 * not a booked transaction. For example, a row of an OFX or QIF file is a `failure` if its payee or memo says that it is pending.
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
  /**
   * The accounts that have rows, in the order of the file. If options name the accounts to read, the list has no others. Absent in CSV.
   */
  readonly accounts?: readonly StatementAccount[];
  /** The categories that the rows name; absent if the file has no categories. */
  readonly categories?: {
    /** The names as the file spells them, in the order of the file; at most 1000. */
    readonly names: ReadonlySet<string>;
    /**
     * Whether an option names the category column, or named it in the earlier import that saved the columns. False for a guessed column and
     * for QIF.
     */
    readonly areRequested: boolean;
  };
  /**
   * Evidence of whether a minus is an expense or an income, such as the number of amounts with and without a minus. Present only in CSV,
   * and only if three conditions hold: some amount has a minus, only signs show the direction, and no option or saved mapping sets the
   * meaning of a minus.
   */
  readonly undecidedSigns?: {
    /** The number of amounts with a minus. */
    readonly minus: number;
    /** The number of amounts without a minus. */
    readonly other: number;
    /**
     * Whether the balance column shows that a minus is an expense. If the column has the balance of a debt, this may be wrong. So the value
     * is false if an amount with a minus pays exactly the balance before the oldest row, like a payment of a card bill, and
     * `rowsAgreeWithSigns` is false.
     */
    readonly balanceAgreesWithSigns: boolean;
    /** Whether more than half of the balances are below zero, so that the column shows a debt with a minus. */
    readonly balanceIsBelowZero: boolean;
    /** A header that shows that the file is a card statement; undefined if there is none. */
    readonly cardHeader?: string | undefined;
    /**
     * The text of the first row that has a minus and is a payment to a card; undefined if there is none, or if some row proves that a minus
     * is an expense, as on the statement of a bank account.
     */
    readonly paymentWithMinus?: string | undefined;
    /** Whether a text of the first ten rows, a debit/credit code, or a plus before an amount shows that a minus is an expense. */
    readonly rowsAgreeWithSigns: boolean;
    /**
     * The header of a column that names a kind of money out, such as `Purchase`, if most rows of this kind have no minus. The signs of the
     * file then seem to be incomplete. Otherwise undefined.
     */
    readonly moneyOutWithoutMinusHeader?: string | undefined;
  };
  /**
   * The evidence of the balance column for the direction of the rows; `decides` and `isReversed` are false without evidence. The balance of
   * a card or a loan may be a debt, which an expense increases. Such a balance shows the opposite of the right direction. Absent in formats
   * other than CSV.
   */
  readonly balanceDirection?: {
    /** Whether only the balance column shows whether a row is an expense or an income. */
    readonly decides: boolean;
    /** Whether debit and credit columns or codes show a direction, and the balance column agrees only with the opposite direction. */
    readonly isReversed: boolean;
    /**
     * The columns of debits and credits, if only the balance column distinguishes them. If the balance is a debt, they are the other way
     * round.
     */
    readonly unknownSides?: {
      readonly debit: string;
      readonly credit: string;
      /**
       * The text of the first row that would be an expense, but is a payment to the card if the file is the statement of a credit card;
       * undefined if there is none.
       */
      readonly expensePayment: string | undefined;
    };
  };
  /** Returns whether the file may have this `statementId` more than once; absent in CSV, whose rows have no `statementId`. */
  mayRepeat?(statementId: string): boolean;
  rows(): AsyncIterable<StatementRow>;
  /**
   * Saves which columns identify the rows of files with these headers. Call it before you record the first row. Absent in
   * formats other than CSV.
   */
  saveIdentity?(): Promise<void>;
  /**
   * Saves the latest balance of each account of the file, to compare it with the balance in the next file. Call it after you recorded
   * the rows. Absent in CSV and QIF.
   */
  saveBalances?(): Promise<void>;
  /** The headers of the columns that identify the rows; absent in formats other than CSV. */
  readonly identityHeaders?: readonly string[];
  /** How the package interprets the file, for the user to check; null if there is nothing to check. */
  readonly interpretation: {
    /** The first question that the user has to answer; null if there is none. */
    readonly question: Question | null;
    /** Further questions that the user has to answer; absent or empty if there are none. */
    readonly furtherQuestions?: readonly Question[];
    /** Advice for the user, for example if no date has the requested format; null if there is none. */
    readonly advice: string | null;
    readonly lines: readonly (readonly [label: string, value: string])[];
    /** Saves how this file is read, for the next file with the same headers. Absent in formats without headers. */
    save?(): Promise<void>;
  } | null;
}

/** A question about how the file is read, and the options that answer it. The user has to answer it before rows are recorded. */
export interface Question {
  readonly message: string;
  readonly remedy: string;
  /** Whether the user must set the options that the remedy names. If not, it is enough to confirm with `--yes`. */
  readonly requiresOption?: boolean;
}

/** An account as the file describes it. */
export interface StatementAccount {
  /** Its number, IBAN or name; the `accountName` of its rows. */
  readonly name: string;
  /** The type of the account, as the API names it; null if the file does not show the type. */
  readonly type: 'checking' | 'savings' | 'credit_card' | 'loan' | 'cash' | 'investment' | 'other' | null;
  readonly currencyCode: string | null;
  readonly rowCount: number;
}
