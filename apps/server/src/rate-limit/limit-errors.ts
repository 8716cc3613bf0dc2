import { ApiError } from '../api-error.js';
import type { Standing } from './to-standing.js';

/** 429 for a bucket that is empty; whoever waits for Retry-After and was alone finds a token. Source: contract, section 5. */
export function rateLimited({ rateLimit, nextTokenSeconds }: Standing): ApiError {
  const { policy, limit, windowSeconds } = rateLimit;
  return new ApiError({
    code: 'RATE_LIMITED',
    message: `More than ${limit} ${subjects[policy]} in ${windowSeconds} seconds. Wait for Retry-After, then go on slower.`,
    details: { policy, limit, windowSeconds, retryAfterSeconds: nextTokenSeconds },
    headers: { 'Retry-After': String(nextTokenSeconds) },
  });
}

const subjects = {
  reads: 'reads',
  writes: 'writes',
  admin: 'changes of credentials',
  auth_failures: 'refused credentials from this address',
} as const;
