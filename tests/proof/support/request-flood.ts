/** One request of a flood, with the times of its start and its response, in milliseconds of `performance.now()`. */
export interface TimedRequest {
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  readonly status: number;
  readonly retryAfterSeconds: number;
}

/** A token bucket with at most `limit` tokens. An empty bucket is full again after a minute. */
export interface Bucket {
  readonly limit: number;
}

const clients = 8;

/** Sends a number of requests alternately to the servers, several concurrently and without a pause. */
export async function sendFlood(
  senders: readonly (() => Promise<TimedRequest>)[],
  times: number,
): Promise<TimedRequest[]> {
  const requests: TimedRequest[] = [];
  let next = 0;
  const client = async () => {
    for (; next < times; ) {
      const send = senders[next % senders.length];
      next += 1;
      if (send !== undefined) requests.push(await send());
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return requests;
}

/** The numbers of accepted and refused requests, and their differences from the numbers that the bucket allows. */
export interface FloodResult {
  readonly allowed: number;
  readonly refused: number;
  /** The number of requests that were neither accepted nor refused with 429. */
  readonly others: number;
  /**
   * The number of accepted requests for which the bucket, even with its refill, had no token. One such request is not counted, because
   * of rounding.
   */
  readonly tooMany: number;
  /** The number of requests that were refused although a token was left. Ignores the last 2 % of the tokens. */
  readonly unjustified: number;
  /** The number of accepted requests, divided by the largest number that the bucket could accept in this time. */
  readonly share: number;
}

/**
 * Compares a flood with its bucket, which is full at the start. The server decided each request at an unknown time between its
 * start and its response. Each bound uses the more lenient time, so that a violation is a bug even on a slow machine.
 */
export function compareWithBucket(
  requests: readonly TimedRequest[],
  { limit }: Bucket,
  isAccepted: (status: number) => boolean,
): FloodResult {
  const tokensPerMs = limit / 60_000;
  const accepted = requests.filter(({ status }) => isAccepted(status));
  const refused = requests.filter(({ status }) => status === 429);
  const firstSent = Math.min(...requests.map(({ sentAtMs }) => sentAtMs));
  const firstAnswered = Math.min(...requests.map(({ answeredAtMs }) => answeredAtMs));
  const lastAnswered = Math.max(...requests.map(({ answeredAtMs }) => answeredAtMs));
  const acceptedMax = Math.min(requests.length, limit + tokensPerMs * (lastAnswered - firstSent));
  const unjustified = refused.filter((refusal) => {
    const before = accepted.filter(({ sentAtMs }) => sentAtMs <= refusal.answeredAtMs).length;
    // Counts all accepted requests that may have consumed a token before the refusal. If a token is left even so, the refusal was
    // wrong.
    return before < 0.98 * (limit - 1 + tokensPerMs * Math.max(0, refusal.sentAtMs - firstAnswered));
  });
  return {
    allowed: accepted.length,
    refused: refused.length,
    others: requests.length - accepted.length - refused.length,
    tooMany: Math.max(0, Math.ceil(accepted.length - acceptedMax - 1)),
    unjustified: unjustified.length,
    share: accepted.length / Math.floor(acceptedMax),
  };
}
