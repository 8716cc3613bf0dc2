import { randomBytes } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../database/pool.js';
import type { Network } from './fetch-small-json.js';
import { createExternalIdentity } from './index.js';

const issuer = {
  issuer: 'https://id.example.org',
  jwksUrl: 'https://id.example.org/certs',
  audience: 'https://api.example.org',
  introspection: { url: 'https://id.example.org/introspect', clientId: 'the api', clientSecret: 'a:b' },
};
const claims = { issuer: issuer.issuer, subject: 'ana', sessionId: 'one', totpAtSeconds: null };
const unavailable = { code: 'SERVICE_UNAVAILABLE', status: 503 };

const pairs: Record<string, { publicKey: CryptoKey; privateKey: CryptoKey }> = {};

beforeAll(async () => {
  for (const kid of ['first', 'second']) pairs[kid] = await generateKeyPair('ES256', { extractable: true });
});

async function publish(...kids: string[]): Promise<Response> {
  const keys = kids.map(async (kid) => ({ ...(await exportJWK(pairs[kid]?.publicKey as CryptoKey)), kid }));
  return Response.json({ keys: await Promise.all(keys) });
}

/** Creates the provider with a scripted network and a clock that the test controls. */
function open(answer: () => Response | Promise<Response>) {
  let nowMs = Date.parse('2026-01-01T12:00:00.000Z');
  const requests: RequestInit[] = [];
  const script = { answer };
  const network: Network = {
    fetch: async (_url, init = {}) => {
      requests.push(init);
      return script.answer();
    },
    timeoutSignal: () => new AbortController().signal,
  };
  const { provider } = createExternalIdentity({
    database: {} as Database,
    issuer,
    clock: () => new Date(nowMs),
    randomBytes,
    network,
  });
  return {
    requests,
    script,
    provider,
    advance: (ms: number) => {
      nowMs += ms;
    },
    /** Signs a new token with this key and verifies it. */
    async verify(kid: string) {
      const token = await new SignJWT({ sid: 'one' })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setIssuer(issuer.issuer)
        .setAudience(issuer.audience)
        .setSubject('ana')
        .setExpirationTime(nowMs / 1000 + 300)
        .sign((pairs[kid] ?? pairs.first)?.privateKey as CryptoKey);
      return provider.verifyAccessToken(token);
    },
    requireActive: () => provider.requireActiveSession({ token: 'a.b.c', claims }),
  };
}

describe('the keys of an external issuer', () => {
  test('are requested once for 100 concurrent verifications if the issuer is down from the start', async () => {
    const bench = open(() => Promise.reject(new TypeError('fetch failed')));
    const answers = await Promise.allSettled(Array.from({ length: 100 }, () => bench.verify('first')));
    expect(answers.every((answer) => answer.status === 'rejected')).toBe(true);
    await expect(bench.verify('first')).rejects.toMatchObject(unavailable);
    expect(bench.requests).toHaveLength(1);
  });

  test.each([
    ['status 500', () => new Response('no', { status: 500 })],
    ['no key', () => Response.json({ keys: [] })],
    ['10 MB', () => new Response(new Uint8Array(10_000_000).fill(0x20))],
    ['an HTML page', () => new Response('<html>')],
  ])('stay in use when the issuer returns %s', async (_, answer) => {
    const bench = open(() => publish('first'));
    await bench.verify('first');
    bench.script.answer = answer;
    bench.advance(11 * 60_000);
    await expect(bench.verify('first')).resolves.toMatchObject({ subject: 'ana' });
    expect(bench.requests).toHaveLength(2);
  });

  test('change after a rotation: the new key verifies tokens, and the removed key no longer does', async () => {
    const bench = open(() => publish('first'));
    await bench.verify('first');
    bench.advance(30_000);
    bench.script.answer = () => publish('second');
    await expect(bench.verify('second')).resolves.toMatchObject({ subject: 'ana' });
    await expect(bench.verify('first')).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
  });

  test('are requested one more time, not 10,000 times, for 10,000 tokens with unknown key IDs', async () => {
    const bench = open(() => publish('first'));
    await bench.verify('first');
    bench.advance(30_000);
    const body = Buffer.from('{}').toString('base64url');
    const flood = Array.from({ length: 10_000 }, (_, index) => {
      const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: `invented ${index}` })).toString('base64url');
      return bench.provider.verifyAccessToken(`${header}.${body}.${'A'.repeat(86)}`);
    });
    const answers = await Promise.allSettled(flood);
    expect(answers.every((answer) => answer.status === 'rejected')).toBe(true);
    expect(bench.requests).toHaveLength(2);
  });
});

describe('the provider for an external issuer', () => {
  // @proves contract 8: Identity
  test('introspects the session by RFC 7662 with percent-encoded client credentials, and never caches the result', async () => {
    const bench = open(() => Response.json({ active: true, sub: 'ana' }));
    await bench.requireActive();
    await bench.requireActive();
    expect(bench.requests).toHaveLength(2);
    expect(String(bench.requests[0]?.body)).toBe('token=a.b.c&token_type_hint=access_token');
    const authorization = new Headers(bench.requests[0]?.headers).get('authorization') ?? '';
    expect(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()).toBe('the%20api:a%3Ab');
  });

  test.each([{ active: false }, { active: true, sub: 'eve' }])(
    'throws 401 SESSION_INACTIVE for the introspection response %j',
    async (answer) => {
      await expect(open(() => Response.json(answer)).requireActive()).rejects.toMatchObject({
        code: 'SESSION_INACTIVE',
        status: 401,
        headers: { 'WWW-Authenticate': expect.any(String) },
      });
    },
  );

  test.each([
    ['does not answer', () => Promise.reject(new TypeError('fetch failed'))],
    ['does not answer in time', () => Promise.reject(new DOMException('late', 'TimeoutError'))],
    ['rejects the credentials of this server', () => Response.json({ error: 'invalid_client' }, { status: 401 })],
    ['returns 500', () => new Response('', { status: 500 })],
    ['returns no JSON', () => new Response('active')],
    ['returns no field "active"', () => Response.json({})],
    ['returns 10 MB', () => new Response(new Uint8Array(10_000_000))],
  ])('throws 503 when the introspection endpoint %s', async (_, answer) => {
    await expect(open(answer).requireActive()).rejects.toMatchObject(unavailable);
  });

  test.each([
    ['answered 400 unsupported_token_type', () => Response.json({ error: 'unsupported_token_type' }, { status: 400 })],
    ['did not answer', () => Promise.reject(new TypeError('fetch failed'))],
    ['answered without a boolean "active"', () => Response.json({})],
  ])(
    'throws an error with a general message and an internal reason that names IDENTITY_INTROSPECTION_URL, if the issuer %s',
    async (fault, answer) => {
      await expect(open(answer).requireActive()).rejects.toMatchObject({
        ...unavailable,
        internalReason: `IDENTITY_INTROSPECTION_URL ${fault}`,
        message: expect.stringMatching(/^The identity provider did not report the state of this session/),
      });
    },
  );

  test('throws 503 when the keys cannot be loaded, with an internal reason that names IDENTITY_JWKS_URL', async () => {
    const bench = open(() => new Response('', { status: 404 }));
    await expect(bench.verify('first')).rejects.toMatchObject({
      ...unavailable,
      internalReason: 'IDENTITY_JWKS_URL answered 404',
      message: expect.not.stringMatching(/idempotency/),
    });
  });
});
