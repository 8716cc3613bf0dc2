import type { CallContract } from '@centavo/contracts';
import type { Principal } from '../access/principal.js';
import type { Limiter } from '../limits/create-limiter.js';
import { rateLimited } from '../limits/limit-errors.js';
import { toRateLimitHeaders } from '../limits/rate-limit-headers.js';

/**
 * Consumes one token of the caller for a request, however often its transaction is retried: the caller does not cause
 * deadlocks or concurrent duplicates.
 */
export class RequestLimit {
  readonly #limiter: Limiter;
  readonly #call: CallContract;
  readonly #announce: (headers: Readonly<Record<string, string>>) => void;
  #consumed: Promise<void> | undefined;
  #principal: Principal | undefined;

  /** @param request.announce is given the rate limit headers before the request can be refused */
  constructor(request: {
    readonly limiter: Limiter;
    readonly call: CallContract;
    readonly announce: (headers: Readonly<Record<string, string>>) => void;
  }) {
    this.#limiter = request.limiter;
    this.#call = request.call;
    this.#announce = request.announce;
  }

  /** The caller who consumed the token; undefined as long as nobody is authenticated. */
  get principal(): Principal | undefined {
    return this.#principal;
  }

  /** @throws RATE_LIMITED (429) when the principal has no token left */
  consume(principal: Principal): Promise<void> {
    this.#principal = principal;
    this.#consumed ??= this.#consume(principal);
    return this.#consumed;
  }

  async #consume(principal: Principal): Promise<void> {
    const standing = await this.#limiter.spendCall({ principal, call: this.#call });
    if (standing === null) return;
    this.#announce(toRateLimitHeaders(standing));
    if (!standing.isAllowed) throw rateLimited(standing);
  }
}
