import { type Answer, type Call, callsTo } from '../../../acceptance/support/call-api.js';
import { drawFrom } from '../draw.js';
import type { Progress } from '../progress.js';
import { type KnownRecords, openRecords } from '../random-writes.js';
import { retryUntilFinal } from '../retry-until-final.js';
import { type SeededRandom, seededRandom } from '../seeded-random.js';
import { createTenant, openProgram, succeed, type Tenant } from '../tenants.js';
import { type Follower, ways } from './follow.js';
import { type mirrorFaults, newMirror } from './mirror.js';

/** A tracker with its followers, and the servers that get their requests. */
export interface Feed {
  readonly origins: readonly string[];
  readonly tenant: Tenant;
  /** The headers of a program that may read every change. */
  readonly asFollower: Readonly<Record<string, string>>;
  /** The records that random writes refer to. */
  readonly known: KnownRecords;
  /** An account that is not in `known`, so that no random write archives it. */
  readonly quietAccountId: string;
  readonly followers: readonly [Follower, ...Follower[]];
}

const followerScopes = [
  ...['changes:read', 'accounts:read', 'audit:read', 'budgets:read', 'catalog:read'],
  ...['movements:read', 'trackers:read', 'webhooks:read'],
];

/** Creates a tracker with one follower for each way of reading. */
export async function openFeed(options: {
  readonly origins: readonly [string, ...string[]];
  readonly seed: number;
  readonly name: string;
  readonly faults: ReturnType<typeof mirrorFaults>;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly onStop: () => void;
}): Promise<Feed> {
  const { origins, seed, name, ...rest } = options;
  const tenant = await createTenant(origins[0]);
  const { trackerId, asUser } = tenant;
  const program = await openProgram(origins[0], asUser, followerScopes);
  const asFollower = { ...program, 'X-Service-Tracker-Id': trackerId };
  const open = (way: (typeof ways)[number]): Follower => ({
    ...rest,
    ...{ origins, headers: asFollower, trackerId, way, mirror: newMirror() },
    random: seededRandom(seed, `follower of ${name}: ${way.name}`),
  });
  const [first, ...others] = ways;
  const call = callsTo(origins[0], asUser);
  const quiet = await succeed(call, 'POST /v1/financial/accounts', { body: { name: 'Quiet', type: 'cash' } });
  return {
    ...{ origins, tenant, asFollower, quietAccountId: quiet.id, known: await openRecords(call) },
    followers: [open(first), ...others.map(open)],
  };
}

/**
 * Returns a function that sends a request to random servers until a response is final. It sends requests for accounts and cashboxes as
 * the user, because a program may not write accounts. The user logs in again when the access token has expired.
 * @param onAnswer called with every response, including those after which the request is retried
 */
export function callAnyone(
  { origins, tenant }: Feed,
  { random, onAnswer }: { readonly random: SeededRandom; readonly onAnswer: (answer: Answer) => void },
): Call {
  return async (methodAndPath, options) => {
    const send = (headers: Readonly<Record<string, string>>) =>
      retryUntilFinal(methodAndPath, async () => {
        const answer = await callsTo(drawFrom(random, origins), headers)(methodAndPath, options);
        onAnswer(answer);
        return answer;
      });
    if (!/\/(?:accounts|cashboxes)/.test(methodAndPath)) return send(tenant.asProgram);
    const answer = await send(tenant.asUser);
    return answer.status === 401 ? send(await logInAgain(origins, tenant)) : answer;
  };
}

async function logInAgain(origins: readonly string[], { email, password, asUser }: Tenant) {
  const methodAndPath = 'POST /v1/identity/sessions';
  const { data } = await retryUntilFinal(methodAndPath, () =>
    callsTo(origins[0] ?? '')(methodAndPath, { body: { email, password } }),
  );
  return Object.assign(asUser, { Authorization: `Bearer ${data.accessToken}` });
}

/** Reads a page of changes from a random server. */
export function listChanges({ origins, asFollower }: Feed, random: SeededRandom, query: string): Promise<Answer> {
  const path = `GET /v1/financial/changes?${query}`;
  return retryUntilFinal(path, () => callsTo(drawFrom(random, origins), asFollower)(path));
}
