/** How far a run has come, for those who do something in step with it rather than with a clock. */
export interface Progress {
  readonly done: () => number;
  advance(): void;
  end(): void;
  /** Waits until so much is done. @returns whether it came to that before the end */
  reaches(amount: number): Promise<boolean>;
}

/** Begins at nothing done. */
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
