import type { CallContract } from '@centavo/contracts';
import type { AnonymousLimits } from '../auth/identity-provider.js';
import { rateLimited } from './limit-errors.js';
import type { Limiter } from './limiter.js';
import { toAddressBlock } from './to-address-block.js';
import type { Standing } from './to-standing.js';

/**
 * Takes a token of the address for a call without a credential, before anything is done for it.
 * @returns the limits that a log-in meets later, once its user is known
 * @throws RATE_LIMITED (429). Source: decision 0034
 */
export async function limitAnonymousCall(request: {
  readonly limiter: Limiter;
  readonly call: CallContract;
  readonly address: string;
}): Promise<AnonymousLimits> {
  const { limiter, call } = request;
  const addressBlock = toAddressBlock(request.address);
  requireAllowed(await limiter.spendAnonymous(addressBlock));
  return {
    addressBlock,
    requireFailureLeft: async () => requireAllowed(await limiter.lookForFailure(addressBlock)),
    spendOfUser: async (id) => requireAllowed(await limiter.spendCall({ principal: { type: 'user', id }, call })),
  };
}

function requireAllowed(standing: Standing | null): void {
  if (standing !== null && !standing.isAllowed) throw rateLimited(standing);
}
