import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Transactions } from '../../database/pool.js';
import { type SecretEncryption, signingKeyOwner } from '../../encryption/secret-encryption.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { insertFirstSigningKey, listSigningKeys, type StoredSigningKey } from './signing-keys.queries.js';

/** The signing keys of the embedded identity provider. They are cached, and reloaded only if a token contains an unknown key ID. */
export interface KeyRing {
  /** Returns the key that signs new tokens. */
  signingKey(): Promise<{ readonly kid: string; readonly privateKey: CryptoKey }>;
  /** Returns the public key with this ID, or undefined. An unknown ID causes a reload of the keys, at most once in 30 s. */
  findPublicKey(kid: string): Promise<CryptoKey | undefined>;
  /** Returns the keys for `/.well-known/jwks.json`, without private members. */
  publicKeys(): Promise<readonly JWK[]>;
}

interface LoadedKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
}

// Reloads are at least this far apart, because anyone can send many tokens with unknown key IDs, and each would cause a query.
const reloadPauseMs = 30_000;
const kidLengthMax = 128;

/** Creates the key ring. The first call of any method loads the keys. If loading fails, the next call tries again. */
export function createKeyRing(options: {
  readonly database: Transactions;
  readonly encryption: SecretEncryption;
  readonly clock: () => Date;
}): KeyRing {
  let keys: Promise<readonly LoadedKey[]> | undefined;
  let reloadedAtMs = Number.NEGATIVE_INFINITY;

  const load = (): Promise<readonly LoadedKey[]> => {
    if (keys === undefined) {
      const loading = loadKeys(options);
      keys = loading;
      loading.catch(() => {
        if (keys === loading) keys = undefined;
      });
    }
    return keys;
  };
  const newest = async (): Promise<LoadedKey> => {
    const [key] = await load();
    if (key === undefined) throw new Error('There is no signing key although one was created');
    return key;
  };
  const find = async (kid: string) => (await load()).find((key) => key.kid === kid);

  return {
    signingKey: newest,
    async findPublicKey(kid) {
      const known = await find(kid);
      const nowMs = options.clock().getTime();
      if (known !== undefined || kid.length > kidLengthMax || nowMs - reloadedAtMs < reloadPauseMs) {
        return known?.publicKey;
      }
      reloadedAtMs = nowMs;
      const fresh = await loadKeys(options);
      keys = Promise.resolve(fresh);
      return (await find(kid))?.publicKey;
    },
    async publicKeys() {
      return (await load()).map(({ publicJwk }) => publicJwk);
    },
  };
}

async function loadKeys(dependencies: {
  readonly database: Transactions;
  readonly encryption: SecretEncryption;
}): Promise<readonly LoadedKey[]> {
  const { database, encryption } = dependencies;
  const load = (stored: readonly StoredSigningKey[]) => Promise.all(stored.map((key) => toLoadedKey(key, encryption)));
  const stored = await identityTransaction(database, listSigningKeys);
  if (stored.length > 0) return load(stored);
  const created = await createSigningKey(encryption);
  return load(
    await identityTransaction(database, async (tx) => {
      await insertFirstSigningKey(tx, created);
      return listSigningKeys(tx);
    }),
  );
}

async function createSigningKey(encryption: SecretEncryption): Promise<StoredSigningKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const privateJwk = await exportJWK(privateKey);
  // The ID is a hash of the public key (RFC 7638), so each key has a different ID.
  const kid = await calculateJwkThumbprint(privateJwk);
  return { kid, stored: await encryption.encrypt(JSON.stringify(privateJwk), signingKeyOwner(kid)) };
}

async function toLoadedKey({ kid, stored }: StoredSigningKey, encryption: SecretEncryption): Promise<LoadedKey> {
  const privateJwk = JSON.parse(await encryption.decrypt(stored, signingKeyOwner(kid))) as JWK;
  const { kty, crv, x, y } = privateJwk;
  // Copies only public members, so that no private member can leak.
  const publicJwk = { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' } as JWK;
  return {
    kid,
    publicJwk,
    privateKey: (await importJWK(privateJwk, 'ES256')) as CryptoKey,
    publicKey: (await importJWK(publicJwk, 'ES256')) as CryptoKey,
  };
}
