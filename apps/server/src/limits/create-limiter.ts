import type { CallContract } from '@centavo/contracts';
import type { Principal } from '../access/principal.js';
import { choosePolicy } from './choose-policy.js';
import type { Buckets, PolicyName } from './rate-limit.js';
import { type Standing, toStanding } from './to-standing.js';

/** How many a minute each policy allows; 0 switches it off. Source: contract, section 7. */
export type RatesPerMinute = Readonly<Record<PolicyName, number>>;

/** Asks for tokens. Both answer null where the limit is switched off. */
export interface Limiter {
  /** Takes a token for one call of an identified principal: a user's for all their sessions, or a secret's own. */
  spendCall(request: { readonly principal: Principal; readonly call: CallContract }): Promise<Standing | null>;
  /**
   * Takes a token for a credential that failed.
   * @param addressBlock the part of the network it came from
   */
  spendFailure(addressBlock: string): Promise<Standing | null>;
}

/** The limiter over buckets that are kept anywhere. */
export function createLimiter(options: { readonly rates: RatesPerMinute; readonly buckets: Buckets }): Limiter {
  const spend = async (policy: PolicyName, owner: string): Promise<Standing | null> => {
    const limit = options.rates[policy];
    if (limit === 0) return null;
    const rateLimit = { policy, limit, windowSeconds: 60 };
    return toStanding(rateLimit, await options.buckets.spend({ rateLimit, owner }));
  };
  return {
    spendCall: ({ principal, call }) => spend(choosePolicy(call), `${principal.type}:${principal.id}`),
    spendFailure: (addressBlock) => spend('auth_failures', addressBlock),
  };
}
