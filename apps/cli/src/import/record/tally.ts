/** A row that could not be recorded, and the reason. */
export interface RowFailure {
  readonly line: number;
  readonly reason: string;
}

/**
 * The result of an import in the shape of `-o json`.
 * @source docs/contract.md, section 11
 */
export interface ImportSummary {
  /** The number of transactions in the file, including pending ones. Each fee in the column of `--fee-column` counts as a transaction. */
  readonly rows: number;
  readonly created: number;
  /** The number of rows that were recorded before. This import did not change them. */
  readonly replayed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The failed rows, sorted by line; at most ten thousand. */
  readonly failures: readonly RowFailure[];
  /** The number of skipped rows that are recorded under another idempotency key. Absent if no row was skipped for this reason. */
  readonly alreadyRecorded?: number;
}

/** The maximum number of listed failures. With a wrong option, a million rows may fail, and their list would take too much memory. */
const failuresListedMax = 10_000;

const otherDetailsLinesMax = 10;

/** Counts the outcomes of rows, in any order. */
export class ImportTally {
  /** A transfer counts as two rows, so that the counts of all outcomes add up to the number of rows. */
  created = 0;
  replayed = 0;
  /** Rows that may or may not be recorded, because the response was lost or was a server error. */
  unknown = 0;
  /** Rows that an import would record; counted in a dry run. */
  planned = 0;
  /** Transfers that this or an earlier import recorded; in a dry run, the transfers that an import would record. */
  pairs = 0;
  /**
   * Pairs of rows that form a transfer but are recorded as two movements, because at least one of the rows had been recorded as a movement
   * before.
   */
  splitPairs = 0;
  /** The number of replayed rows whose movement was voided and not replaced (see `VoidedMovements.voidedRowCount`). */
  voided = 0;
  #failed = 0;
  readonly #failures: RowFailure[] = [];
  readonly #skipped = new Map<string, number>();
  /** The number of skipped rows that are recorded under another idempotency key. */
  alreadyRecorded = 0;
  #otherDetails = 0;
  /** The lowest line numbers of the rows that were recorded before with other details; at most ten. */
  #otherDetailsLines: readonly number[] = [];

  get skipped(): number {
    return [...this.#skipped.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The number of skipped rows for each reason. */
  get skippedByReason(): ReadonlyMap<string, number> {
    return this.#skipped;
  }

  /** Rows that the server has recorded, now or in an earlier import. */
  get recorded(): number {
    return this.created + this.replayed;
  }

  /**
   * The number of replayed rows that were recorded before with other details, such as another category or description,
   * and the lowest line numbers of these rows.
   */
  get otherDetails(): { readonly count: number; readonly lines: readonly number[] } {
    return { count: this.#otherDetails, lines: this.#otherDetailsLines };
  }

  /** Counts rows that were recorded before with other details. */
  countOtherDetails(lines: readonly number[]): void {
    this.replayed += lines.length;
    this.#otherDetails += lines.length;
    this.#otherDetailsLines = [...this.#otherDetailsLines, ...lines]
      .sort((one, other) => one - other)
      .slice(0, otherDetailsLinesMax);
  }

  /** Returns the number of rows that have no outcome yet. */
  countUnreached(rows: number): number {
    return rows - this.recorded - this.skipped - this.planned - this.unknown - this.#failed;
  }

  fail(line: number, reason: string): void {
    this.#failed += 1;
    if (this.#failures.length < failuresListedMax) this.#failures.push({ line, reason });
  }

  skip(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }

  /** Counts a row that is skipped because it is recorded under another idempotency key. */
  countAlreadyRecorded(): void {
    this.alreadyRecorded += 1;
    this.skip('already recorded, but not from this file');
  }

  summarize(rows: number): ImportSummary {
    const failures = this.#failures.toSorted((one, other) => one.line - other.line);
    const { created, replayed, skipped, alreadyRecorded } = this;
    const summary = { rows, created, replayed, failed: this.#failed, skipped, failures };
    return alreadyRecorded === 0 ? summary : { ...summary, alreadyRecorded };
  }
}
