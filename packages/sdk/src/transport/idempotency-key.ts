import { idempotencyKeyPattern } from '@centavo/contracts/calls';
import { UsageError } from '../errors/usage-errors.js';

/**
 * The key of one logical call: the caller's, or a new one; null where the server ignores keys. It is chosen once, before
 * the first attempt, so that every attempt carries the same.
 * @throws UsageError for a key that is not 1–200 printable ASCII characters, or has spaces at its ends
 */
export function chooseIdempotencyKey(choice: {
  readonly idempotency: 'required' | 'accepted' | 'ignored';
  readonly given: string | undefined;
  readonly createKey: () => string;
}): string | null {
  const { idempotency, given, createKey } = choice;
  // HTTP drops spaces around a header's value, so two keys that differ in them alone would be one.
  if (given !== undefined && (!idempotencyKeyPattern.test(given) || given !== given.trim())) {
    throw new UsageError('idempotencyKey must be 1 to 200 printable ASCII characters, without spaces at its ends');
  }
  if (idempotency === 'ignored') return null;
  return given ?? createKey();
}

/** A random key, from the cryptographic source that every runtime has. */
export function createIdempotencyKey(): string {
  return globalThis.crypto.randomUUID();
}
