import { repository } from '../../acceptance/support/repository.js';

/** The environment variables of a server with a movable clock. */
export const movableClock = { NODE_OPTIONS: `--import ${repository}/tests/proof/support/moved-clock.mjs` };

/** The clock of the servers under test. A test can move or stop it without changing the clock of the machine. */
export interface Clock {
  /** Returns the milliseconds since 1970 by the clock of the servers. */
  now(): number;
  /** Moves the clock forward, or back by a negative value. A stopped clock stays stopped. */
  move(byMs: number): Promise<void>;
  /** Stops the clock at a moment. */
  stopAt(ms: number): Promise<void>;
}

/** Returns the clock of servers that were started with {@link movableClock}. The clock starts at the time of the machine. */
export function takeClock(origins: readonly string[]): Clock {
  let state: { readonly aheadMs: number } | { readonly stoppedAtMs: number } = { aheadMs: 0 };
  async function set(next: typeof state): Promise<void> {
    state = next;
    for (const origin of origins) {
      const response = await fetch(`${origin}/health/live`, { headers: { 'X-Proof-Clock': JSON.stringify(state) } });
      await response.arrayBuffer();
    }
  }
  return {
    now: () => ('stoppedAtMs' in state ? state.stoppedAtMs : Date.now() + state.aheadMs),
    move: (byMs) =>
      set('stoppedAtMs' in state ? { stoppedAtMs: state.stoppedAtMs + byMs } : { aheadMs: state.aheadMs + byMs }),
    stopAt: (ms) => set({ stoppedAtMs: ms }),
  };
}
