import type { CallContract } from '@centavo/contracts';
import type { Principal } from '../auth/principal.js';
import { type Limiter, rateLimited, toRateLimitHeaders } from '../rate-limit/limiter.js';

/**
 * Consumes the rate-limit tokens of a request, usually one. Retries of the transaction consume no further tokens, because the
 * caller does not cause retries.
 */
export class RequestLimit {
  readonly #limiter: Limiter;
  readonly #call: CallContract;
  readonly #addHeaders: (headers: Readonly<Record<string, string>>) => void;
  #consumed: Promise<void> | undefined;
  #principal: Principal | undefined;

  /** @param request.addHeaders adds the rate-limit headers to the response; also called before `consume` throws RATE_LIMITED */
  constructor(request: {
    readonly limiter: Limiter;
    readonly call: CallContract;
    readonly addHeaders: (headers: Readonly<Record<string, string>>) => void;
  }) {
    this.#limiter = request.limiter;
    this.#call = request.call;
    this.#addHeaders = request.addHeaders;
  }

  /** The caller that `consume` received; undefined before that call. */
  get principal(): Principal | undefined {
    return this.#principal;
  }

  /**
   * Consumes `tokens` tokens, but never more than the rate limit itself. Later calls consume no tokens and return the first result.
   * @throws RATE_LIMITED (429) when the principal has too few tokens left
   */
  consume(principal: Principal, tokens: number): Promise<void> {
    this.#principal = principal;
    this.#consumed ??= this.#consume(principal, tokens);
    return this.#consumed;
  }

  async #consume(principal: Principal, tokens: number): Promise<void> {
    const status = await this.#limiter.consumeForPrincipal({ principal, call: this.#call, tokens });
    if (status === null) return;
    this.#addHeaders(toRateLimitHeaders(status));
    if (!status.isAllowed) throw rateLimited(status);
  }
}
