import { fitSlope, medianOf, quarterOf } from './growth.js';

/** The memory of a server after a number of requests. */
export interface MemorySample {
  readonly atMs: number;
  readonly requests: number;
  readonly bytes: number;
}

/** The growth of a server's memory with its requests. */
export interface MemoryVerdict {
  /** Whether the growth exceeds the bound, which means that the server leaks memory. */
  readonly isGrowing: boolean;
  readonly mbPerMinute: number;
  /** The growth from the first quarter to the last, in megabytes. */
  readonly grownMb: number;
  /** The growth from the second quarter to the last, in bytes for each request. */
  readonly bytesPerRequest: number;
  /** The smallest detectable leak, in bytes for each request. */
  readonly detectableBytesPerRequest: number;
}

const mb = 2 ** 20;
const bytesPerRequestMax = 256;

/**
 * Evaluates measurements of a warm server. Pure.
 *
 * The bound grows with the requests, not with the minutes, because a slow machine sends fewer requests and leaks less.
 * `noiseBytesMax` is the variation without a leak. The growth is the median of the last quarter minus the median of the second
 * quarter, so it covers only half of the requests. Therefore, with a variation of 2 MB, a leak of 1 kB for each request is detected
 * only after about 5,500 requests.
 * @throws Error if there are fewer than four measurements
 */
export function evaluateMemory(
  samples: readonly MemorySample[],
  { noiseBytesMax }: { readonly noiseBytesMax: number },
): MemoryVerdict {
  const bytesIn = (quarter: 1 | 2 | 4) => {
    const [first, ...others] = quarterOf(samples, quarter);
    return medianOf([first.bytes, ...others.map(({ bytes }) => bytes)]);
  };
  const requestsIn = (quarter: 2 | 4) => {
    const [first, ...others] = quarterOf(samples, quarter);
    return medianOf([first.requests, ...others.map(({ requests }) => requests)]);
  };
  const grownBytes = bytesIn(4) - bytesIn(2);
  const requests = requestsIn(4) - requestsIn(2);
  const points = samples.map(({ atMs, bytes }) => ({ x: atMs / 60_000, y: bytes / mb }));
  return {
    isGrowing: grownBytes > noiseBytesMax + requests * bytesPerRequestMax,
    mbPerMinute: fitSlope(points),
    grownMb: (bytesIn(4) - bytesIn(1)) / mb,
    bytesPerRequest: grownBytes / requests,
    detectableBytesPerRequest: noiseBytesMax / requests + bytesPerRequestMax,
  };
}
