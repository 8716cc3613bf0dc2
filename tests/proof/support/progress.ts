/** The progress of a run, for faults that follow it instead of a clock. */
export interface Progress {
  readonly done: () => number;
  advance(): void;
  end(): void;
  /** Waits for a number of completed writes. @returns whether the run reached it */
  reaches(amount: number): Promise<boolean>;
}

/** Creates a progress of 0. */
export function beginProgress(): Progress {
  let done = 0;
  let isOver = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  return {
    done: () => done,
    advance() {
      done += 1;
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
    reaches: (amount) =>
      new Promise((resolve) => {
        const look = () => {
          if (done < amount && !isOver) return;
          waiting.delete(look);
          resolve(!isOver);
        };
        waiting.add(look);
        look();
      }),
  };
}
