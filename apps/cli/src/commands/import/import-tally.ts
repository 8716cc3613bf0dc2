/** One row that was not recorded, for a person to mend. */
export interface RowFailure {
  readonly line: number;
  readonly reason: string;
}

/** What an import has come to; the shape of `-o json`. Source: contract, section 11. */
export interface ImportSummary {
  /** Transactions found in the file, pending ones included. */
  readonly rows: number;
  readonly created: number;
  /** Recorded by an earlier import, and left as they were. */
  readonly replayed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly RowFailure[];
}

/** Counts the rows of an import as they are done with, in whatever order that is. */
export class ImportTally {
  created = 0;
  replayed = 0;
  skipped = 0;
  /** Rows that were sent and never answered: they may be recorded or not. */
  unknown = 0;
  /** Rows that a dry run would have recorded. */
  planned = 0;
  readonly #failures: RowFailure[] = [];

  /** Rows that are now in the API. */
  get recorded(): number {
    return this.created + this.replayed;
  }

  /** Rows that nothing has become of yet. */
  countUnreached(rows: number): number {
    return rows - this.recorded - this.skipped - this.planned - this.unknown - this.#failures.length;
  }

  fail(line: number, reason: string): void {
    this.#failures.push({ line, reason });
  }

  summarize(rows: number): ImportSummary {
    const failures = this.#failures.toSorted((one, other) => one.line - other.line);
    const { created, replayed, skipped } = this;
    return { rows, created, replayed, failed: failures.length, skipped, failures };
  }
}
