import { repository } from '../../acceptance/support/repository.js';

/** What a server is started with so that its clock can be moved. */
export const movableClock = { NODE_OPTIONS: `--import ${repository}/tests/proof/support/moved-clock.mjs` };

/** The clock of servers, apart from the machine's. */
export interface Clock {
  /** Milliseconds since 1970, as the servers have it. */
  now(): number;
  /** Moves it on; back, when negative. One that stood still goes on standing still. */
  move(byMs: number): Promise<void>;
  /** Has it show this moment until it is moved or stopped at another. */
  stopAt(ms: number): Promise<void>;
}

/** Takes hold of the clocks of servers that were started with {@link movableClock}; they begin with the machine's time. */
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
