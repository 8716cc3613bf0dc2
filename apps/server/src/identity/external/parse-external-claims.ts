import { createUserBody } from '@centavo/contracts';
import type { JWTPayload } from 'jose';
import { credentialInvalid } from '../../auth/credentials.js';
import type { SessionClaims } from '../../auth/principal.js';
import { totpTime } from './totp-time.js';

// OpenID Connect Core, section 2, for `sub`; the session's id is held to the same.
const nameLengthMax = 255;

// What this server takes of those who register here.
const userFields = createUserBody.shape;

/**
 * Reads what a verified token of the issuer says: whose it is, which session, when a one-time code was given, and who the
 * user is. An e-mail address counts only when the issuer has verified it; one that is malformed, or a name that is,
 * counts as none.
 * @throws CREDENTIAL_INVALID (401) without a subject or a session, or for a notice that is no access token. Source:
 *   contract, section 8
 */
export function parseExternalClaims(payload: JWTPayload, issuer: string): SessionClaims {
  const { sub: subject, session_id: sessionId = payload.sid, email_verified: isEmailVerified } = payload;
  if (!isPlainName(subject)) throw credentialInvalid('sub is not 1-255 plain characters');
  if (!isPlainName(sessionId)) throw credentialInvalid('session_id or sid is not 1-255 plain characters');
  // RFC 8417: a log-out notice has issuer, audience, subject and session too, and is sent to many.
  if (payload.events !== undefined) throw credentialInvalid('a security event, not an access token');
  const email = isEmailVerified === true ? userFields.email.safeParse(payload.email) : undefined;
  const displayName = userFields.displayName.safeParse(payload.name);
  return {
    issuer,
    subject,
    sessionId,
    totpAtSeconds: totpTime({ amr: payload.amr, auth_time: payload.auth_time }),
    profile: { email: email?.data ?? null, displayName: displayName.data ?? null },
  };
}

/** PostgreSQL takes no NUL, and broken surrogates would make two subjects one. */
function isPlainName(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > nameLengthMax) return false;
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}
