import { type CryptoKey, importJWK, type JWK } from 'jose';
import { IssuerError } from './fetch-small-json.js';

/** The issuer's public keys by `kid`. RFC 7517 allows keys of different types to share a `kid`. */
export type KeySet = ReadonlyMap<string, readonly VerificationKey[]>;

/** A public key, and the signature algorithms that it may be used with. */
export interface VerificationKey {
  readonly jwk: JWK;
  readonly algorithms: readonly string[];
}

/** The maximum length of a key ID that is looked up. No issuer uses longer IDs, but any client can send them. */
export const kidLengthMax = 128;

/** The allowed algorithms, all asymmetric: with `none` or an HMAC, anyone who has the public keys could forge tokens. */
export const allowedAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

// The minimum length of an RSA key. jose rejects a shorter key only when a token uses the key, and then throws a
// TypeError instead of an error for an invalid token.
const modulusBitsMin = 2048;

/**
 * Parses a JWK set. Returns only the keys that can verify signatures. Omits others, such as keys for encryption and keys of unknown types.
 * @throws IssuerError if the document is not a JWK set or contains no usable key; the caller then keeps the previous keys
 */
export async function parseKeySet(document: unknown): Promise<KeySet> {
  const entries = (document as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(entries)) throw new IssuerError('ISSUER_NO_KEY_SET', 'returned no JWK set');
  const keys = new Map<string, VerificationKey[]>();
  for (const entry of entries) {
    const parsed = await parseKey(entry);
    if (parsed !== undefined) keys.set(parsed.kid, [...(keys.get(parsed.kid) ?? []), parsed.key]);
  }
  if (keys.size === 0) throw new IssuerError('ISSUER_NO_USABLE_KEY', 'returned no usable key');
  return keys;
}

async function parseKey(entry: unknown): Promise<{ kid: string; key: VerificationKey } | undefined> {
  if (entry === null || typeof entry !== 'object') return undefined;
  const { kid, kty, crv, use, key_ops: operations, alg, n, e, x, y } = entry as Record<string, unknown>;
  if (typeof kid !== 'string' || kid === '' || kid.length > kidLengthMax) return undefined;
  if (use !== undefined && use !== 'sig') return undefined;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return undefined;
  const algorithms = algorithmsOf(kty, crv).filter((name) => alg === undefined || alg === name);
  const [algorithm] = algorithms;
  if (algorithm === undefined) return undefined;
  // Copies only public members. An issuer may publish a private member by mistake, and jose would import it as a private key.
  const jwk = (kty === 'RSA' ? { kty, n, e } : kty === 'EC' ? { kty, crv, x, y } : { kty, crv, x }) as JWK;
  const imported = await importJWK(jwk, algorithm).catch(() => undefined);
  if (imported === undefined || !isLongEnough(imported as CryptoKey)) return undefined;
  return { kid, key: { jwk: Object.freeze(jwk), algorithms } };
}

function algorithmsOf(kty: unknown, crv: unknown): readonly string[] {
  if (kty === 'RSA') return allowedAlgorithms.filter((name) => name.startsWith('RS') || name.startsWith('PS'));
  return algorithmsOfCurve[`${kty} ${crv}`] ?? [];
}

const algorithmsOfCurve: Readonly<Record<string, readonly string[]>> = {
  'EC P-256': ['ES256'],
  'EC P-384': ['ES384'],
  'EC P-521': ['ES512'],
  'OKP Ed25519': ['EdDSA', 'Ed25519'],
};

function isLongEnough(key: CryptoKey): boolean {
  const { modulusLength } = key.algorithm as { modulusLength?: number };
  return modulusLength === undefined || modulusLength >= modulusBitsMin;
}
