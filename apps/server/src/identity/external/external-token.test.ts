import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { thrownApiError } from '../../../test-support/thrown-api-error.js';
import { parseExternalClaims, verifyExternalToken } from './external-token.js';
import { parseKeySet } from './parse-key-set.js';
import { createRemoteKeySet, type RemoteKeySet } from './remote-key-set.js';

const now = new Date('2026-01-01T12:00:00.000Z');
const seconds = now.getTime() / 1000;
const issuer = { issuer: 'https://id.example.org', audience: 'https://api.example.org' };

let keys: RemoteKeySet;
let elliptic: { publicKey: CryptoKey; privateKey: CryptoKey };
let rsa: { publicKey: CryptoKey; privateKey: CryptoKey };
let unknownKey: CryptoKey;

beforeAll(async () => {
  elliptic = await generateKeyPair('ES256', { extractable: true });
  rsa = await generateKeyPair('RS256', { extractable: true });
  unknownKey = (await generateKeyPair('ES256')).privateKey;
  const published = [
    { ...(await exportJWK(elliptic.publicKey)), kid: 'ec' },
    { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', alg: 'RS256' },
    { ...(await exportJWK((await generateKeyPair('EdDSA', { crv: 'Ed25519' })).publicKey)), kid: 'ed' },
  ];
  keys = createRemoteKeySet({ load: () => parseKeySet({ keys: published }), clock: () => now });
});

const goodClaims: JWTPayload = {
  iss: issuer.issuer,
  aud: issuer.audience,
  sub: 'auth0|5f7c',
  sid: 'one',
  iat: seconds,
  exp: seconds + 300,
};

const sign = (change: { claims?: Record<string, unknown>; header?: object; key?: CryptoKey | Uint8Array } = {}) =>
  new SignJWT({ ...goodClaims, ...change.claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'ec', ...change.header })
    .sign(change.key ?? elliptic.privateKey);

const verify = (token: string) => verifyExternalToken({ token, issuer, keys, now });
const invalid = {
  code: 'CREDENTIAL_INVALID',
  status: 401,
  message: expect.stringMatching(/^This credential is not valid\. \w/),
};
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('verifyExternalToken', () => {
  test('returns subject, session, time of the one-time code, and profile of a valid token', async () => {
    const claims = {
      amr: ['otp'],
      auth_time: seconds - 60,
      email: 'ana@example.org',
      email_verified: true,
      name: 'Ana',
    };
    expect(await verify(await sign({ claims }))).toEqual({
      issuer: issuer.issuer,
      subject: 'auth0|5f7c',
      sessionId: 'one',
      totpAtSeconds: seconds - 60,
      profile: { email: 'ana@example.org', displayName: 'Ana' },
    });
  });

  test.each([
    ['another algorithm that is allowed', { header: { alg: 'RS256', kid: 'rsa' } }],
    ['the type JWT', { header: { typ: 'JWT' } }],
    ['no type', { header: { typ: undefined } }],
    ['several audiences, among them this server', { claims: { aud: ['https://other.example.org', issuer.audience] } }],
    ['a not-before time in the future within the clock skew', { claims: { nbf: seconds + 30 } }],
    ['an expiry in the past within the clock skew', { claims: { exp: seconds - 29 } }],
  ])('accepts a token with %s', async (_, change: Parameters<typeof sign>[0] = {}) => {
    const key = (change.header as { alg?: string } | undefined)?.alg === 'RS256' ? rsa.privateKey : elliptic.privateKey;
    await expect(verify(await sign({ ...change, key }))).resolves.toMatchObject({ subject: 'auth0|5f7c' });
  });

  test('throws CREDENTIAL_EXPIRED for an expired token, and CREDENTIAL_INVALID for an expired token with a wrong signature', async () => {
    const claims = { exp: seconds - 30 };
    await expect(verify(await sign({ claims }))).rejects.toMatchObject({ code: 'CREDENTIAL_EXPIRED', status: 401 });
    await expect(verify(await sign({ claims, key: unknownKey }))).rejects.toMatchObject(invalid);
  });
});

describe('verifyExternalToken (401 CREDENTIAL_INVALID)', () => {
  test.each([
    ['another issuer', { iss: 'https://elsewhere.example' }],
    ['an issuer that only begins like this one', { iss: 'https://id.example.org.elsewhere.example' }],
    ['no issuer', { iss: undefined }],
    ['another audience', { aud: 'https://other.example.org' }],
    ['no audience', { aud: undefined }],
    ['no subject', { sub: undefined }],
    ['no session', { sid: undefined }],
    ['no expiry', { exp: undefined }],
    ['an expiry that is a string', { exp: String(seconds + 300) }],
    ['a not-before time in the future', { nbf: seconds + 31 }],
    ['a security event', { events: {} }],
  ])('rejects claims with %s', async (_, claims) => {
    await expect(verify(await sign({ claims }))).rejects.toMatchObject(invalid);
  });

  test.each([
    ['the type of a log-out token', { typ: 'logout+jwt' }],
    ['an unknown key id', { kid: 'another' }],
    ['a key id that is a path', { kid: '../../etc/passwd' }],
    ['a key id that is a property of every object', { kid: '__proto__' }],
    ['a key id of 129 characters', { kid: 'x'.repeat(129) }],
    ['a key id that is a number', { kid: 1 }],
    ['no key id', { kid: undefined }],
    ['the id of a key of another type', { kid: 'rsa' }],
    ['the URL of a key set', { jku: 'https://elsewhere.example/certs' }],
    ['a URL of certificates', { x5u: 'https://elsewhere.example/cert.pem' }],
    ['certificates', { x5c: ['AAAA'] }],
    ['a critical extension', { crit: ['b64'], b64: true }],
  ])('rejects a header with %s', async (_, header) => {
    await expect(verify(await sign({ header }))).rejects.toMatchObject(invalid);
  });

  test('rejects a token that contains its own key', async () => {
    const own = await generateKeyPair('ES256', { extractable: true });
    const header = { jwk: await exportJWK(own.publicKey) };
    await expect(verify(await sign({ header, key: own.privateKey }))).rejects.toMatchObject(invalid);
    await expect(verify(await sign({ header }))).rejects.toMatchObject(invalid);
  });

  // @proves contract 8: JWT
  test('rejects a missing signature, and an HMAC with the public key as its secret', async () => {
    await expect(verify(new UnsecuredJWT(goodClaims).encode())).rejects.toMatchObject(invalid);
    for (const alg of ['none', 'None', 'NONE']) {
      const token = `${base64({ alg, kid: 'ec' })}.${base64(goodClaims)}.`;
      await expect(verify(token)).rejects.toMatchObject(invalid);
    }
    for (const kid of ['rsa', 'ec']) {
      const secret = new TextEncoder().encode(await exportSPKI(kid === 'rsa' ? rsa.publicKey : elliptic.publicKey));
      const token = await sign({ header: { alg: 'HS256', kid }, key: secret });
      await expect(verify(token)).rejects.toMatchObject(invalid);
    }
  });

  test('rejects an allowed algorithm that does not match the key', async () => {
    const importAs = async (name: string) =>
      crypto.subtle.importKey(
        'pkcs8',
        await crypto.subtle.exportKey('pkcs8', rsa.privateKey),
        { name, hash: 'SHA-256' },
        false,
        ['sign'],
      );
    // The issuer publishes this key only for RS256.
    const token = await sign({ header: { alg: 'PS256', kid: 'rsa' }, key: await importAs('RSA-PSS') });
    await expect(verify(token)).rejects.toMatchObject(invalid);
    await expect(verify(await sign({ header: { kid: 'ed' } }))).rejects.toMatchObject(invalid);
  });

  test('rejects a signature by another key or of another payload', async () => {
    await expect(verify(await sign({ key: unknownKey }))).rejects.toMatchObject(invalid);
    const [header, payload, signature] = (await sign()).split('.');
    const forged = base64({ ...goodClaims, sub: 'admin' });
    await expect(verify(`${header}.${forged}.${signature}`)).rejects.toMatchObject(invalid);
    await expect(verify(`${header}.${payload}.`)).rejects.toMatchObject(invalid);
    await expect(verify(`${header}.${payload}.${'A'.repeat(86)}`)).rejects.toMatchObject(invalid);
  });

  test.each(['..', 'a.b.c', 'e30.e30.e30', '.e30.', 'a.b', `${'a'.repeat(1_000_000)}.b.c`])(
    'rejects a string that is not a token',
    async (token) => {
      await expect(verify(token)).rejects.toMatchObject(invalid);
    },
  );

  test('rejects a token with one changed character (each seventh position is tried)', async () => {
    const token = await sign();
    const lastOfSignature = token.length - 1;
    for (let at = 0; at < token.length; at += 7) {
      // The last character of a signature has four unused bits, so a changed character may stand for the same signature.
      if (token[at] === '.' || at === lastOfSignature) continue;
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      await expect(verify(changed)).rejects.toMatchObject(invalid);
    }
  });
});

const payload = { sub: 'auth0|5f7c', sid: 'one' };
const parse = (claims: Record<string, unknown> = {}) => parseExternalClaims({ ...payload, ...claims }, issuer.issuer);

describe('parseExternalClaims', () => {
  test('returns subject, session, time of the one-time code, and profile', () => {
    const claims = {
      amr: ['pwd', 'otp'],
      auth_time: 100,
      email: 'Ana@Example.org',
      email_verified: true,
      name: ' Ana ',
    };
    expect(parse(claims)).toEqual({
      issuer: issuer.issuer,
      subject: 'auth0|5f7c',
      sessionId: 'one',
      totpAtSeconds: 100,
      profile: { email: 'Ana@Example.org', displayName: 'Ana' },
    });
  });

  // @proves contract 8: JWT
  test('takes the session from session_id if the claims have both session_id and sid', () => {
    expect(parse({ session_id: 'two' }).sessionId).toBe('two');
  });

  test.each([
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a subject of 256 characters', { sub: 'x'.repeat(256) }],
    ['a subject that is a number', { sub: 7 }],
    ['a subject that PostgreSQL cannot store', { sub: 'a\u0000' }],
    ['a subject with a lone surrogate', { sub: 'a\ud800' }],
    ['no session', { sid: undefined }],
    ['a session that is a list', { sid: ['one'] }],
    ['a malformed session_id beside a valid sid', { session_id: null }],
    ['a security event', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }],
  ])('rejects %s', (_, claims) => {
    expect(thrownApiError(() => parse(claims))).toMatchObject({ code: 'CREDENTIAL_INVALID', status: 401 });
  });

  test('accepts a subject of 255 characters with quotes and a letter outside ASCII', () => {
    const sub = "' or true -- ñ".padEnd(255, 'x');
    expect(parse({ sub }).subject).toBe(sub);
  });

  test.each([
    ['an address that is not verified', { email: 'ana@example.org', email_verified: false }],
    ['an address without email_verified', { email: 'ana@example.org' }],
    ['an address whose email_verified is a string', { email: 'ana@example.org', email_verified: 'true' }],
    ['a malformed address', { email: 'ana', email_verified: true }],
    ['no address', { email_verified: true }],
  ])('returns null as the e-mail address for claims with %s', (_, claims) => {
    expect(parse(claims).profile?.email).toBeNull();
  });

  test.each([[undefined], [null], [7], [''], ['  '], ['a\nb'], ['x'.repeat(101)]])('ignores the name %j', (name) => {
    expect(parse({ name }).profile?.displayName).toBeNull();
  });
});
