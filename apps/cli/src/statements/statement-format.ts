import type { CsvWishes } from './csv/csv-plan.js';
import type { MappingShelf } from './csv/saved-mapping.js';
import type { StatementRow } from './statement-row.js';

export interface OpenStatementRequest {
  readonly path: string;
  readonly csv: CsvWishes;
  readonly mappings: MappingShelf;
  /** Those accounts of the file that are wanted, by their number or name in it; none: all. Not for CSV. */
  readonly onlyAccounts?: readonly string[];
}

/** A statement ready to be read, row by row, as often as wanted. */
export interface OpenedStatement {
  readonly format: string;
  /** How many rows `rows` will yield. */
  readonly rowCount: number;
  /** Whether each row says which account it belongs to. */
  readonly namesAccounts: boolean;
  /** The accounts that the file itself tells of, in its order; absent in CSV, whose rows may name any. */
  readonly accounts?: readonly StatementAccount[];
  /** The categories that its rows name; absent where there are none. */
  readonly categories?: {
    /** As the file spells them, in its order; of very many only some. */
    readonly names: ReadonlySet<string>;
    /** Whether a person has said where they stand; else a category that the tracker lacks is no reason to fail a row. */
    readonly areAskedFor: boolean;
  };
  /** How many of its amounts have a minus, where signs alone tell the side and nobody has said what they mean. */
  readonly openSigns?: {
    readonly minus: number;
    readonly other: number;
    /** A column that only files of cards have; undefined where there is none. */
    readonly cardHeader?: string | undefined;
  };
  /** Whether the file may have a row's own id more than once; absent in CSV, whose rows have no id. */
  mayRepeat?(statementId: string): boolean;
  rows(): AsyncIterable<StatementRow>;
  /**
   * Keeps by what its rows are known again, for later readings of files of its kind; to be called before the first is
   * recorded. Absent in formats that are read in one way only.
   */
  keepIdentity?(): Promise<void>;
  /** The headers of the columns by which its rows are known again; absent in formats that are read in one way only. */
  readonly identityHeaders?: readonly string[];
  /** How it will be read, for a person to see and confirm; null in formats that leave nothing open. */
  readonly reading: {
    /** What a person has to confirm, and how to settle it without one; null where nothing is in doubt. */
    readonly doubt: Doubt | null;
    /** One sentence about a wish that no row fits, instead of a failure for each; null where there is none. */
    readonly advice: string | null;
    readonly lines: readonly (readonly [label: string, value: string])[];
    /**
     * Keeps this reading for the next file with the same headers.
     * @throws UsageError (exit 2) in formats that have no headers
     */
    save(): Promise<void>;
  } | null;
}

/** What of a reading a person has to confirm, and how to settle it without one. */
export interface Doubt {
  readonly message: string;
  readonly remedy: string;
  /** Whether only an answer or the flags of the remedy settle it, and `--yes`, which accepts what is shown, does not. */
  readonly mustBeSaid?: boolean;
}

/** An account as a file tells of it. */
export interface StatementAccount {
  /** Its number, IBAN or name; the `accountName` of its rows. */
  readonly name: string;
  /** What the API calls its kind; null where the file does not say. */
  readonly type: 'checking' | 'savings' | 'credit_card' | 'loan' | 'cash' | 'investment' | 'other' | null;
  readonly currencyCode: string | null;
  readonly rowCount: number;
}
