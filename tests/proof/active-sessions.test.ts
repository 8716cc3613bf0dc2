import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, callsTo } from '../acceptance/support/call-api.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { until } from '../acceptance/support/until.js';
import { registerAuthenticatorUser } from './support/authenticator-user.js';
import { drawBelow } from './support/draw.js';
import { type Clock, movableClock, takeClock } from './support/move-clock.js';
import { isLong, proofSeed, recordProof } from './support/proof-record.js';
import { seededRandom } from './support/seeded-random.js';
import { type Issuer, issuerBehaviours, issueToken, newIssuerKey, startIssuer } from './support/start-issuer.js';
import { newTally } from './support/tally.js';
import { succeed } from './support/tenants.js';

const rounds = isLong ? 100 : 5;
const writers = 8;
/** The default of `STEP_UP_MAX_AGE_SECONDS`: an older one-time code is not recent. */
const maxAgeSeconds = 600;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
const issuerKey = newIssuerKey();
let issuer: Issuer;
let embedded: string;
let external: string;
let clock: Clock;
let owner: pg.Client;

beforeAll(async () => {
  issuer = await startIssuer();
  issuer.publish(issuerKey);
  const env = { ...movableClock, RATE_LIMIT_ADMIN_PER_MINUTE: '0', RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0' };
  ({ origin: embedded } = await sandbox.startServer({ dataDir, env }));
  const { connectionString } = await getPostgresOf(dataDir);
  owner = new pg.Client({ connectionString });
  await owner.connect();
  ({ origin: external } = await sandbox.startServer({
    env: { ...env, ...issuer.env, DATABASE_URL: connectionString },
  }));
  clock = takeClock([embedded, external]);
});
afterAll(async () => {
  await owner.end();
  await issuer.close();
});

async function openTracker(origin: string, token: string): Promise<string> {
  const call = callsTo(origin, { Authorization: `Bearer ${token}` });
  const body = { name: 'Home', currencyCode: 'EUR', timeZone: 'Europe/Madrid' };
  return (await succeed(call, 'POST /v1/financial/trackers', { body })).id;
}

function createKey(origin: string, { token, trackerId }: { token: string; trackerId: string }): Promise<Answer> {
  const body = { name: 'Key', scopes: ['movements:read'], access: { mode: 'selected', trackerIds: [trackerId] } };
  return callsTo(origin, { Authorization: `Bearer ${token}` })('POST /v1/financial/api-keys', { body });
}

async function countKeys(): Promise<number> {
  const { rows } = await owner.query<{ n: number }>('select count(*)::int as n from app.credentials');
  return rows[0]?.n ?? 0;
}

it('the server creates no API key in a session after the response that confirms the end of the session', async () => {
  const violations = newTally('createdAfterTheAnswer', 'refusedOtherwise', 'notEnded');
  const injected = newTally('rounds', 'keysCreated', 'refusals');
  for (let round = 0; round < rounds; round += 1) {
    const user = await registerAuthenticatorUser(embedded, clock);
    const token = user.accessToken();
    const trackerId = await openTracker(embedded, token);
    const before = await countKeys();
    let made = 0;
    const refusals: Answer[] = [];
    const write = async () => {
      for (;;) {
        const answer = await createKey(embedded, { token, trackerId });
        if (answer.status !== 201) return void refusals.push(answer);
        made += 1;
      }
    };
    const writing = Promise.all(Array.from({ length: writers }, write));
    const keysBeforeTheEnd = drawBelow(seededRandom(proofSeed, `session ${round}`), 2 * writers);
    await until('keys are being created', () => made >= keysBeforeTheEnd || refusals.length > 0);
    const ended = await callsTo(embedded, { Authorization: `Bearer ${token}` })('DELETE /v1/identity/sessions/current');
    const atTheAnswer = await countKeys();
    await writing;
    const atTheEnd = await countKeys();
    injected.rounds += 1;
    injected.keysCreated += atTheEnd - before;
    injected.refusals += refusals.length;
    if (ended.status !== 204) violations.notEnded += 1;
    violations.createdAfterTheAnswer += atTheEnd - atTheAnswer;
    violations.refusedOtherwise += refusals.filter(({ error }) => error.code !== 'SESSION_INACTIVE').length;
  }
  await recordProof({
    id: 'T13',
    promise: 'No key is created in a session after the response that confirms the end of the session',
    seed: proofSeed,
    injected: { ...injected, writers },
    violations,
  });
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
});

/** Returns claims about the login that do not prove a recent one-time code. */
function staleClaims(nowSeconds: number): Readonly<Record<string, unknown>>[] {
  const old = nowSeconds - maxAgeSeconds - 1;
  const totp = (timestamp: unknown) => ({ amr: [{ method: 'totp', timestamp }] });
  const withAmr = (amr: unknown, authTime: unknown) => ({ amr, auth_time: authTime });
  return [
    {},
    { auth_time: nowSeconds },
    ...[null, [], 'otp', 'totp', { method: 'totp', timestamp: nowSeconds }, [[]], [null]].map((amr) =>
      withAmr(amr, nowSeconds),
    ),
    ...[['pwd'], ['mfa'], ['OTP'], ['otp '], ['sms', 'pwd'], [['otp']]].map((amr) => withAmr(amr, nowSeconds)),
    ...[old, 0, -1, nowSeconds + 60, 9e15, String(nowSeconds), null, undefined, [nowSeconds], nowSeconds + 0.5].map(
      (time) => withAmr(['pwd', 'otp'], time),
    ),
    ...[old, 0, -1, nowSeconds + 60, 9e15, nowSeconds * 1000, String(nowSeconds), null, undefined, {}].map(totp),
    { amr: [{ method: 'TOTP', timestamp: nowSeconds }] },
    {
      amr: [
        { method: 'password', timestamp: nowSeconds },
        { method: 'totp', timestamp: old },
      ],
    },
  ];
}

it('the server creates no API key without a recent one-time code, whatever other claims the token has', async () => {
  const violations = newTally('created', 'refusedOtherwise', 'recentRefused');
  const injected = newTally('staleTokens', 'recentTokens');
  // Stops the clock of the servers, because the test uses codes that are exactly as old as allowed.
  await clock.stopAt(Date.now() + 60_000);
  const nowSeconds = Math.floor(clock.now() / 1000);
  const sub = `proof|${randomUUID()}`;
  const issue = (changes: Readonly<Record<string, unknown>>) =>
    issueToken(issuer, issuerKey, { sub, exp: nowSeconds + 3_600, ...changes });
  const trackerId = await openTracker(external, issue({}));
  const expectCreated = async (origin: string, by: { token: string; trackerId: string }) => {
    injected.recentTokens += 1;
    if ((await createKey(origin, by)).status !== 201) violations.recentRefused += 1;
  };
  const expectStale = async (origin: string, by: { token: string; trackerId: string }) => {
    injected.staleTokens += 1;
    const before = await countKeys();
    const { error } = await createKey(origin, by);
    if (error?.code !== 'STEP_UP_REQUIRED') violations.refusedOtherwise += 1;
    violations.created += (await countKeys()) - before;
  };
  for (const changes of staleClaims(nowSeconds)) await expectStale(external, { token: issue(changes), trackerId });
  // The server accepts a time of up to 30 s in the future, because the issuer's clock may be ahead.
  for (const agoSeconds of [0, maxAgeSeconds, -30]) {
    const timestamp = nowSeconds - agoSeconds;
    await expectCreated(external, { token: issue({ amr: [{ method: 'totp', timestamp }] }), trackerId });
    await expectCreated(external, { token: issue({ amr: ['pwd', 'otp'], auth_time: timestamp }), trackerId });
  }
  const user = await registerAuthenticatorUser(embedded, clock);
  const own = { token: user.accessToken(), trackerId: await openTracker(embedded, user.accessToken()) };
  await clock.stopAt((nowSeconds + maxAgeSeconds) * 1000);
  await expectCreated(embedded, own);
  await clock.stopAt((nowSeconds + maxAgeSeconds + 1) * 1000);
  await expectStale(embedded, own);

  await recordProof({
    id: 'T13',
    promise:
      'A key is created only with a recent one-time code, with the embedded provider and with an external issuer',
    seed: null,
    injected,
    violations,
  });
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
});

/** Responses of an issuer that do not report the token's session as active, each with the error code that the client must get. */
const inactiveAnswers: readonly (readonly [unknown, string])[] = [
  ...[{}, [], null, 'yes', true, 1, { active: 'true' }, { active: 1 }, { active: null }, { active: [true] }].map(
    (body) => [body, 'SERVICE_UNAVAILABLE'] as const,
  ),
  [{ active: false }, 'SESSION_INACTIVE'],
  [{ active: true, sub: 'another' }, 'SESSION_INACTIVE'],
  [{ active: true, session_id: 'another' }, 'SESSION_INACTIVE'],
  [{ active: true, sid: 'another' }, 'SESSION_INACTIVE'],
  [{ active: true, iss: 'https://another.example' }, 'SESSION_INACTIVE'],
];

it('the server creates or rotates a credential only if the issuer reports the session as active', async () => {
  const violations = newTally('created', 'refusedOtherwise', 'refusedThoughActive', 'notIntrospected');
  const injected = newTally('answers', 'calls');
  await clock.stopAt(Date.now());
  const nowSeconds = Math.floor(clock.now() / 1000);
  const amr = [{ method: 'totp', timestamp: nowSeconds }];
  const token = issueToken(issuer, issuerKey, { sub: `proof|${randomUUID()}`, amr });
  const by = { token, trackerId: await openTracker(external, token) };
  const call = callsTo(external, { Authorization: `Bearer ${token}` });
  issuer.answerSessions({ body: { active: true } });
  const { clientId } = await createKey(external, by).then(({ data }) => data);
  const client = { name: 'Client', scopes: ['movements:read'] };
  const attempts = [
    () => createKey(external, by),
    () => call(`POST /v1/financial/api-keys/${clientId}/rotate`),
    () => call('POST /v1/financial/integration-clients', { body: client }),
  ];
  const failures = issuerBehaviours.filter((behaviour) => behaviour !== 'working');
  const answers = [
    ...failures.map((behaviour) => [behaviour, 'SERVICE_UNAVAILABLE'] as const),
    ...inactiveAnswers.map(([body, code]) => [{ body }, code] as const),
  ];
  for (const [answer, code] of answers) {
    issuer.answerSessions(answer);
    injected.answers += 1;
    const before = await countKeys();
    const introspectionsBefore = issuer.introspections();
    const answersOfCalls = await Promise.all(attempts.map((attempt) => attempt()));
    injected.calls += answersOfCalls.length;
    violations.notIntrospected += Math.max(0, answersOfCalls.length - (issuer.introspections() - introspectionsBefore));
    violations.refusedOtherwise += answersOfCalls.filter(({ error }) => error?.code !== code).length;
    violations.created += (await countKeys()) - before;
  }
  issuer.answerSessions({ body: { active: true } });
  for (const attempt of attempts) if ((await attempt()).status !== 201) violations.refusedThoughActive += 1;

  await recordProof({
    id: 'T13',
    promise: 'No key is created unless the issuer reports the session as active: the check never fails open',
    seed: null,
    injected,
    violations,
  });
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
});
