/** Which bucket a request empties. Source: contract, sections 7 and 10a. */
export type PolicyName = 'reads' | 'writes' | 'admin' | 'auth_failures';

/** A token bucket: it holds `limit` tokens and gets as many in `windowSeconds`, evenly. */
export interface RateLimit {
  readonly policy: PolicyName;
  /** Whole, at least 1. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/** One bucket: whose it is under its policy. */
export interface Bucket {
  readonly rateLimit: RateLimit;
  /** Whether an identified caller owns it or an address; a flood of addresses must push out no caller's bucket. */
  readonly ownerKind: 'principal' | 'address';
  /** Unique under the policy and the kind, such as `user:` and an id. */
  readonly owner: string;
}

/** What came of asking for a token. */
export interface Spent {
  /** Whether there was a token; if not, none was taken. */
  readonly isAllowed: boolean;
  /** Microseconds until the bucket is full again. */
  readonly debtMicros: number;
}

/** Where buckets are kept: in this process, or for all processes. */
export interface Buckets {
  /** Takes one token out of a bucket, if there is one. */
  spend(bucket: Bucket): Promise<Spent>;
  /** Returns whether there is a token, and takes none. */
  look(bucket: Bucket): Promise<Spent>;
}

/** Microseconds in which a bucket gets one token; rounded up, so that rounding never gives more than the limit. */
export function tokenMicros({ limit, windowSeconds }: RateLimit): number {
  return Math.ceil((windowSeconds * 1_000_000) / limit);
}
