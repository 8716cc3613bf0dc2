import { headerNames } from '@centavo/contracts';
import type { Standing } from './to-standing.js';

/**
 * The two headers that tell a caller its limit and where it stands: `q` tokens in `w` seconds, `r` of them left, one more
 * in `t` seconds. Source: contract, sections 7 and 10a; the IETF draft httpapi-ratelimit-headers-10.
 */
export function toRateLimitHeaders({ rateLimit, remaining, nextTokenSeconds }: Standing): Record<string, string> {
  const { policy, limit, windowSeconds } = rateLimit;
  return {
    [headerNames.rateLimitPolicy]: `"${policy}";q=${limit};w=${windowSeconds}`,
    [headerNames.rateLimit]: `"${policy}";r=${remaining};t=${nextTokenSeconds}`,
  };
}
