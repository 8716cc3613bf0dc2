import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseKeySet } from './parse-key-set.js';

let elliptic: JWK;
let rsa: JWK;
let ownPrivate: JWK;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true });
  elliptic = await exportJWK(pair.publicKey);
  ownPrivate = await exportJWK(pair.privateKey);
  rsa = await exportJWK((await generateKeyPair('RS256')).publicKey);
});

const parse = (...keys: unknown[]) => parseKeySet({ keys });
const algorithmsOf = async (...keys: unknown[]) =>
  [...(await parse(...keys))].map(([kid, found]) => [kid, found.map(({ algorithms }) => algorithms)]);

describe('parseKeySet', () => {
  test('returns the algorithms of each key', async () => {
    expect(await algorithmsOf({ ...elliptic, kid: 'a' }, { ...rsa, kid: 'b' })).toEqual([
      ['a', [['ES256']]],
      ['b', [['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']]],
    ]);
    expect(await algorithmsOf({ ...rsa, kid: 'a', alg: 'PS256', use: 'sig', key_ops: ['verify'] })).toEqual([
      ['a', [['PS256']]],
    ]);
  });

  test('accepts two keys of different types that have the same ID', async () => {
    expect(await algorithmsOf({ ...elliptic, kid: 'a' }, { ...rsa, kid: 'a', alg: 'RS256' })).toEqual([
      ['a', [['ES256'], ['RS256']]],
    ]);
  });

  test('drops the private members of a published key', async () => {
    const [key] = (await parse({ ...ownPrivate, kid: 'a' })).get('a') ?? [];
    expect(Object.keys(key?.jwk ?? {}).sort()).toEqual(['crv', 'kty', 'x', 'y']);
  });

  test('drops keys that cannot verify a token, keeps a usable key, and rejects a set without a usable key', async () => {
    const weak = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['sign', 'verify'],
    );
    const unusable = [
      { ...elliptic },
      { ...elliptic, kid: '' },
      { ...elliptic, kid: 'x'.repeat(129) },
      { ...elliptic, kid: 'for encryption', use: 'enc' },
      { ...elliptic, kid: 'for signing', key_ops: ['sign'] },
      { ...elliptic, kid: 'of another algorithm', alg: 'RS256' },
      { ...elliptic, kid: 'not on the curve', y: elliptic.x },
      { ...(await crypto.subtle.exportKey('jwk', weak.publicKey)), alg: undefined, key_ops: undefined, kid: 'weak' },
      { kty: 'oct', k: 'c2VjcmV0', kid: 'symmetric', alg: 'HS256' },
      { kty: 'OKP', crv: 'X25519', x: 'AAAA', kid: 'for agreement' },
      { kty: 'LWE', kid: 'of a type to come' },
      null,
      'a key',
    ];
    expect([...(await parse(...unusable, { ...elliptic, kid: 'good' })).keys()]).toEqual(['good']);
    await expect(parse(...unusable)).rejects.toMatchObject({ code: 'ISSUER_NO_USABLE_KEY' });
  });

  test.each([[null], ['keys'], [{}], [{ keys: 'none' }], [[]]])(
    'rejects a document that is not a key set: %j',
    async (document) => {
      await expect(parseKeySet(document)).rejects.toMatchObject({ code: 'ISSUER_NO_KEY_SET' });
    },
  );

  test('rejects an empty set, so that the known keys stay in use', async () => {
    await expect(parse()).rejects.toMatchObject({ code: 'ISSUER_NO_USABLE_KEY' });
  });
});
