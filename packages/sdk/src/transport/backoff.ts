const firstMsMax = 250;
const everyMsMax = 8_000;

/**
 * Returns the wait before a retry without Retry-After: full jitter, uniform between 0 and min(8 s, 250 ms · 2ⁿ), so
 * that clients that failed together do not retry together.
 * @source reliability, SDK
 * @param retriesMade n: 0 before the first retry
 * @param random uniform in [0, 1)
 * @returns milliseconds
 */
export function backoffMs(retriesMade: number, random: () => number): number {
  return random() * Math.min(everyMsMax, firstMsMax * 2 ** retriesMade);
}
