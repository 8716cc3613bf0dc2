/** One request of a flood, and the times between which it was decided. Milliseconds of `performance.now()`. */
export interface Ask {
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  readonly status: number;
  readonly retryAfterSeconds: number;
}

/** What a bucket promises: `limit` at once, and as many again in a minute, evenly. */
export interface Promised {
  readonly limit: number;
}

const clients = 8;

/** Asks so often, by turns at each of the doors, several at a time and without a pause. */
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

/** How many passed, and how many should have at least and at most, by the time that the flood itself took. */
export interface Weighed {
  readonly allowed: number;
  readonly refused: number;
  /** Neither let through nor refused for the rate. */
  readonly others: number;
  /** Above what was in the bucket and came back by the end, and one for the edge of a token. */
  readonly tooMany: number;
  /** Refusals while, by 2 % or more, there was a token left. */
  readonly unjustified: number;
  /** Let through, of what a bucket without any delay would have let through at most. */
  readonly share: number;
}

/**
 * Weighs a flood against its bucket, full at the beginning. Nobody outside knows when a request was decided, only that it
 * was between being sent and being answered: each bound takes the end that is least in its favour, so that what it finds
 * is a fault on any machine, however slow.
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
    // Refused with a whole token in the bucket: so few had been taken out of what was in it for sure by then.
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
