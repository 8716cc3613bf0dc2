const firstMsMax = 250;
const everyMsMax = 8_000;

/**
 * Returns the wait before a retry if the server did not set it with Retry-After. The wait has full jitter: it is uniform between 0
 * and min(8 s, 250 ms · 2ⁿ). Clients that failed at the same time therefore do not retry at the same time.
 * @source packages/sdk/README.md, Retries
 * @param retriesMade n: 0 before the first retry
 * @param random returns a uniformly distributed number in [0, 1)
 * @returns milliseconds
 */
export function backoffMs(retriesMade: number, random: () => number): number {
  return random() * Math.min(everyMsMax, firstMsMax * 2 ** retriesMade);
}
