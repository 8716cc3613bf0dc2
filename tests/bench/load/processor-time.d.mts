/**
 * Processor time of a server, and of its PostgreSQL with all backends, in milliseconds; null where the system does not
 * tell.
 */
export interface ProcessorReading {
  readonly server: number | null;
  readonly postgres: number | null;
}

/** Processor time that the processes with these ids have used so far. */
export declare function readProcessorMs(pids: { readonly server: number; readonly postgres: number }): ProcessorReading;

/** Processor time that was used between two readings. */
export declare function spentBetween(before: ProcessorReading, after: ProcessorReading): ProcessorReading;

/** Reads a line of /proc/<pid>/stat. */
export declare function parseProcessTimes(stat: string): {
  readonly parentPid: number;
  readonly ownMs: number;
  readonly endedChildrenMs: number;
};
