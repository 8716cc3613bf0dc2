/** One run of all proofs, as `docs/proof.json` stores it. */
export interface ProofReport {
  /** The start of the run: `2026-03-01T12:00:00.000Z`. */
  readonly startedAt: string;
  readonly minutes: number;
  readonly machine: {
    readonly processor: string;
    readonly cores: number;
    readonly memoryGb: number;
    readonly system: string;
    readonly node: string;
  };
  /** The names of the files that were run. */
  readonly files: readonly string[];
  readonly records: readonly {
    readonly file: string;
    readonly startedAt: string;
    /** The commit of the sources: `ed963af`. Null without git. */
    readonly commit: string | null;
    /** The duration of the whole file. */
    readonly minutes: number;
    /** Whether the file ran in its short form (`--short`). */
    readonly isShort?: true;
    /** The number of the promise, such as `T3`. */
    readonly id: string;
    readonly promise: string;
    readonly seed: number | null;
    /** The column *observed* of the page: numbers of requests, responses and injected faults, and some times and ratios. */
    readonly injected: Readonly<Record<string, number>>;
    /** Times and sizes that no promise limits. */
    readonly measured?: Readonly<Record<string, number | string>>;
    /** The number of violations, by kind. */
    readonly violations: Readonly<Record<string, number>>;
  }[];
  /** Proofs that failed, were stopped, or recorded nothing. */
  readonly unfinished: readonly { readonly file: string; readonly reason: string }[];
}

/** Renders the report as the page `docs/proof.md`. */
export declare function renderProof(report: ProofReport): string;

/** Returns whether all proofs completed without violations. */
export declare function isProven(report: ProofReport): boolean;
