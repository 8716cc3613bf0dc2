import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { doAtOnce, quantileOf } from './support/at-once.js';
import { type Clock, movableClock, takeClock } from './support/move-clock.js';
import { isLong, proofSeed, recordProof } from './support/proof-record.js';
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

// Of each manner of the issuer; every tenth is a good one, to see whether it feels the others.
const floodSize = isLong ? 2_500 : 120;
const atOnce = 20;
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/** Between two fetches, as the server promises; less a second, because it notes the time before it asks. */
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

/** A token that is good by the clock of the server. */
function tokenOf(key: IssuerKey): string {
  const nowSeconds = Math.floor(clock.now() / secondMs);
  return issueToken(issuer, key, { iat: nowSeconds, exp: nowSeconds + 3_600 });
}

async function expectStatus(key: IssuerKey, status: number, violation: keyof typeof violations): Promise<void> {
  if ((await present(tokenOf(key))).status !== status) violations[violation] += 1;
}

/** Tokens with key ids that nobody has ever seen, and good ones among them. @returns how long the good ones took */
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

/** The issuer begins to sign with another key; half a minute later that one is known, and the one before is not. */
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

/** An issuer that misbehaves for a day and longer, from just after its keys were had. @returns times of good tokens */
async function misbehave(manner: Manner): Promise<number[]> {
  // It may be well for a while after it was asked; what is not fresh is asked for again.
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
  // A day after its last word nothing is known any more, and a client is not told to throw its token away for that.
  await clock.move(2 * hourMs);
  await expectStatus(key, 503, 'notTold503AfterADay');
  issuer.answerKeys('well');
  await clock.move(31 * secondMs);
  await expectStatus(key, 200, 'goodTokensRefused');
  return times;
}

describe('an issuer that misbehaves', () => {
  it('is asked at most once in half a minute, and nobody with a key it published feels it for a day', async () => {
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
      promise:
        'An issuer that fails in any way is asked for its keys at most once in 30 s, and known keys go on for 24 h',
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
