import { createHash } from 'node:crypto';

/** A new refresh token of 256 random bits, base64url. */
export function makeRefreshToken(randomBytes: (byteCount: number) => Buffer): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token. Plain SHA-256 is enough for 256 random bits, and a look-up by hash tells nothing by its timing. */
export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
