/** A request that found no events of a tracker, and waits for them. */
interface Waiter {
  /** The highest event number of the tracker when the request read the events. */
  readonly headSequence: number;
  readonly end: (outcome: WaitOutcome) => void;
}

/**
 * The reason why a wait ended. `events`: new events exist. `over`: the maximum time passed, the client disconnected, the process is
 * stopping, or too many requests were already waiting.
 */
export type WaitOutcome = 'events' | 'over';

/** The maximum number of requests of a process that wait concurrently. */
const waitersMax = 1_000;

/**
 * The requests of this process that wait for events of a tracker. A waiting request uses no database connection. The job that numbers
 * events reads which trackers have waiting requests. When such a tracker has a new event, the job wakes the requests that wait for its
 * events.
 * @source docs/additions.md, sections 3.4 and 3.5
 */
export class EventWaits {
  readonly #waiters = new Map<string, Set<Waiter>>();
  #written = new Set<string>();
  #count = 0;
  #isDraining = false;

  /** The ids of the trackers that have waiting requests. */
  get trackerIds(): readonly string[] {
    return [...this.#waiters.keys()];
  }

  /**
   * Records that this process wrote to the tracker. If a request waits for events of the tracker, or if webhooks are switched on, the
   * numbering job soon assigns numbers to the new events.
   */
  noteWrite(trackerId: string): void {
    this.#written.add(trackerId);
  }

  /** Returns the ids of the trackers to which this process has written since the last call. */
  takeWritten(): ReadonlySet<string> {
    const written = this.#written;
    this.#written = new Set();
    return written;
  }

  /** Returns whether a request waits for events of the tracker. */
  isAwaited(trackerId: string): boolean {
    return this.#waiters.has(trackerId);
  }

  /**
   * Waits for events of the tracker beyond `headSequence`, for at most `msMax` milliseconds. Returns at once while the process drains, or
   * if too many requests are already waiting.
   * @param request.onClose calls its argument when the client has disconnected
   */
  wait(request: {
    readonly trackerId: string;
    readonly headSequence: number;
    readonly msMax: number;
    readonly onClose: (listener: () => void) => void;
  }): Promise<WaitOutcome> {
    const { trackerId, headSequence, msMax, onClose } = request;
    if (this.#isDraining || this.#count >= waitersMax || msMax <= 0) return Promise.resolve('over');
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(trackerId) ?? new Set();
      const end = (outcome: WaitOutcome) => {
        if (!waiters.delete(waiter)) return;
        clearTimeout(timer);
        this.#count -= 1;
        if (waiters.size === 0) this.#waiters.delete(trackerId);
        resolve(outcome);
      };
      const waiter: Waiter = { headSequence, end };
      const timer = setTimeout(end, msMax, 'over');
      this.#waiters.set(trackerId, waiters.add(waiter));
      this.#count += 1;
      onClose(() => end('over'));
    });
  }

  /** Ends the wait of each request that waits for this tracker and whose own `headSequence` is lower than the given one. */
  wake(trackerId: string, headSequence: number): void {
    for (const waiter of this.#waiters.get(trackerId) ?? []) {
      if (headSequence > waiter.headSequence) waiter.end('events');
    }
  }

  /** Ends all waits. Later requests do not wait. */
  drain(): void {
    this.#isDraining = true;
    for (const waiters of this.#waiters.values()) for (const waiter of waiters) waiter.end('over');
  }
}
