/** The CPU time of a server, and of its PostgreSQL with all backends, in milliseconds; null if the system does not report it. */
export interface ProcessorReading {
  readonly server: number | null;
  readonly postgres: number | null;
}

/** Returns the CPU time that the processes with these ids have used so far. */
export declare function readProcessorMs(pids: { readonly server: number; readonly postgres: number }): ProcessorReading;

/** Returns the CPU time between two readings. */
export declare function spentBetween(before: ProcessorReading, after: ProcessorReading): ProcessorReading;

/** Parses a line of /proc/<pid>/stat. */
export declare function parseProcessTimes(stat: string): {
  readonly parentPid: number;
  readonly ownMs: number;
  readonly endedChildrenMs: number;
};
