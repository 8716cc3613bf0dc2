import { ApiError } from '../api-error.js';

/** The time of a one-time code against the age that a call allows; seconds since 1970 and seconds. */
export interface TotpAge {
  readonly totpAtSeconds: number | null;
  readonly nowSeconds: number;
  readonly maxAgeSeconds: number;
}

// Another server may have stamped the proof, with a clock a little ahead of this one's.
const clockSkewSeconds = 30;

/**
 * Requires that the user gave a one-time code recently.
 * @throws STEP_UP_REQUIRED (401). Source: contract, section 8; RFC 9470 for the header
 */
export function requireRecentTotp({ totpAtSeconds, ...age }: TotpAge): void {
  if (!isRecent({ ...age, provedAtSeconds: totpAtSeconds })) throw stepUpRequired('totp', age.maxAgeSeconds);
}

/**
 * Requires that the password of this session was entered recently: the first authenticator must not be set up by a stolen session.
 * @throws STEP_UP_REQUIRED (401). Source: contract, section 10a
 */
export function requireRecentPassword({
  passwordAtSeconds,
  ...age
}: Omit<TotpAge, 'totpAtSeconds'> & { readonly passwordAtSeconds: number | null }): void {
  if (!isRecent({ ...age, provedAtSeconds: passwordAtSeconds })) throw stepUpRequired('password', age.maxAgeSeconds);
}

/** Whether something was proved within `maxAgeSeconds`; a proof from the future does not count. */
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
    message: 'This call needs a recent one-time code. Verify one and repeat the call with the new token.',
  },
  password: {
    description: 'A more recent log-in with the password is required',
    message:
      'The first authenticator app needs a recent log-in. Log in again with the password and repeat the call with the new token.',
  },
} as const;

/** 401 with the challenge of RFC 9470, which tells a client how fresh the next token has to be. */
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
