import { constants, createHmac, type KeyObject, sign } from 'node:crypto';

/** The parts of a JWT before it is signed. They may be invalid. */
export interface TokenParts {
  readonly header: unknown;
  readonly claims: unknown;
}

/** The algorithm of the signature, independent of the header. */
export type Signing =
  | { readonly by: 'nobody' }
  | { readonly by: 'secret'; readonly hash: 'sha256' | 'sha384' | 'sha512'; readonly secret: string | Buffer }
  | { readonly by: 'key'; readonly key: KeyObject; readonly isPss?: boolean };

/** Returns a JWT with the given kind of signature. Uses no library, because libraries refuse most of the tested forgeries. */
export function signToken({ header, claims }: TokenParts, signing: Signing): string {
  const input = `${encodeJson(header)}.${encodeJson(claims)}`;
  return `${input}.${signText(input, signing).toString('base64url')}`;
}

/** Returns a part of a JWT in base64url. Values other than strings are serialized as JSON first. */
export function encodeJson(part: unknown): string {
  return Buffer.from(typeof part === 'string' ? part : (JSON.stringify(part) ?? '')).toString('base64url');
}

function signText(input: string, signing: Signing): Buffer {
  if (signing.by === 'nobody') return Buffer.alloc(0);
  if (signing.by === 'secret') return createHmac(signing.hash, signing.secret).update(input).digest();
  const { key, isPss = false } = signing;
  if (key.asymmetricKeyType === 'rsa') {
    const padding = isPss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
    const saltLength = constants.RSA_PSS_SALTLEN_DIGEST;
    return sign('sha256', Buffer.from(input), isPss ? { key, padding, saltLength } : { key, padding });
  }
  if (key.asymmetricKeyType === 'ed25519') return sign(null, Buffer.from(input), key);
  return sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
}
