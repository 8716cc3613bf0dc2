import { FinancialClient } from '@centavo/sdk';
import { callsTo } from '../../../acceptance/support/call-api.js';
import { drawBelow, drawFrom } from '../draw.js';
import type { Progress } from '../progress.js';
import { retryUntilFinal } from '../retry-until-final.js';
import type { SeededRandom } from '../seeded-random.js';
import { accept, type Mirror, type mirrorFaults } from './mirror.js';

/** A client that reads the change feed of one tracker, with its servers, credentials and mirror. */
export interface Follower {
  /** The addresses of the servers. Each request, or each run of the SDK, goes to one of them. */
  readonly origins: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly trackerId: string;
  readonly way: Way;
  readonly mirror: Mirror;
  readonly random: SeededRandom;
  readonly faults: ReturnType<typeof mirrorFaults>;
  readonly progress: Progress;
  /** Ends the follower. */
  readonly signal: AbortSignal;
  /** Called when the follower simulates a killed program. */
  readonly onStop: () => void;
}

/** The way in which a follower reads: with `follow` of the SDK or with its own requests. */
export interface Way {
  readonly name: string;
  readonly isSdk: boolean;
  readonly include?: 'record';
  readonly waitSeconds: number;
  readonly limitMax: number;
}

export const ways: readonly [Way, ...Way[]] = [
  { name: 'follow with records', isSdk: true, include: 'record', waitSeconds: 20, limitMax: 100 },
  { name: 'follow in small pages', isSdk: true, waitSeconds: 2, limitMax: 7 },
  { name: 'requests with records', isSdk: false, include: 'record', waitSeconds: 0, limitMax: 40 },
  { name: 'requests that wait', isSdk: false, waitSeconds: 1, limitMax: 200 },
];

/** A follower that does not wait for changes reads again after this number of further writes to any tracker. */
const writesBetweenReads = 10;

/**
 * Follows until the signal aborts, with random stops that simulate a killed program. After a stop the follower continues from its
 * stored cursor.
 * @throws the error of the SDK, or an Error for a final response other than 200
 */
export async function follow(follower: Follower): Promise<void> {
  while (!follower.signal.aborted) {
    if (follower.way.isSdk) await runSdk(follower);
    else await readOnce(follower, follower.way.waitSeconds);
  }
}

/** Reads until no more changes follow. */
export async function catchUp(follower: Follower): Promise<void> {
  while (await readOnce(follower, 0));
}

/** Returns a client of the SDK for the tracker, at a random server. */
export function clientOf({ origins, headers, trackerId, random }: Follower): FinancialClient {
  const token = headers.Authorization?.replace('Bearer ', '') ?? '';
  return new FinancialClient({ baseUrl: drawFrom(random, origins), token, trackerId });
}

async function runSdk(follower: Follower): Promise<void> {
  const { way, mirror, random, signal, faults } = follower;
  const limit = 1 + drawBelow(random, way.limitMax);
  const { include, waitSeconds } = way;
  const changes = clientOf(follower).changes.follow({ after: mirror.cursor, limit, include, waitSeconds, signal });
  let left = 1 + drawBelow(random, 100);
  for await (const { change, cursor } of changes) {
    accept(mirror, change, faults);
    mirror.cursor = cursor;
    mirror.cursors.push({ sequence: change.sequence, cursor });
    left -= 1;
    if (left === 0) {
      follower.onStop();
      return;
    }
  }
}

/** Reads one page from a random server. @returns whether more changes may follow */
async function readOnce(follower: Follower, waitSeconds: number): Promise<boolean> {
  const { way, mirror, random, faults, progress } = follower;
  const query = new URLSearchParams({ limit: String(1 + drawBelow(random, way.limitMax)) });
  if (mirror.cursor !== undefined) query.set('after', mirror.cursor);
  if (way.include !== undefined) query.set('include', way.include);
  if (waitSeconds > 0) query.set('waitSeconds', String(waitSeconds));
  const path = `GET /v1/financial/changes?${query}`;
  const { status, data, meta, error } = await retryUntilFinal(path, () =>
    callsTo(drawFrom(random, follower.origins), follower.headers)(path),
  );
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(error)}`);
  if (!follower.signal.aborted && random.hits(0.1)) {
    // Simulates a kill before the page and its cursor were stored.
    follower.onStop();
    return true;
  }
  for (const change of data) accept(mirror, change, faults);
  mirror.cursor = meta.feed.cursor;
  if (data.length > 0) mirror.cursors.push({ sequence: data.at(-1).sequence, cursor: meta.feed.cursor });
  if (data.length === 0 && waitSeconds === 0) await progress.waitFor(progress.done() + writesBetweenReads);
  return meta.feed.hasMore;
}
