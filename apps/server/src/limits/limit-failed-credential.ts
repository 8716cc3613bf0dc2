import type { ErrorCode } from '@centavo/contracts';
import { ApiError } from '../api-error.js';
import type { Limiter } from './create-limiter.js';
import { rateLimited } from './limit-errors.js';
import { toAddressBlock } from './to-address-block.js';

// No credential was presented with UNAUTHENTICATED, and STEP_UP_REQUIRED is told to one that is good.
const failures: ReadonlySet<ErrorCode> = new Set([
  'CREDENTIAL_INVALID',
  'CREDENTIAL_EXPIRED',
  'CREDENTIAL_REVOKED',
  'SESSION_INACTIVE',
]);

/**
 * Takes a token of the address for a credential that failed, a wrong password and a wrong one-time code included. Good
 * credentials never come here, so nobody can lock out a neighbour behind the same address. Source: contract, section 10a
 * @returns what to refuse the call with: `error` itself, or RATE_LIMITED (429) in its place when the address has none left
 */
export async function limitFailedCredential(
  error: unknown,
  caller: { readonly limiter: Limiter; readonly address: string },
): Promise<unknown> {
  if (!(error instanceof ApiError && failures.has(error.code))) return error;
  const standing = await caller.limiter.spendFailure(toAddressBlock(caller.address));
  return standing === null || standing.isAllowed ? error : rateLimited(standing);
}
