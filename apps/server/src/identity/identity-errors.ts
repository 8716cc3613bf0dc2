import { ApiError, stateConflict } from '../api-error.js';
import { refusedCredential } from '../auth/credentials.js';

/** 409: the address, in any case of letters, belongs to a user already. */
export function emailTaken(): ApiError {
  return stateConflict('email_taken', 'A user with this e-mail address exists already.');
}

/** 409: the operator lets nobody register. */
export function registrationClosed(): ApiError {
  return stateConflict('registration_closed', 'This server does not accept new users.');
}

/** 409: there is no authenticator to check a code against. */
export function notEnrolled(): ApiError {
  return stateConflict('not_enrolled', 'No authenticator app is enrolled. Enrol one with POST /totp.');
}

/** 401: the session was ended, has expired, or never was. */
export function sessionInactive(): ApiError {
  return refusedCredential({
    code: 'SESSION_INACTIVE',
    message: 'This session has ended. Log in again.',
    internalReason: 'session ended, expired or unknown',
  });
}

/** 401: the refresh token outlived its session. */
export function refreshTokenExpired(): ApiError {
  return refusedCredential({
    code: 'CREDENTIAL_EXPIRED',
    message: 'This session has expired. Log in again.',
    internalReason: 'refresh token expired',
  });
}

/** 401: the refresh token was used before; whoever has the other copy is logged out with it. */
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
    message: 'Too many wrong codes. Wait for Retry-After, then try again.',
    details: { policy: 'totp', ...policy },
    headers: { 'Retry-After': String(policy.retryAfterSeconds) },
  });
}
