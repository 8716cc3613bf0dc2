import { canonicalAmount, idempotencyKeyPattern } from '@centavo/contracts/calls';
import { FakeRefusal, invalid } from './fake-refusal.js';
import type { Body } from './fake-requests.js';

/** The stored response to a write. A repeated request receives it again. */
export interface Written {
  readonly data: object;
  readonly etag?: string | undefined;
  readonly location?: string | undefined;
}

/**
 * The responses to writes, by idempotency key. Only successful responses are stored, so that the key of a failed attempt can
 * be used again.
 */
export class FakeKeys {
  readonly #written = new Map<string, { readonly fingerprint: string; readonly written: Written }>();

  /**
   * Runs a write once per key. If the same request is repeated, returns the stored response.
   * @throws IDEMPOTENCY_KEY_REUSED (409) for a different request with this key, VALIDATION_ERROR (400) for a missing or malformed key
   */
  once(
    request: { readonly key: string | null; readonly path: string; readonly body: Body },
    write: () => Written,
  ): Written & { readonly replayed: boolean } {
    const { key } = request;
    if (key === null || !idempotencyKeyPattern.test(key)) {
      const message = 'Send an Idempotency-Key of 1 to 200 printable ASCII characters.';
      throw invalid({ path: 'header.Idempotency-Key', code: 'IDEMPOTENCY_KEY_REQUIRED', message });
    }
    const fingerprint = fingerprintOf(request);
    const earlier = this.#written.get(key);
    if (earlier !== undefined && earlier.fingerprint !== fingerprint) throw new FakeRefusal('IDEMPOTENCY_KEY_REUSED');
    if (earlier !== undefined) return { ...earlier.written, replayed: true };
    const written = write();
    this.#written.set(key, { fingerprint, written });
    return { ...written, replayed: false };
  }
}

/**
 * Returns a text that is equal for equivalent requests. The order of the fields does not matter, and the amounts `"10"` and `"10.00"`
 * are equivalent.
 */
function fingerprintOf({ path, body }: { readonly path: string; readonly body: Body }): string {
  const fields = Object.entries(body)
    .map(([name, value]) => [name, name === 'amountDecimal' ? canonicalAmount(String(value)) : value] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([path, fields]);
}
