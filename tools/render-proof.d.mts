/** One run of all proofs, as `docs/proof.json` holds it. */
export interface ProofReport {
  /** When it began: `2026-03-01T12:00:00.000Z`. */
  readonly startedAt: string;
  readonly minutes: number;
  readonly machine: {
    readonly processor: string;
    readonly cores: number;
    readonly memoryGb: number;
    readonly system: string;
    readonly node: string;
  };
  /** The proofs that were run, by the names of their files. */
  readonly files: readonly string[];
  readonly records: readonly {
    readonly file: string;
    readonly startedAt: string;
    /** What the sources were at: `ed963af`. Null where git does not tell. */
    readonly commit: string | null;
    /** How long its file ran. */
    readonly minutes: number;
    /** Whether it ran with the small figures of a commit. */
    readonly isShort?: true;
    readonly id: string;
    readonly promise: string;
    readonly seed: number | null;
    readonly injected: Readonly<Record<string, number>>;
    readonly measured?: Readonly<Record<string, number | string>>;
    readonly violations: Readonly<Record<string, number>>;
  }[];
  /** Proofs that did not come to their end, or failed without a record that says so. */
  readonly unfinished: readonly { readonly file: string; readonly reason: string }[];
}

/** Writes the report as the page `docs/proof.md`. */
export declare function renderProof(report: ProofReport): string;

/** Whether every proof came to its end and found nothing. */
export declare function isProven(report: ProofReport): boolean;
