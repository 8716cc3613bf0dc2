import { fitSlope, medianOf, quarterOf } from './growth.js';

/** How much memory a server had after so many requests. */
export interface Weight {
  readonly atMs: number;
  readonly requests: number;
  readonly bytes: number;
}

/** How a server's memory went along with its requests. */
export interface MemoryVerdict {
  /** Beyond what may be: the server keeps something of its requests. */
  readonly isGrowing: boolean;
  readonly mbPerMinute: number;
  /** From the first quarter to the last. */
  readonly grownMb: number;
  /** From the second quarter to the last, for each request between them. */
  readonly bytesPerRequest: number;
  /** What a request would have had to leave behind for this to be seen. */
  readonly tellableBytesPerRequest: number;
}

const mb = 2 ** 20;
const bytesPerRequestMax = 256;

/**
 * Judges weights of a server that is warm. Pure.
 *
 * What may be is counted by requests and not by minutes: a slow machine sends fewer in the same time, a leak is then smaller,
 * and the bound with it. `strayBytesMax` is what goes up and down without any request being kept. So 1 kB kept of each
 * request is told from some 5,500 requests on with 2 MB of it; the medians of the quarters are half of the requests apart.
 * @throws Error for fewer than four weights
 */
export function weighMemory(
  weights: readonly Weight[],
  { strayBytesMax }: { readonly strayBytesMax: number },
): MemoryVerdict {
  const bytesIn = (quarter: 1 | 2 | 4) => {
    const [first, ...others] = quarterOf(weights, quarter);
    return medianOf([first.bytes, ...others.map(({ bytes }) => bytes)]);
  };
  const requestsIn = (quarter: 2 | 4) => {
    const [first, ...others] = quarterOf(weights, quarter);
    return medianOf([first.requests, ...others.map(({ requests }) => requests)]);
  };
  const grownBytes = bytesIn(4) - bytesIn(2);
  const requests = requestsIn(4) - requestsIn(2);
  const points = weights.map(({ atMs, bytes }) => ({ x: atMs / 60_000, y: bytes / mb }));
  return {
    isGrowing: grownBytes > strayBytesMax + requests * bytesPerRequestMax,
    mbPerMinute: fitSlope(points),
    grownMb: (bytesIn(4) - bytesIn(1)) / mb,
    bytesPerRequest: grownBytes / requests,
    tellableBytesPerRequest: strayBytesMax / requests + bytesPerRequestMax,
  };
}
