/** Which way the money went, as the statement tells it. */
export type StatementDirection = 'expense' | 'income';

/** One transaction as a statement tells it, in the API's spelling where that is possible without asking the API. */
export interface StatementTransaction {
  readonly direction: StatementDirection;
  /** Unsigned, whole units, no trailing zeros: `"12.5"`. */
  readonly amountDecimal: string;
  /** What the row itself says; null where the account's currency is meant. */
  readonly currencyCode: string | null;
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
}

/**
 * What one place of a statement turned out to be. `line` counts from 1 as an editor does. A `skipped` row is a
 * transaction that is not final yet (pending); a `failure` is one that cannot be read, and is never half recorded.
 */
export type StatementRow =
  | { readonly line: number; readonly outcome: 'transaction'; readonly transaction: StatementTransaction }
  | { readonly line: number; readonly outcome: 'failure'; readonly reason: string }
  | { readonly line: number; readonly outcome: 'skipped'; readonly reason: string };
