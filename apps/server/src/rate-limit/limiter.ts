import type { CallContract } from '@centavo/contracts';
import type { Principal } from '../auth/principal.js';
import { choosePolicy } from './choose-policy.js';
import type { Bucket, Buckets, PolicyName } from './rate-limit.js';
import { type Standing, toStanding } from './to-standing.js';

/** How many a minute each policy allows; 0 switches it off. Source: contract, section 7. */
export type RatesPerMinute = Readonly<Record<PolicyName, number>>;

/** Asks for tokens. All answer null where the limit is switched off. */
export interface Limiter {
  /** Takes a token for one call of an identified principal: a user's for all their sessions, or a secret's own. */
  spendCall(request: {
    readonly principal: Pick<Principal, 'type' | 'id'>;
    readonly call: CallContract;
  }): Promise<Standing | null>;
  /** Takes a token for a call without a credential, by the rate of `writes`: each address has as many as a caller. */
  spendAnonymous(addressBlock: string): Promise<Standing | null>;
  /**
   * Takes a token for a credential that failed.
   * @param addressBlock the part of the network it came from
   */
  spendFailure(addressBlock: string): Promise<Standing | null>;
  /** Returns whether a credential from there may still fail, and takes no token. */
  lookForFailure(addressBlock: string): Promise<Standing | null>;
}

/** The limiter over buckets that are kept anywhere. */
export function createLimiter(options: { readonly rates: RatesPerMinute; readonly buckets: Buckets }): Limiter {
  const ask = async (
    act: 'spend' | 'look',
    bucket: { readonly policy: PolicyName } & Omit<Bucket, 'rateLimit'>,
  ): Promise<Standing | null> => {
    const { policy, ...owner } = bucket;
    const limit = options.rates[policy];
    if (limit === 0) return null;
    const rateLimit = { policy, limit, windowSeconds: 60 };
    return toStanding(rateLimit, await options.buckets[act]({ rateLimit, ...owner }));
  };
  const ofAddress = (policy: PolicyName, owner: string) => ({ policy, ownerKind: 'address', owner }) as const;
  return {
    spendCall: ({ principal, call }) =>
      ask('spend', { policy: choosePolicy(call), ownerKind: 'principal', owner: `${principal.type}:${principal.id}` }),
    spendAnonymous: (addressBlock) => ask('spend', ofAddress('writes', addressBlock)),
    spendFailure: (addressBlock) => ask('spend', ofAddress('auth_failures', addressBlock)),
    lookForFailure: (addressBlock) => ask('look', ofAddress('auth_failures', addressBlock)),
  };
}
