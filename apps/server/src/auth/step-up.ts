import { ApiError } from '../api-error.js';

/**
 * The time at which the user last entered a one-time code (null if unknown), the current time, and the maximum age of the code that an
 * operation allows. The times are in seconds since 1970, the age is in seconds.
 */
export interface TotpAge {
  readonly totpAtSeconds: number | null;
  readonly nowSeconds: number;
  readonly maxAgeSeconds: number;
}

// How far in the future the time recorded for a one-time code or a password may be. The server that recorded this time may have a clock
// that is slightly ahead of this server's clock.
const clockSkewSeconds = 30;

/**
 * Requires a recent one-time code of the user.
 * @throws STEP_UP_REQUIRED (401)
 * @source docs/contract.md, section 8; RFC 9470 for the header
 */
export function requireRecentTotp({ totpAtSeconds, ...age }: TotpAge): void {
  if (!isRecent({ ...age, provedAtSeconds: totpAtSeconds })) throw stepUpRequired('totp', age.maxAgeSeconds);
}

/**
 * Requires that the user of this session entered the password recently, so that a stolen session cannot set up the first
 * authenticator.
 * @throws STEP_UP_REQUIRED (401)
 * @source docs/contract.md, section 10a
 */
export function requireRecentPassword({
  passwordAtSeconds,
  ...age
}: Omit<TotpAge, 'totpAtSeconds'> & { readonly passwordAtSeconds: number | null }): void {
  if (!isRecent({ ...age, provedAtSeconds: passwordAtSeconds })) throw stepUpRequired('password', age.maxAgeSeconds);
}

/**
 * Returns true if the user entered the proof (a one-time code or a password) at most `maxAgeSeconds` ago. The recorded time may be up to
 * {@link clockSkewSeconds} in the future.
 */
function isRecent(proof: {
  readonly provedAtSeconds: number | null;
  readonly nowSeconds: number;
  readonly maxAgeSeconds: number;
}): boolean {
  if (proof.provedAtSeconds === null) return false;
  const ageSeconds = proof.nowSeconds - proof.provedAtSeconds;
  return ageSeconds <= proof.maxAgeSeconds && ageSeconds >= -clockSkewSeconds;
}

const missingProofs = {
  totp: {
    description: 'A more recent one-time code is required',
    message:
      'This operation requires a recent one-time code. Verify a one-time code, then repeat the request with the new token.',
  },
  password: {
    description: 'A more recent login with the password is required',
    message:
      'Adding the first authenticator app requires a recent login. Log in again with the password, then repeat the request with the new token.',
  },
} as const;

/** Returns a 401 error with a challenge as in RFC 9470. `max_age` in the challenge is the greatest allowed age of the code or password. */
function stepUpRequired(method: keyof typeof missingProofs, maxAgeSeconds: number): ApiError {
  const { description, message } = missingProofs[method];
  return new ApiError({
    code: 'STEP_UP_REQUIRED',
    message,
    details: { method, maxAgeSeconds },
    headers: {
      'WWW-Authenticate': `Bearer error="insufficient_user_authentication", error_description="${description}", max_age="${maxAgeSeconds}"`,
    },
    internalReason: `no recent ${method}`,
  });
}
