import { ApiError } from '../api-error.js';

/** The time of a one-time code against the age that a call allows; seconds since 1970 and seconds. */
export interface TotpAge {
  readonly totpAtSeconds: number | null;
  readonly nowSeconds: number;
  readonly maxAgeSeconds: number;
}

// Another server may have stamped the code, with a clock a little ahead of this one's.
const clockSkewSeconds = 30;

/**
 * Asks that the user gave a one-time code recently.
 * @throws STEP_UP_REQUIRED (401). Source: contract, section 8; RFC 9470 for the header
 */
export function requireRecentTotp(age: TotpAge): void {
  if (!isRecentTotp(age)) throw stepUpRequired(age.maxAgeSeconds);
}

/** Whether the code was given within `maxAgeSeconds`; one from the future was not. */
export function isRecentTotp({ totpAtSeconds, nowSeconds, maxAgeSeconds }: TotpAge): boolean {
  if (totpAtSeconds === null) return false;
  const ageSeconds = nowSeconds - totpAtSeconds;
  return ageSeconds <= maxAgeSeconds && ageSeconds >= -clockSkewSeconds;
}

/** 401 with the challenge of RFC 9470, which tells a client how fresh the next token has to be. */
export function stepUpRequired(maxAgeSeconds: number): ApiError {
  const description = 'A more recent one-time code is required';
  return new ApiError({
    code: 'STEP_UP_REQUIRED',
    message: 'This call needs a recent one-time code. Verify one and repeat the call with the new token.',
    details: { method: 'totp', maxAgeSeconds },
    headers: {
      'WWW-Authenticate': `Bearer error="insufficient_user_authentication", error_description="${description}", max_age="${maxAgeSeconds}"`,
    },
    internalReason: 'no recent TOTP',
  });
}
