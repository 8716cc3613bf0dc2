import { createPrivateKey } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callsTo } from '../acceptance/support/call-api.js';
import { asOwner, getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { forgeClaims, forgeExpired } from './support/forged-claims.js';
import { type Forgery, forgeTokens, type ValidToken } from './support/forged-tokens.js';
import { mutateSecret, mutateToken } from './support/mutate-credential.js';
import { isLong, proofSeed, recordProof } from './support/proof-record.js';
import { runConcurrently } from './support/run-concurrently.js';
import { seededRandom } from './support/seeded-random.js';
import { signToken } from './support/sign-token.js';
import { type Issuer, newIssuerKey, startIssuer } from './support/start-issuer.js';
import { newTally } from './support/tally.js';
import { registerUser, succeed } from './support/tenants.js';

const mutatedTokensOfEach = isLong ? 15_000 : 550;
const mutatedSecrets = isLong ? 10_000 : 350;
const concurrency = 16;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
const violations = newTally(
  'accepted',
  'refused otherwise',
  'answered otherwise than others',
  'valid token refused',
  'requests to the decoy URL',
);
let issuer: Issuer;
let embedded: Server;
let external: Server;

/** A server, a token that it accepts, and the claims that it requires. */
interface IssuerCase {
  readonly origin: string;
  readonly valid: ValidToken;
  readonly required: readonly string[];
}
let cases: IssuerCase[];
const secrets: string[] = [];
/** For each error code, the response to the first forgery. All later responses with this code must be equal to it. */
const references = new Map<string, unknown>();
/** The violations in detail, for debugging. */
const seen: string[] = [];

beforeAll(async () => {
  issuer = await startIssuer();
  const env = { RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0', RATE_LIMIT_ADMIN_PER_MINUTE: '0' };
  embedded = await sandbox.startServer({ dataDir, env });
  external = await sandbox.startServer({ dataDir, env: { ...env, ...issuer.env } });
  cases = [await openEmbeddedCase(), openIssuerCase('ES256'), openIssuerCase('RS256')];
  issuer.publish(...issuerKeys);
});
afterAll(() => issuer.close());

const issuerKeys = [newIssuerKey('ES256'), newIssuerKey('RS256')];

/** Opens a session of the embedded provider, and reads its signing key, so that invalid tokens can have a valid signature. */
async function openEmbeddedCase(): Promise<IssuerCase> {
  const { headers } = await registerUser(embedded.origin);
  const call = callsTo(embedded.origin, headers);
  for (let count = 0; count < 3; count += 1) {
    const body = { name: 'Program', scopes: ['movements:read'] };
    secrets.push((await succeed(call, 'POST /v1/financial/integration-clients', { body })).secret);
  }
  const [head = '', claims = ''] = headers.Authorization?.replace('Bearer ', '').split('.') ?? [];
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const { connectionString } = await getPostgresOf(dataDir);
  const { rows } = await asOwner(connectionString, (owner) =>
    owner.query('select private_jwk from identity.signing_keys where kid = $1', [read(head).kid]),
  );
  const key = createPrivateKey({ key: rows[0].private_jwk, format: 'jwk' });
  // Valid for the whole proof.
  const longer = { ...read(claims), exp: read(claims).iat + 86_400 };
  return {
    origin: embedded.origin,
    valid: { header: read(head), claims: longer, key, decoyUrl: `${issuer.origin}/lure` },
    required: ['iss', 'aud', 'exp', 'iat', 'jti', 'sub', 'session_id'],
  };
}

function openIssuerCase(algorithm: 'ES256' | 'RS256'): IssuerCase {
  const key = issuerKeys.find((one) => one.algorithm === algorithm);
  if (key === undefined) throw new Error(`The issuer has no key for ${algorithm}.`);
  const nowSeconds = Math.floor(Date.now() / 1000);
  const who = { iss: issuer.origin, aud: issuer.audience, sub: 'proof|genuine', session_id: 'session' };
  return {
    origin: external.origin,
    valid: {
      header: { alg: algorithm, kid: key.kid, typ: 'at+jwt' },
      claims: { ...who, iat: nowSeconds, exp: nowSeconds + 86_400 },
      key: key.privateKey,
      decoyUrl: `${issuer.origin}/lure`,
    },
    required: ['iss', 'aud', 'exp', 'sub', 'session_id'],
  };
}

interface TokenResponse {
  readonly status: number;
  readonly code: string | undefined;
  /** Status, error, data and WWW-Authenticate header of the response. */
  readonly answer: unknown;
}

async function present(origin: string, token: string): Promise<TokenResponse> {
  const headers = { Authorization: `Bearer ${token}` };
  const { status, headers: answered, data, error } = await callsTo(origin)('GET /v1/financial/trackers', { headers });
  return { status, code: error?.code, answer: { status, error, data, challenge: answered.get('WWW-Authenticate') } };
}

/** Presents forgeries. All must get the same response as the first forgery with this error code. Returns the number of forgeries. */
async function presentAll(
  origin: string,
  { forgeries, code }: { readonly forgeries: readonly Forgery[]; readonly code: string },
): Promise<number> {
  await runConcurrently({ times: forgeries.length, concurrency }, async (position) => {
    const { attack, token } = forgeries[position] as Forgery;
    const response = await present(origin, token);
    const reference = references.get(code) ?? response.answer;
    const violation = violationOf(response, { code, reference });
    if (violation !== undefined) note(violation, `${attack} (${response.status} ${response.code})`);
    else references.set(code, reference);
  });
  return forgeries.length;
}

function violationOf(
  { status, code, answer }: TokenResponse,
  expected: { readonly code: string; readonly reference: unknown },
): keyof typeof violations | undefined {
  if (status < 300) return 'accepted';
  if (status !== 401 || code !== expected.code) return 'refused otherwise';
  return isDeepStrictEqual(answer, expected.reference) ? undefined : 'answered otherwise than others';
}

function note(violation: keyof typeof violations, what: string): void {
  violations[violation] += 1;
  seen.push(`${violation}: ${what}`);
}

/** Checks that valid tokens are accepted. Otherwise the refusal of a forgery proves nothing. */
async function requireValidAccepted(): Promise<void> {
  for (const { origin, valid } of cases) {
    const { status } = await present(origin, issue(valid));
    if (status !== 200) note('valid token refused', `${valid.header.alg} at ${origin} (${status})`);
  }
}

function issue({ header, claims, key }: ValidToken, changes: Readonly<Record<string, unknown>> = {}): string {
  return signToken({ header, claims: { ...claims, ...changes } }, { by: 'key', key });
}

/** Returns `count` forgeries. Each changes a valid token, or combines parts of three valid tokens. */
function mutationsOf(valid: ValidToken, count: number): Forgery[] {
  const random = seededRandom(proofSeed, `mutated ${valid.header.alg} ${valid.claims.iss}`);
  const issuedAt = Number(valid.claims.iat);
  const tokens = [0, 1, 2].map((seconds) => issue(valid, { iat: issuedAt - seconds }));
  return Array.from({ length: count }, () => {
    const token = mutateToken(random, tokens);
    return { attack: token, token };
  });
}

it('the server accepts no forged or changed token or secret, and all refusals with the same error code have the same response', async () => {
  const injected = newTally('forged', 'expired', 'mutatedTokens', 'mutatedSecrets');
  const code = 'CREDENTIAL_INVALID';
  await requireValidAccepted();
  for (const { origin, valid, required } of cases) {
    const forgeries = [...forgeTokens(valid), ...forgeClaims(valid, required)];
    injected.forged += await presentAll(origin, { forgeries, code });
    injected.expired += await presentAll(origin, { forgeries: forgeExpired(valid), code: 'CREDENTIAL_EXPIRED' });
    const mutations = mutationsOf(valid, mutatedTokensOfEach);
    injected.mutatedTokens += await presentAll(origin, { forgeries: mutations, code });
  }
  const random = seededRandom(proofSeed, 'changed secrets');
  const changed = Array.from({ length: mutatedSecrets }, () => mutateSecret(random, secrets));
  const forgeries = changed.map((token) => ({ attack: 'a changed secret', token }));
  injected.mutatedSecrets += await presentAll(embedded.origin, { forgeries, code });
  await requireValidAccepted();
  violations['requests to the decoy URL'] = issuer.decoyRequests();

  await recordProof({
    id: 'T11',
    promise:
      'No forged or changed token or secret is accepted, and all forgeries that are refused with the same error code get the same response',
    seed: proofSeed,
    injected,
    violations,
  });
  expect(seen.slice(0, 20)).toEqual([]);
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
});
