/** Which way the money went, as the statement tells it. */
export type StatementDirection = 'expense' | 'income';

/** One transaction as a statement tells it, in the API's spelling where that is possible without asking the API. */
export interface StatementTransaction {
  readonly direction: StatementDirection;
  /** Unsigned, whole units, no trailing zeros: `"12.5"`. */
  readonly amountDecimal: string;
  /** What the row itself says; null where the account's currency is meant. */
  readonly currencyCode: string | null;
  /** The currency sign beside the amount (`"£"`), where the row says no code: the account's currency must be one of its. */
  readonly currencySign?: string;
  /** `YYYY-MM-DD`. */
  readonly occurredOn: string;
  readonly description: string | null;
  readonly merchantName: string | null;
  readonly categoryName: string | null;
  readonly accountName: string | null;
  /** The statement's own id of the row (FITID, entry reference); null in formats that have none. */
  readonly statementId: string | null;
  /** The group of the transfer that the row is half of, as Centavo's own export tells it; else absent. */
  readonly transferGroupId?: string;
  /** The movement that the row was exported from, as Centavo's own export tells it; else absent. */
  readonly movementId?: string;
  /** By what the row is known again, where that is not what it is read as; absent where flags cannot change the reading. */
  readonly identity?: RowContentOfFile;
}

/**
 * What a file says of a row, whatever flags have made of it: two readings of one file, with other columns or other
 * signs, are of the same rows.
 */
export interface RowContentOfFile {
  /** `YYYY-MM-DD`. */
  readonly occurredOn: string;
  /**
   * Unsigned, without trailing zeros, so that `12.5` and `12.50` are the same, behind what the file says of its side: a
   * minus, the word beside it, or which of two columns it is in. `"-12.5"`, `"debit 12.5"`.
   */
  readonly signedAmount: string;
  readonly description: string | null;
  readonly merchantName: string | null;
  /** As the file spells it: renaming the category in the API later must not make the row a new one. */
  readonly categoryName: string | null;
}

/**
 * What one place of a statement turned out to be. `line` counts from 1 as an editor does. A `skipped` row is a
 * transaction that is not final yet (pending); a `failure` is one that cannot be read, and is never half recorded.
 */
export type StatementRow =
  | { readonly line: number; readonly outcome: 'transaction'; readonly transaction: StatementTransaction }
  | { readonly line: number; readonly outcome: 'failure'; readonly reason: string }
  | { readonly line: number; readonly outcome: 'skipped'; readonly reason: string };
