import { ApiError, stateConflict } from '../api-error.js';
import { refusedCredential } from '../auth/credentials.js';

/** 409: a user has this e-mail address, compared without case. */
export function emailTaken(): ApiError {
  return stateConflict('email_taken', 'A user with this e-mail address exists already.');
}

/** 409: registration is closed by the configuration. */
export function registrationClosed(): ApiError {
  return stateConflict('registration_closed', 'This server does not accept new users.');
}

/** 409: the user has no authenticator. */
export function notEnrolled(): ApiError {
  return stateConflict('not_enrolled', 'No authenticator app is enrolled. Enrol one with POST /totp.');
}

/** 401: the session was ended, has expired, or never existed. */
export function sessionInactive(): ApiError {
  return refusedCredential({
    code: 'SESSION_INACTIVE',
    message: 'This session has ended. Log in again.',
    internalReason: 'session ended, expired or unknown',
  });
}

/** 401: the session of the refresh token has expired. */
export function refreshTokenExpired(): ApiError {
  return refusedCredential({
    code: 'CREDENTIAL_EXPIRED',
    message: 'This session has expired. Log in again.',
    internalReason: 'refresh token expired',
  });
}

/** 401: the refresh token was used before, so its session was ended for both holders of a copy. */
export function refreshTokenReused(): ApiError {
  return refusedCredential({
    code: 'CREDENTIAL_REVOKED',
    message: 'This refresh token was used before, so its session was ended. Log in again.',
    internalReason: 'refresh token reused',
  });
}

/** 429 for too many wrong one-time codes. */
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
