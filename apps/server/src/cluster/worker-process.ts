/** How a worker is to leave. */
export interface Leave {
  /** How long it still accepts. */
  readonly drainDelayMs: number;
  /** Whether others go on serving in its place: whoever asks for the health of the server is then told that it is well. */
  readonly isReplaced: boolean;
}

/** A process that serves beside others on one port, as its supervisor sees it. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  /** Resolves with where it listens, once it does; rejects where it ended before. */
  readonly serving: Promise<string>;
  /** Resolves with how it ended: `SIGKILL`, `exit code 1`. Everything that it sent has then been read. */
  readonly ended: Promise<string>;
  /** Asks one that serves to finish what it began and to end; it is killed where that takes beyond all bounds. */
  drain(leave: Leave): void;
  /** Asks one that does not serve yet to end. */
  giveUp(): void;
}
