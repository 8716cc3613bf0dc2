import type { ErrorCode } from '@centavo/contracts';
import { ApiError } from '../api-error.js';
import { rateLimited } from './limit-errors.js';
import type { Limiter } from './limiter.js';
import { toAddressBlock } from './to-address-block.js';

// UNAUTHENTICATED is not listed because the request had no credential, nor STEP_UP_REQUIRED because the credential is good.
const failures: ReadonlySet<ErrorCode> = new Set([
  'CREDENTIAL_INVALID',
  'CREDENTIAL_EXPIRED',
  'CREDENTIAL_REVOKED',
  'SESSION_INACTIVE',
]);

/**
 * Takes a token of the address for a credential that failed, including a wrong password and a wrong one-time code. A good
 * bearer token, secret or refresh token takes nothing and is never refused because others failed. A password log-in is refused
 * before it is hashed while the bucket of its address is empty, even with the right password (`anonymous-limits.ts`).
 * @returns the error to answer: `error` itself, or RATE_LIMITED (429) if the address has no token left
 * @source contract, section 10a; decision 0034
 */
export async function limitFailedCredential(
  error: unknown,
  caller: { readonly limiter: Limiter; readonly address: string },
): Promise<unknown> {
  if (!(error instanceof ApiError && failures.has(error.code))) return error;
  const status = await caller.limiter.spendFailure(toAddressBlock(caller.address));
  return status === null || status.isAllowed ? error : rateLimited(status);
}
