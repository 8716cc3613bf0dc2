import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { type Clock, movableClock, takeClock } from './support/move-clock.js';
import { isLong, proofSeed, recordProof } from './support/proof-record.js';
import { quantileOf, runConcurrently } from './support/run-concurrently.js';
import { seededRandom } from './support/seeded-random.js';
import {
  type Issuer,
  type IssuerBehaviour,
  type IssuerKey,
  issuerBehaviours,
  issueToken,
  newIssuerKey,
  startIssuer,
} from './support/start-issuer.js';
import { newTally } from './support/tally.js';

// The number of tokens for each behaviour of the issuer. Every tenth token is valid, to measure how the other tokens affect valid ones.
const floodSize = isLong ? 2_500 : 120;
const concurrency = 20;
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/**
 * The minimum time between two fetches: 30 seconds, minus a second of tolerance. The server measures the 30 seconds from just before it
 * sends a request, but the test measures from the arrival of the request.
 */
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

const injected = newTally('behaviours', 'unknownKeyIds', 'validTokens', 'fetches');
const violations = newTally(
  'fetchesTooSoon',
  'validTokensRefused',
  'unknownAccepted',
  'unknownRefusedOtherwise',
  'newKeyRefused',
  'oldKeyAccepted',
  'not503AfterADay',
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

/** Sends tokens with unknown key ids, and some valid tokens among them. @returns the response times for valid tokens, in ms */
async function sendFlood({ refusals, size }: { readonly refusals: readonly number[]; readonly size: number }) {
  const validToken = tokenOf(key);
  const unknownKey = newIssuerKey();
  const times = await runConcurrently({ times: size, concurrency }, async (position) => {
    if (position % 10 === 0) {
      injected.validTokens += 1;
      const { status, ms } = await present(validToken);
      if (status !== 200) violations.validTokensRefused += 1;
      return ms;
    }
    injected.unknownKeyIds += 1;
    const { status } = await present(tokenOf({ ...unknownKey, kid: crypto.randomUUID() }));
    if (status < 300) violations.unknownAccepted += 1;
    else if (!refusals.includes(status)) violations.unknownRefusedOtherwise += 1;
    return null;
  });
  return times.filter((ms) => ms !== null);
}

/** Rotates the key of the issuer. Half a minute later the server must accept the new key and reject the old key. */
async function rotate(old: IssuerKey | undefined): Promise<IssuerKey> {
  const key = newIssuerKey(random.oneOf(['ES256', 'RS256']));
  issuer.publish(key);
  issuer.answerKeys('working');
  await clock.move(31 * secondMs);
  await expectStatus(key, 200, 'newKeyRefused');
  if (old !== undefined) await expectStatus(old, 401, 'oldKeyAccepted');
  return key;
}

const random = seededRandom(proofSeed, 'signing keys');
let key: IssuerKey;

/**
 * Sets the behaviour of the issuer, and checks the responses of the server during the following 23 hours. Unless the issuer works, also
 * checks that its keys expire after a day.
 * @returns the response times for valid tokens, in ms
 */
async function failForADay(behaviour: IssuerBehaviour): Promise<number[]> {
  issuer.answerKeys(behaviour);
  const refusals = behaviour === 'working' ? [401] : [401, 503];
  const times = await sendFlood({ refusals, size: floodSize / 2 });
  // The keys are fresh for 10 minutes. Afterwards the server fetches them again.
  await clock.move(11 * minuteMs);
  times.push(...(await sendFlood({ refusals, size: floodSize / 4 })));
  await clock.move(31 * secondMs);
  times.push(...(await sendFlood({ refusals, size: floodSize / 4 })));
  await clock.move(23 * hourMs);
  await expectStatus(key, 200, 'validTokensRefused');
  if (behaviour === 'working') return times;
  // A day after the last fetch the keys have expired. The server must return 503 and not 401, so that clients keep their tokens.
  await clock.move(2 * hourMs);
  await expectStatus(key, 503, 'not503AfterADay');
  issuer.answerKeys('working');
  await clock.move(31 * secondMs);
  await expectStatus(key, 200, 'validTokensRefused');
  return times;
}

describe('the signing keys of a token issuer that fails', () => {
  it('are fetched at most once in half a minute, and remain valid for a day', async () => {
    key = await rotate(undefined);
    const baseMs = await runConcurrently({ times: 100, concurrency }, async () => (await present(tokenOf(key))).ms);
    const floodMs: number[] = [];
    const p99ByBehaviour: Record<string, number> = {};
    for (const behaviour of issuerBehaviours) {
      injected.behaviours += 1;
      key = await rotate(key);
      const times = await failForADay(behaviour);
      floodMs.push(...times);
      p99ByBehaviour[`p99 ms ${behaviour}`] = quantileOf(times, 0.99);
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
        'p50 ms of valid tokens': quantileOf(baseMs, 0.5),
        'p99 ms of valid tokens': quantileOf(baseMs, 0.99),
        'p50 ms of valid tokens in floods': quantileOf(floodMs, 0.5),
        'p99 ms of valid tokens in floods': quantileOf(floodMs, 0.99),
        ...p99ByBehaviour,
      },
      violations,
    });
    expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
  });
});
