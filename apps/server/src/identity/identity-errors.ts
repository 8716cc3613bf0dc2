import { ApiError, stateConflict } from '../api-error.js';
import { refusedCredential } from '../auth/credentials.js';

/** Returns the 409 error for an e-mail address that another user has, regardless of case. */
export function emailTaken(): ApiError {
  return stateConflict('email_taken', 'A user with this e-mail address exists already.');
}

/** Returns the 409 error for a registration when the operator has closed registration. */
export function registrationClosed(): ApiError {
  return stateConflict('registration_closed', 'This server does not accept new users.');
}

const missingSecrets = {
  confirm: 'No authenticator app waits for confirmation.',
  verify: 'No authenticator app is confirmed.',
} as const;

/**
 * Returns the 409 error for a one-time code of a user who has no secret to check the code against. The purpose `confirm` needs a pending
 * secret, and `verify` needs a confirmed secret.
 */
export function notEnrolled(purpose: keyof typeof missingSecrets): ApiError {
  const remedy = 'Enrol an app with POST /totp, then confirm the app with POST /totp/confirm.';
  return stateConflict('not_enrolled', `${missingSecrets[purpose]} ${remedy}`);
}

/** Returns the 401 error for a session that was ended, has expired, or never existed. */
export function sessionInactive(): ApiError {
  return refusedCredential({
    code: 'SESSION_INACTIVE',
    message: 'This session has ended. Log in again.',
    internalReason: 'session ended, expired or unknown',
  });
}

/** Returns the 401 error for a refresh token whose session has expired. */
export function refreshTokenExpired(): ApiError {
  return refusedCredential({
    code: 'CREDENTIAL_EXPIRED',
    message: 'This session has expired. Log in again.',
    internalReason: 'refresh token expired',
  });
}

/**
 * Returns the 401 error for a refresh token that was used before. The session of the token was ended, because an attacker may have a copy
 * of the token.
 */
export function refreshTokenReused(): ApiError {
  return refusedCredential({
    code: 'CREDENTIAL_REVOKED',
    message: 'This refresh token was used before, so its session was ended. Log in again.',
    internalReason: 'refresh token reused',
  });
}

/** Returns the 429 error for too many wrong one-time codes. */
export function tooManyCodes(policy: {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly retryAfterSeconds: number;
}): ApiError {
  return new ApiError({
    code: 'RATE_LIMITED',
    message: 'Too many wrong codes. Wait for the time in Retry-After, then try again.',
    details: { policy: 'totp', ...policy },
    headers: { 'Retry-After': String(policy.retryAfterSeconds) },
  });
}
