import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Transactions } from '../../database/database.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { type Sealing, signingKeyOwner } from '../secret-encryption.js';
import { insertFirstSigningKey, listSigningKeys, type StoredSigningKey } from './signing-keys.queries.js';

/** The provider's signing keys, loaded once and kept. */
export interface KeyRing {
  /** The key that signs new tokens. */
  signingKey(): Promise<{ readonly kid: string; readonly privateKey: CryptoKey }>;
  /** The public key with this id, or undefined; an unknown id makes the ring look again, at most every 30 s. */
  findPublicKey(kid: string): Promise<CryptoKey | undefined>;
  /** What `/.well-known/jwks.json` shows: no private member is ever in it. */
  publicKeys(): Promise<readonly JWK[]>;
}

interface LoadedKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
}

// Anybody can send tokens with invented key ids; they must not become as many queries.
const reloadPauseMs = 30_000;
const kidLengthMax = 128;

/** Opens the ring. Nothing is loaded before the first question; a failed load is tried again by the next one. */
export function createKeyRing(options: {
  readonly database: Transactions;
  readonly sealing: Sealing;
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
  const first = async (): Promise<LoadedKey> => {
    const [key] = await load();
    if (key === undefined) throw new Error('There is no signing key after one was made');
    return key;
  };
  const find = async (kid: string) => (await load()).find((key) => key.kid === kid);

  return {
    signingKey: first,
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

async function loadKeys(parts: {
  readonly database: Transactions;
  readonly sealing: Sealing;
}): Promise<readonly LoadedKey[]> {
  const { database, sealing } = parts;
  const load = (stored: readonly StoredSigningKey[]) => Promise.all(stored.map((key) => toLoadedKey(key, sealing)));
  const stored = await identityTransaction(database, listSigningKeys);
  if (stored.length > 0) return load(stored);
  const made = await makeSigningKey(sealing);
  return load(
    await identityTransaction(database, async (tx) => {
      await insertFirstSigningKey(tx, made);
      return listSigningKeys(tx);
    }),
  );
}

async function makeSigningKey(sealing: Sealing): Promise<StoredSigningKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const privateJwk = await exportJWK(privateKey);
  // RFC 7638: the id follows from the public key, so no two keys can share one.
  const kid = await calculateJwkThumbprint(privateJwk);
  return { kid, stored: await sealing.seal(JSON.stringify(privateJwk), signingKeyOwner(kid)) };
}

async function toLoadedKey({ kid, stored }: StoredSigningKey, sealing: Sealing): Promise<LoadedKey> {
  const privateJwk = JSON.parse(await sealing.open(stored, signingKeyOwner(kid))) as JWK;
  const { kty, crv, x, y } = privateJwk;
  // Named one by one: what is not listed here cannot leak.
  const publicJwk = { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' } as JWK;
  return {
    kid,
    publicJwk,
    privateKey: (await importJWK(privateJwk, 'ES256')) as CryptoKey,
    publicKey: (await importJWK(publicJwk, 'ES256')) as CryptoKey,
  };
}
