import type { MemoryStore } from './memory-store.js';
import type { Bucket, TokenResult, TokenStore } from './token-bucket.js';

// While the shared store is unavailable, one request per second tries to use it. The other requests do not wait for the result.
const retryMs = 1_000;

/**
 * Uses the shared store in Redis. While Redis does not answer, uses the local store in the memory of this process. The limits stay on,
 * because an attacker could otherwise switch them off by making Redis unavailable. The local store copies the state of each bucket from the
 * shared store, so that no caller of this process gets a full bucket when Redis fails. While Redis is unavailable, each process
 * applies the limits separately.
 */
export class FallbackStore implements TokenStore {
  readonly #shared: TokenStore;
  readonly #local: MemoryStore;
  readonly #elapsedMs: () => number;
  readonly #onChange: (change: { readonly isUnavailable: boolean; readonly error: unknown }) => void;
  #retryAtMs: number | null = null;

  /**
   * @param options.elapsedMs milliseconds of a monotonic clock
   * @param options.onChange called with the first error when the shared store becomes unavailable, and without one when it answers again
   */
  constructor(options: {
    readonly shared: TokenStore;
    readonly local: MemoryStore;
    readonly elapsedMs: () => number;
    readonly onChange: (change: { readonly isUnavailable: boolean; readonly error: unknown }) => void;
  }) {
    this.#shared = options.shared;
    this.#local = options.local;
    this.#elapsedMs = options.elapsedMs;
    this.#onChange = options.onChange;
  }

  consume(bucket: Bucket): Promise<TokenResult> {
    return this.#call('consume', bucket);
  }

  peek(bucket: Bucket): Promise<TokenResult> {
    return this.#call('peek', bucket);
  }

  async #call(method: 'consume' | 'peek', bucket: Bucket): Promise<TokenResult> {
    const nowMs = this.#elapsedMs();
    if (this.#retryAtMs !== null) {
      if (nowMs < this.#retryAtMs) return this.#local[method](bucket);
      this.#retryAtMs = nowMs + retryMs;
    }
    try {
      const result = await this.#shared[method](bucket);
      this.#markAvailable();
      this.#local.setMicrosUntilFull(bucket, result.microsUntilFull);
      return result;
    } catch (error) {
      this.#markUnavailable(error);
      return this.#local[method](bucket);
    }
  }

  #markUnavailable(error: unknown): void {
    const wasUnavailable = this.#retryAtMs !== null;
    this.#retryAtMs = this.#elapsedMs() + retryMs;
    if (!wasUnavailable) this.#onChange({ isUnavailable: true, error });
  }

  #markAvailable(): void {
    const wasUnavailable = this.#retryAtMs !== null;
    this.#retryAtMs = null;
    if (wasUnavailable) this.#onChange({ isUnavailable: false, error: undefined });
  }
}
