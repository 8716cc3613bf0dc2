import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { type Clock, movableClock, takeClock } from './support/move-clock.js';
import { isLong, proofSeed, recordProof } from './support/proof-record.js';
import { doAtOnce, quantileOf } from './support/run-concurrently.js';
import { chanceOf } from './support/seeded-chance.js';
import {
  type Issuer,
  type IssuerKey,
  issueToken,
  type Manner,
  manners,
  newIssuerKey,
  startIssuer,
} from './support/start-issuer.js';
import { newTally } from './support/tally.js';

// The tokens for each failure of the issuer. Every tenth is valid, to measure the effect of the others.
const floodSize = isLong ? 2_500 : 120;
const atOnce = 20;
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/** The least time between two fetches, minus a second, because the server records the time before it fetches. */
const pauseMs = 29 * secondMs;

const sandbox = openSandbox();
let issuer: Issuer;
let origin: string;
let clock: Clock;

beforeAll(async () => {
  issuer = await startIssuer();
  const env = { ...issuer.env, ...movableClock, RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0' };
  ({ origin } = await sandbox.startServer({ dataDir: sandbox.newDataDir(), env }));
  clock = takeClock([origin]);
});
afterAll(() => issuer.close());

const injected = newTally('manners', 'unknownKeyIds', 'goodTokens', 'fetches');
const violations = newTally(
  'fetchesTooSoon',
  'goodTokensRefused',
  'unknownAccepted',
  'unknownRefusedOtherwise',
  'newKeyNotTaken',
  'oldKeyTaken',
  'notTold503AfterADay',
);

async function present(token: string): Promise<{ readonly status: number; readonly ms: number }> {
  const startedAt = performance.now();
  const response = await fetch(`${origin}/v1/financial/trackers`, { headers: { Authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return { status: response.status, ms: performance.now() - startedAt };
}

/** Returns a token that is valid by the clock of the server. */
function tokenOf(key: IssuerKey): string {
  const nowSeconds = Math.floor(clock.now() / secondMs);
  return issueToken(issuer, key, { iat: nowSeconds, exp: nowSeconds + 3_600 });
}

async function expectStatus(key: IssuerKey, status: number, violation: keyof typeof violations): Promise<void> {
  if ((await present(tokenOf(key))).status !== status) violations[violation] += 1;
}

/** Sends tokens with unknown key ids, and valid ones among them. @returns the durations of the valid ones, in ms */
async function flood({ refusals, size }: { readonly refusals: readonly number[]; readonly size: number }) {
  const good = tokenOf(key);
  const stranger = newIssuerKey();
  const times = await doAtOnce({ times: size, width: atOnce }, async (position) => {
    if (position % 10 === 0) {
      injected.goodTokens += 1;
      const { status, ms } = await present(good);
      if (status !== 200) violations.goodTokensRefused += 1;
      return ms;
    }
    injected.unknownKeyIds += 1;
    const { status } = await present(tokenOf({ ...stranger, kid: crypto.randomUUID() }));
    if (status < 300) violations.unknownAccepted += 1;
    else if (!refusals.includes(status)) violations.unknownRefusedOtherwise += 1;
    return null;
  });
  return times.filter((ms) => ms !== null);
}

/** The issuer rotates its key. Half a minute later the server accepts the new key and rejects the old one. */
async function rotate(old: IssuerKey | undefined): Promise<IssuerKey> {
  const key = newIssuerKey(chance.oneOf(['ES256', 'RS256']));
  issuer.publish(key);
  issuer.answerKeys('well');
  await clock.move(31 * secondMs);
  await expectStatus(key, 200, 'newKeyNotTaken');
  if (old !== undefined) await expectStatus(old, 401, 'oldKeyTaken');
  return key;
}

const chance = chanceOf(proofSeed, 'signing keys');
let key: IssuerKey;

/** The issuer fails for more than a day after its keys were fetched. @returns the durations of valid tokens, in ms */
async function misbehave(manner: Manner): Promise<number[]> {
  // The server fetches the keys again when they are no longer fresh.
  issuer.answerKeys(manner);
  const refusals = manner === 'well' ? [401] : [401, 503];
  const times = await flood({ refusals, size: floodSize / 2 });
  await clock.move(11 * minuteMs);
  times.push(...(await flood({ refusals, size: floodSize / 4 })));
  await clock.move(31 * secondMs);
  times.push(...(await flood({ refusals, size: floodSize / 4 })));
  await clock.move(23 * hourMs);
  await expectStatus(key, 200, 'goodTokensRefused');
  if (manner === 'well') return times;
  // A day after the last fetch the keys have expired. The answer must not make clients discard their tokens.
  await clock.move(2 * hourMs);
  await expectStatus(key, 503, 'notTold503AfterADay');
  issuer.answerKeys('well');
  await clock.move(31 * secondMs);
  await expectStatus(key, 200, 'goodTokensRefused');
  return times;
}

describe('an issuer that fails', () => {
  it('is fetched at most once in half a minute, and tokens of its known keys stay valid for a day', async () => {
    key = await rotate(undefined);
    const baseMs = await doAtOnce({ times: 100, width: atOnce }, async () => (await present(tokenOf(key))).ms);
    const floodMs: number[] = [];
    const p99ByManner: Record<string, number> = {};
    for (const manner of manners) {
      injected.manners += 1;
      key = await rotate(key);
      const times = await misbehave(manner);
      floodMs.push(...times);
      p99ByManner[`p99 ms ${manner}`] = quantileOf(times, 0.99);
    }
    const fetchedAtMs = issuer.keyFetchesAtMs;
    injected.fetches = fetchedAtMs.length;
    violations.fetchesTooSoon = fetchedAtMs.filter(
      (atMs, index) => index > 0 && atMs - (fetchedAtMs[index - 1] ?? 0) < pauseMs,
    ).length;

    await recordProof({
      id: 'T12',
      promise: 'The keys of a failing issuer are fetched at most once in 30 s, and known keys stay valid for 24 h',
      seed: proofSeed,
      injected,
      measured: {
        'p50 ms of good tokens': quantileOf(baseMs, 0.5),
        'p99 ms of good tokens': quantileOf(baseMs, 0.99),
        'p50 ms of good tokens in floods': quantileOf(floodMs, 0.5),
        'p99 ms of good tokens in floods': quantileOf(floodMs, 0.99),
        ...p99ByManner,
      },
      violations,
    });
    expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
  });
});
