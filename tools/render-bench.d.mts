/** What one side did in all rounds of a workload: medians of the rounds. */
export interface BenchFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of one request in microseconds, by who spent it; null where the system does not tell. */
  readonly processorUs: Readonly<Record<'server' | 'postgres' | 'client', number | null>>;
  readonly perSecondOfRounds: readonly number[];
}

/** What `tests/bench` found. */
export interface BenchResults {
  /** The versions; pgbench is null where it is not installed. */
  readonly postgres: string;
  readonly pgbench: string | null;
  readonly connections: number;
  /** How many were in the books at the beginning. */
  readonly movements: number;
  readonly rounds: number;
  readonly secondsOfRound: number;
  readonly workloads: readonly {
    readonly id: string;
    readonly title: string;
    readonly centavo: BenchFigures;
    /** Null without pgbench, and so is the ratio. */
    readonly reference: BenchFigures | null;
    readonly ratio: number | null;
  }[];
  readonly imported: {
    readonly rows: number;
    readonly seconds: number;
    readonly rowsPerSecond: number;
    readonly peakMemoryMb: number;
    /** Rows a second of pgbench, before and after; null without pgbench, and so is the ratio. */
    readonly referencePerSecond: readonly [number, number] | null;
    readonly ratio: number | null;
  } | null;
  /** What `centavo-server check` said of the books at the end. */
  readonly books: string;
}

/** When and where a run was. */
export interface RunPlace {
  /** When it began: `2026-03-01T12:00:00.000Z`. */
  readonly startedAt: string;
  /** What the sources were at: `ed963af`. Null where git does not tell. */
  readonly commit: string | null;
  readonly machine: {
    readonly processor: string;
    readonly cores: number;
    readonly memoryGb: number;
    readonly system: string;
    readonly node: string;
    /** Of the last minute before the run: how many processes wanted a core. Null where the system does not tell. */
    readonly load: number | null;
  };
}

/** One run of the benchmark, as `docs/benchmarks.json` holds it. */
export interface BenchReport extends BenchResults, RunPlace {}

/** Writes the figures of a run as a section for people. */
export declare function renderBench(report: BenchReport): string;

/** Writes a run as JSON, laid out as the lint of this repository wants it. */
export declare function formatReport(report: BenchReport): string;

/**
 * Puts figures in the place of those that a page has, and leaves all else as it is.
 * @param marks the lines between which they stand; those of the benchmark unless told
 * @throws Error where the page has no place for them
 */
export declare function placeFigures(page: string, figures: string, marks?: readonly [string, string]): string;
