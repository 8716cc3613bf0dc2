/** Counts the completed writes of a run, so that a fault is injected after a number of writes and not at a fixed time. */
export interface Progress {
  readonly done: () => number;
  advance(): void;
  end(): void;
  /** Waits for a number of completed writes, or for the end of the run. @returns false if the run has ended */
  waitFor(amount: number): Promise<boolean>;
}

/** Returns the progress of a run that has no completed writes yet. */
export function newProgress(): Progress {
  let done = 0;
  let isOver = false;
  const waiting = new Set<() => void>();
  const notify = () => {
    for (const check of waiting) check();
  };
  return {
    done: () => done,
    advance() {
      done += 1;
      notify();
    },
    end() {
      isOver = true;
      notify();
    },
    waitFor: (amount) =>
      new Promise((resolve) => {
        const check = () => {
          if (done < amount && !isOver) return;
          waiting.delete(check);
          resolve(!isOver);
        };
        waiting.add(check);
        check();
      }),
  };
}
