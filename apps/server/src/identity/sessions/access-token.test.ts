import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import type { KeyRing } from '../signing-keys/key-ring.js';
import { signAccessToken, verifyAccessToken } from './access-token.js';

const now = new Date('2026-01-01T12:00:00.000Z');
const seconds = now.getTime() / 1000;
const userId = '019b76da-a800-7000-8000-000000000001';
const sessionId = '019b76da-a800-7000-8000-000000000002';
const kid = 'the-key';

let keyRing: KeyRing;
let privateKey: CryptoKey;
let unknownKey: CryptoKey;

beforeAll(async () => {
  const own = await generateKeyPair('ES256');
  ({ privateKey } = own);
  unknownKey = (await generateKeyPair('ES256')).privateKey;
  keyRing = {
    signingKey: async () => ({ kid, privateKey }),
    findPublicKey: async (requestedKid) => (requestedKid === kid ? own.publicKey : undefined),
    publicKeys: async () => [],
  };
});

const goodClaims: JWTPayload = {
  iss: 'urn:centavo:identity',
  aud: 'urn:centavo:api',
  sub: userId,
  session_id: sessionId,
  amr: [{ method: 'totp', timestamp: seconds - 60 }],
  jti: 'one',
  iat: seconds,
  exp: seconds + 900,
};
const goodHeader = { alg: 'ES256', typ: 'at+jwt', kid };

const sign = (change: { claims?: JWTPayload; header?: object; key?: CryptoKey } = {}) =>
  new SignJWT({ ...goodClaims, ...change.claims })
    .setProtectedHeader({ ...goodHeader, ...change.header })
    .sign(change.key ?? privateKey);

const verify = (token: string) => verifyAccessToken({ token, keyRing, now });
const invalid = { code: 'CREDENTIAL_INVALID', status: 401, headers: { 'WWW-Authenticate': expect.any(String) } };
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('verifyAccessToken', () => {
  test('returns user, session and the time of the one-time code of a valid token', async () => {
    expect(await verify(await sign())).toEqual({
      issuer: 'urn:centavo:identity',
      subject: userId,
      sessionId,
      totpAtSeconds: seconds - 60,
    });
  });

  // @proves spec, Authentication: User session JWT
  test('accepts a new token, which expires after 15 minutes, or with its session if the session expires earlier', async () => {
    const dependencies = { keyRing, clock: () => now, newId: () => 'one' };
    const session = { id: sessionId, userId, amr: [], expiresAt: new Date(now.getTime() + 86_400_000) };
    const long = await signAccessToken(dependencies, session);
    expect(long.expiresAt).toEqual(new Date(now.getTime() + 900_000));
    await expect(verify(long.accessToken)).resolves.toMatchObject({ subject: userId, totpAtSeconds: null });
    const short = await signAccessToken(dependencies, { ...session, expiresAt: new Date(now.getTime() + 5_500) });
    expect(short.expiresAt).toEqual(new Date(now.getTime() + 5_000));
  });

  // @proves contract 8: JWT
  test('accepts a token that expired 29 seconds ago, and throws CREDENTIAL_EXPIRED if it expired 30 seconds ago', async () => {
    await expect(verify(await sign({ claims: { exp: seconds - 29 } }))).resolves.toBeDefined();
    await expect(verify(await sign({ claims: { exp: seconds - 30 } }))).rejects.toMatchObject({
      code: 'CREDENTIAL_EXPIRED',
      status: 401,
    });
  });

  test('throws CREDENTIAL_INVALID for an expired token with a wrong signature', async () => {
    await expect(verify(await sign({ claims: { exp: seconds - 60 }, key: unknownKey }))).rejects.toMatchObject(invalid);
  });

  // @proves contract 8: JWT
  test('rejects a token that is not valid yet', async () => {
    await expect(verify(await sign({ claims: { nbf: seconds + 31 } }))).rejects.toMatchObject(invalid);
  });

  test('rejects a signature by another key, and a changed payload', async () => {
    await expect(verify(await sign({ key: unknownKey }))).rejects.toMatchObject(invalid);
    const [header, , signature] = (await sign()).split('.');
    const payload = base64({ ...goodClaims, sub: sessionId });
    await expect(verify(`${header}.${payload}.${signature}`)).rejects.toMatchObject(invalid);
  });

  // @proves contract 8: JWT
  test('rejects a token without a signature, and a token with a symmetric algorithm', async () => {
    await expect(verify(new UnsecuredJWT(goodClaims).encode())).rejects.toMatchObject(invalid);
    await expect(verify(`${base64({ ...goodHeader, alg: 'none' })}.${base64(goodClaims)}.`)).rejects.toMatchObject(
      invalid,
    );
    const hmac = await new SignJWT(goodClaims)
      .setProtectedHeader({ ...goodHeader, alg: 'HS256' })
      .sign(new TextEncoder().encode('a secret of at least thirty-two bytes'));
    await expect(verify(hmac)).rejects.toMatchObject(invalid);
  });

  test.each([
    ['another issuer', { iss: 'https://elsewhere.example' }],
    ['another audience', { aud: 'urn:centavo:other' }],
    ['no subject', { sub: undefined }],
    ['a subject that is not a UUID', { sub: "' or true --" }],
    ['no session', { session_id: undefined }],
    ['a session id that is not a UUID', { session_id: '1' }],
    ['no expiry', { exp: undefined }],
    ['no time of issue', { iat: undefined }],
  ])('rejects a token with %s', async (_, claims) => {
    await expect(verify(await sign({ claims: claims as JWTPayload }))).rejects.toMatchObject(invalid);
  });

  test.each([
    ['the type JWT', { typ: 'JWT' }],
    ['no type', { typ: undefined }],
    ['an unknown key id', { kid: 'another' }],
    ['no key id', { kid: undefined }],
    ['a URL of keys', { jku: 'https://elsewhere.example/jwks.json' }],
    ['a URL of certificates', { x5u: 'https://elsewhere.example/cert.pem' }],
    ['a critical extension', { crit: ['b64'], b64: true }],
  ])('rejects a header with %s', async (_, header) => {
    await expect(verify(await sign({ header }))).rejects.toMatchObject(invalid);
  });

  test('rejects a token that contains its own key', async () => {
    const own = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(own.publicKey);
    await expect(verify(await sign({ header: { jwk }, key: own.privateKey }))).rejects.toMatchObject(invalid);
    await expect(verify(await sign({ header: { jwk } }))).rejects.toMatchObject(invalid);
  });

  test.each(['..', 'a.b.c', 'e30.e30.e30', '.e30.'])('rejects the string %s', async (token) => {
    await expect(verify(token)).rejects.toMatchObject(invalid);
  });

  test('rethrows a failure of the key store instead of reporting an invalid token', async () => {
    const broken = { ...keyRing, findPublicKey: () => Promise.reject(new Error('database away')) };
    await expect(verifyAccessToken({ token: await sign(), keyRing: broken, now })).rejects.toThrow('database away');
  });
});
