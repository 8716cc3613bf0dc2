/** The progress of a run. Faults are injected after numbers of completed writes, not at fixed times. */
export interface Progress {
  readonly done: () => number;
  advance(): void;
  end(): void;
  /** Waits for a number of completed writes, or for the end of the run. @returns false if the run has ended */
  waitFor(amount: number): Promise<boolean>;
}

/** Creates a progress of 0. */
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
