import type { CallContract } from '@centavo/contracts';
import type { Principal } from '../access/principal.js';
import type { Limiter } from '../limits/create-limiter.js';
import { rateLimited } from '../limits/limit-errors.js';
import { toRateLimitHeaders } from '../limits/rate-limit-headers.js';

/**
 * Makes the meter of one request. It takes one token, however often the request's transaction is run again: what a
 * deadlock or a twin costs is not the caller's doing.
 * @param request.announce told the headers that say where the caller stands, before anything else can go wrong
 * @returns an act that throws RATE_LIMITED (429) when the principal has no token left
 */
export function meterCall(request: {
  readonly limiter: Limiter;
  readonly call: CallContract;
  readonly announce: (headers: Readonly<Record<string, string>>) => void;
}): (principal: Principal) => Promise<void> {
  const { limiter, call, announce } = request;
  let metered: Promise<void> | undefined;
  const take = async (principal: Principal) => {
    const standing = await limiter.spendCall({ principal, call });
    if (standing === null) return;
    announce(toRateLimitHeaders(standing));
    if (!standing.isAllowed) throw rateLimited(standing);
  };
  return (principal) => {
    metered ??= take(principal);
    return metered;
  };
}
