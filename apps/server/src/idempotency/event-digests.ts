import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '@centavo/contracts';

/**
 * The digests of an event. The hash chain covers these digests instead of the change and the record, so that `redact-event` can erase
 * the change without breaking the chain.
 */
export interface EventDigests {
  /** 16 random bytes. */
  readonly salt: Buffer;
  /** SHA-256 of the salt and the change; null if the effect has no `change`. */
  readonly changeDigest: Buffer | null;
  /** SHA-256 of the salt and the record after the write; null if the effect has no `state`. */
  readonly stateDigest: Buffer | null;
}

/**
 * Returns the digests of the event that records an effect.
 * @source additions, section 4.1
 */
export function digestsOf(
  { change, state }: { readonly change?: unknown; readonly state?: unknown },
  salt: Buffer = randomBytes(16),
): EventDigests {
  const digest = (value: unknown) =>
    value === undefined ? null : createHash('sha256').update(salt).update(canonicalJson(value)).digest();
  return { salt, changeDigest: digest(change), stateDigest: digest(state) };
}
