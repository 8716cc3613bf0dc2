const firstPauseMs = 100;
const pauseMsMax = 5_000;

/** So long has one to serve for its end to be a matter of its own, and not the next of a row. Milliseconds. */
export const steadyMs = 10_000;

/**
 * How long to wait before a worker is started again, in milliseconds: not at all after one that served for a while, and each
 * time twice as long where one after the other ends at once, so that what keeps them from serving is not made worse.
 * @param earlyEnds how many in a row ended before they had served for {@link steadyMs}
 */
export function restartPauseMs(earlyEnds: number): number {
  return earlyEnds === 0 ? 0 : Math.min(firstPauseMs * 2 ** (earlyEnds - 1), pauseMsMax);
}
