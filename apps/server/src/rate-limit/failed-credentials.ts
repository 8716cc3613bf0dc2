import { isIPv4, isIPv6 } from 'node:net';
import type { CallContract, ErrorCode } from '@centavo/contracts';
import { ApiError } from '../api-error.js';
import type { AnonymousLimits } from '../auth/principal.js';
import { type Limiter, rateLimited } from './limiter.js';
import type { LimitStatus } from './token-bucket.js';

/**
 * Consumes a rate limit token of the client's IP address for an operation whose caller is not authenticated yet, such as a login. This
 * happens before the handler of the operation runs.
 * @returns the address block ({@link toAddressBlock}), and functions that check the other rate limits of a login
 * @throws RATE_LIMITED (429) if the address has no rate limit token left
 * @source decision 0034
 */
export async function limitAnonymousOperation(request: {
  readonly limiter: Limiter;
  readonly call: CallContract;
  readonly address: string;
}): Promise<AnonymousLimits> {
  const { limiter, call } = request;
  const addressBlock = toAddressBlock(request.address);
  requireAllowed(await limiter.consumeForAddress(addressBlock));
  return {
    addressBlock,
    requireFailuresBelowLimit: async () => requireAllowed(await limiter.peekForFailure(addressBlock)),
    consumeForUser: async (id) =>
      requireAllowed(await limiter.consumeForPrincipal({ principal: { type: 'user', id }, call })),
  };
}

function requireAllowed(status: LimitStatus | null): void {
  if (status !== null && !status.isAllowed) throw rateLimited(status);
}

// The error codes of a failed credential. UNAUTHENTICATED is not one of them, because it means that the request had no credential.
// STEP_UP_REQUIRED is not one of them, because it means that the credential is valid.
const failures: ReadonlySet<ErrorCode> = new Set([
  'CREDENTIAL_INVALID',
  'CREDENTIAL_EXPIRED',
  'CREDENTIAL_REVOKED',
  'SESSION_INACTIVE',
]);

/**
 * If `error` means that a credential failed, consumes a token of the client's IP address in the rate limit for failed credentials. A wrong
 * password and a wrong one-time code are failed credentials too. A valid access token, secret or refresh token consumes nothing and is
 * never refused because of this limit. While an address has no token left in this limit, a login from it is refused before its password is
 * hashed, even if the password is right (see {@link limitAnonymousOperation}).
 * @returns the error for the client: `error` itself, or RATE_LIMITED (429) if the address has no token left in this limit
 * @source docs/contract.md, section 10a; decision 0034
 */
export async function limitFailedCredential(
  error: unknown,
  caller: { readonly limiter: Limiter; readonly address: string },
): Promise<unknown> {
  if (!(error instanceof ApiError && failures.has(error.code))) return error;
  const status = await caller.limiter.consumeForFailure(toAddressBlock(caller.address));
  return status === null || status.isAllowed ? error : rateLimited(status);
}

/**
 * Returns the address block that counts as one sender: an IPv4 address, or the /64 of an IPv6 address. One subscriber usually has a
 * whole /64. Pure.
 * @param address as a socket or a proxy reports it; an IPv4-mapped IPv6 address counts as IPv4
 */
export function toAddressBlock(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return bare;
  const dotted = bare.slice(bare.lastIndexOf(':') + 1);
  if (isIPv4(dotted) && /^(0*:)*:?ffff:/i.test(bare)) return dotted;
  const [head = '', tail] = bare.split('::');
  const groups = head === '' ? [] : head.split(':');
  // `::` replaces groups of zeros. If `::` is within the first four groups, the groups after it may belong to the /64 too.
  const tailGroups = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end is one element of `tailGroups`, but takes the place of two groups.
  const tailLength = tailGroups.length + (isIPv4(dotted) ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - groups.length - tailLength;
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...tailGroups];
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
