/** One request of a flood, with the times of its start and its answer, in milliseconds of `performance.now()`. */
export interface Ask {
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  readonly status: number;
  readonly retryAfterSeconds: number;
}

/** A token bucket: `limit` tokens at once, refilled evenly within a minute. */
export interface Promised {
  readonly limit: number;
}

const clients = 8;

/** Sends a number of requests to the servers in turn, several at once and without a pause. */
export async function flood(doors: readonly (() => Promise<Ask>)[], times: number): Promise<Ask[]> {
  const asks: Ask[] = [];
  let next = 0;
  const client = async () => {
    for (; next < times; ) {
      const door = doors[next % doors.length];
      next += 1;
      if (door !== undefined) asks.push(await door());
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return asks;
}

/** The accepted requests, and the least and the most that the bucket allows in the duration of the flood. */
export interface Weighed {
  readonly allowed: number;
  readonly refused: number;
  /** Neither accepted nor refused with 429. */
  readonly others: number;
  /** Accepted beyond the tokens of the bucket and its refill, plus one for rounding. */
  readonly tooMany: number;
  /** Refused while at least 1.02 tokens were left. */
  readonly unjustified: number;
  /** The share of accepted requests among those that a bucket without delay would accept. */
  readonly share: number;
}

/**
 * Compares a flood with its bucket, which is full at the start. A request was decided at an unknown time between its
 * start and its answer. Each bound uses the more lenient end, so that a violation is a bug on a slow machine too.
 */
export function weigh(asks: readonly Ask[], { limit }: Promised, passes: (status: number) => boolean): Weighed {
  const perMs = limit / 60_000;
  const passed = asks.filter(({ status }) => passes(status));
  const refused = asks.filter(({ status }) => status === 429);
  const firstSent = Math.min(...asks.map(({ sentAtMs }) => sentAtMs));
  const firstAnswered = Math.min(...asks.map(({ answeredAtMs }) => answeredAtMs));
  const lastAnswered = Math.max(...asks.map(({ answeredAtMs }) => answeredAtMs));
  const most = Math.min(asks.length, limit + perMs * (lastAnswered - firstSent));
  const unjustified = refused.filter((refusal) => {
    const before = passed.filter(({ sentAtMs }) => sentAtMs <= refusal.answeredAtMs).length;
    // Refused with a whole token in the bucket, counted with the most tokens that may have been taken.
    return before < 0.98 * (limit - 1 + perMs * Math.max(0, refusal.sentAtMs - firstAnswered));
  });
  return {
    allowed: passed.length,
    refused: refused.length,
    others: asks.length - passed.length - refused.length,
    tooMany: Math.max(0, Math.ceil(passed.length - most - 1)),
    unjustified: unjustified.length,
    share: passed.length / Math.floor(most),
  };
}
