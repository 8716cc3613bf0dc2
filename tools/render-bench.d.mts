/** The results of Centavo or of pgbench for a workload: medians of all rounds. */
export interface BenchFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The CPU time of one request in microseconds, by process; null if the system does not report it. */
  readonly processorUs: Readonly<Record<'server' | 'postgres' | 'client', number | null>>;
  readonly perSecondOfRounds: readonly number[];
}

/** The results of `tests/bench`. */
export interface BenchResults {
  /** The versions of PostgreSQL and of pgbench. `pgbench` is null if it is not installed. */
  readonly postgres: string;
  readonly pgbench: string | null;
  readonly connections: number;
  /** The number of movements at the start. */
  readonly movements: number;
  readonly rounds: number;
  readonly secondsOfRound: number;
  readonly workloads: readonly {
    readonly id: string;
    readonly title: string;
    readonly centavo: BenchFigures;
    /** Without pgbench, `reference` and `ratio` are null. */
    readonly reference: BenchFigures | null;
    readonly ratio: number | null;
  }[];
  readonly imported: {
    readonly rows: number;
    readonly seconds: number;
    readonly rowsPerSecond: number;
    readonly peakMemoryMb: number;
    /** The rows per second of pgbench, before and after the import. Without pgbench, this value and `ratio` are null. */
    readonly referencePerSecond: readonly [number, number] | null;
    readonly ratio: number | null;
  } | null;
  /** The output of `centavo-server check` at the end. */
  readonly books: string;
}

/** The time, the sources and the machine of a run. */
export interface RunContext {
  /** The start of the run: `2026-03-01T12:00:00.000Z`. */
  readonly startedAt: string;
  /** The commit of the sources: `ed963af`. Null without git. */
  readonly commit: string | null;
  readonly machine: {
    readonly processor: string;
    readonly cores: number;
    readonly memoryGb: number;
    readonly system: string;
    readonly node: string;
    /** The load average of the last minute before the run. Null if the system does not report it. */
    readonly load: number | null;
  };
}

/** One run of the benchmark, as `docs/benchmarks.json` stores it. */
export interface BenchReport extends BenchResults, RunContext {}

/** Renders the results of a run as a section of a page. */
export declare function renderBench(report: BenchReport): string;

/** Formats a run as JSON in the style of this repository. */
export declare function formatReport(report: BenchReport): string;

/**
 * Replaces the results in a page.
 * @param marks the lines before and after the results; by default those of the benchmark
 * @throws Error if the page does not have the marks
 */
export declare function placeFigures(page: string, figures: string, marks?: readonly [string, string]): string;
