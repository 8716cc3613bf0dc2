import { type RateLimit, type Spent, tokenMicros } from './rate-limit.js';

/** Where a caller stands with a bucket, in the units that clients read. */
export interface Standing {
  readonly rateLimit: RateLimit;
  readonly isAllowed: boolean;
  /** Whole tokens that are left now. */
  readonly remaining: number;
  /** Whole seconds, rounded up, until there is one token more: whoever waits for them when none is left has one. */
  readonly nextTokenSeconds: number;
}

/** Says what a spent or refused token means for the caller. Pure. */
export function toStanding(rateLimit: RateLimit, { isAllowed, debtMicros }: Spent): Standing {
  const token = tokenMicros(rateLimit);
  // The bucket holds whole tokens, so what is missing of the next one is what is owed beyond whole ones.
  const nextTokenMicros = debtMicros % token || token;
  return {
    rateLimit,
    isAllowed,
    remaining: Math.floor((token * rateLimit.limit - debtMicros) / token),
    nextTokenSeconds: Math.ceil(nextTokenMicros / 1_000_000),
  };
}
