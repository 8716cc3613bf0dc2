import { idempotencyKeyPattern } from '@centavo/contracts/calls';
import { UsageError } from '../errors/usage-errors.js';

/**
 * Returns the idempotency key of one call. If the server ignores keys for the operation, this is null. Otherwise it is the caller's key,
 * or a new key if the caller gave none. The client chooses the key once, before the first attempt, so that all attempts have the same key.
 * @param choice.idempotency how the server treats the key; `by_mode`: a bulk request of mode `atomic`, which requires a key. In mode
 *   `independent`, each movement has its own key, so the caller passes `ignored`
 * @throws UsageError if the key is not 1–200 printable ASCII characters, or has spaces at its ends
 */
export function chooseIdempotencyKey(choice: {
  readonly idempotency: 'required' | 'accepted' | 'by_mode' | 'ignored';
  readonly given: string | undefined;
  readonly createKey: () => string;
}): string | null {
  const { idempotency, given, createKey } = choice;
  // HTTP removes spaces around the value of a header, so the server could not distinguish keys that differ only in these spaces.
  if (given !== undefined && (!idempotencyKeyPattern.test(given) || given !== given.trim())) {
    throw new UsageError('idempotencyKey must be 1 to 200 printable ASCII characters, without spaces at its ends');
  }
  if (idempotency === 'ignored') return null;
  return given ?? createKey();
}

/** Returns a random key from the runtime's cryptographic random number generator. */
export function createIdempotencyKey(): string {
  return globalThis.crypto.randomUUID();
}
