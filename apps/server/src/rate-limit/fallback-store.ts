import type { MemoryStore } from './memory-store.js';
import type { Bucket, TokenResult, TokenStore } from './token-bucket.js';

// While the shared buckets are away one request a second tries them; the others do not wait for that.
const retryMs = 1_000;

/**
 * The shared buckets, and while those do not answer the local ones: a limiter that fails open would be switched off by
 * whoever can bring Redis down. The local buckets are kept as full as the shared ones were last seen, so nobody gets a
 * fresh allowance by it; but while they are away each process allows a whole limit of its own.
 */
export class FallbackStore implements TokenStore {
  readonly #shared: TokenStore;
  readonly #local: MemoryStore;
  readonly #elapsedMs: () => number;
  readonly #onChange: (change: { readonly isAway: boolean; readonly error: unknown }) => void;
  #retryAtMs: number | null = null;

  /**
   * @param options.elapsedMs milliseconds of a clock that nobody sets
   * @param options.onChange told when the shared buckets go away, with the first error, and when they are back
   */
  constructor(options: {
    readonly shared: TokenStore;
    readonly local: MemoryStore;
    readonly elapsedMs: () => number;
    readonly onChange: (change: { readonly isAway: boolean; readonly error: unknown }) => void;
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
      this.#local.adopt(bucket, result.debtMicros);
      return result;
    } catch (error) {
      this.#markUnavailable(error);
      return this.#local[method](bucket);
    }
  }

  #markUnavailable(error: unknown): void {
    const wasAway = this.#retryAtMs !== null;
    this.#retryAtMs = this.#elapsedMs() + retryMs;
    if (!wasAway) this.#onChange({ isAway: true, error });
  }

  #markAvailable(): void {
    const wasAway = this.#retryAtMs !== null;
    this.#retryAtMs = null;
    if (wasAway) this.#onChange({ isAway: false, error: undefined });
  }
}
