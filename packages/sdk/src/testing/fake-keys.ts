import { canonicalAmount, idempotencyKeyPattern } from '@centavo/contracts/calls';
import { FakeRefusal, invalid } from './fake-refusal.js';
import type { Body } from './fake-requests.js';

/** The answer of a write, for replays. */
export interface Written {
  readonly data: object;
  readonly etag?: string | undefined;
  readonly location?: string | undefined;
}

/**
 * The answers of writes by their idempotency keys. Only successes are stored, so that a refused attempt leaves its key
 * free.
 */
export class FakeKeys {
  readonly #written = new Map<string, { readonly fingerprint: string; readonly written: Written }>();

  /**
   * Runs a write once for a key, and replays its answer for the same request.
   * @throws IDEMPOTENCY_KEY_REUSED (409) for another request under the key, VALIDATION_ERROR (400) without one
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
 * Returns the fingerprint of a request. It ignores the order of fields, and the forms `"10"` and `"10.00"` are equal.
 */
function fingerprintOf({ path, body }: { readonly path: string; readonly body: Body }): string {
  const fields = Object.entries(body)
    .map(([name, value]) => [name, name === 'amountDecimal' ? canonicalAmount(String(value)) : value] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([path, fields]);
}
