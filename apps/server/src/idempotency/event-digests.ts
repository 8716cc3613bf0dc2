import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '@centavo/contracts';

/**
 * The two digests that an audit event stores: of the changed fields, and of the record after the write. The hash chain covers only the
 * digests, so that the command `redact-event` can erase the changed fields without breaking the chain.
 */
export interface EventDigests {
  /** 16 random bytes. */
  readonly salt: Buffer;
  /** SHA-256 of the salt and the changed fields; null if the effect of the write has no `change`. */
  readonly changeDigest: Buffer | null;
  /** SHA-256 of the salt and the record after the write; null if the effect of the write has no `state`. */
  readonly stateDigest: Buffer | null;
}

/**
 * Returns the digests of the audit event that records the effect of a write.
 * @source docs/additions.md, section 4.1
 */
export function digestsOf(
  { change, state }: { readonly change?: unknown; readonly state?: unknown },
  salt: Buffer = randomBytes(16),
): EventDigests {
  const digest = (value: unknown) =>
    value === undefined ? null : createHash('sha256').update(salt).update(canonicalJson(value)).digest();
  return { salt, changeDigest: digest(change), stateDigest: digest(state) };
}
