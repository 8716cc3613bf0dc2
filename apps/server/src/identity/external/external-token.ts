import { createUserBody } from '@centavo/contracts';
import { type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import { credentialInvalid } from '../../auth/credentials.js';
import type { SessionClaims } from '../../auth/principal.js';
import type { ExternalIssuer } from '../../config/external-issuer.js';
import { requirePlainHeader, tokenRefusal } from '../sessions/access-token.js';
import { totpTime } from '../sessions/authentication-methods.js';
import { allowedAlgorithms } from './parse-key-set.js';
import type { RemoteKeySet } from './remote-key-set.js';

const clockSkewSeconds = 30;

// Access tokens of RFC 9068, and those of issuers that do not follow it. Log-out tokens and the like name themselves.
const allowedTypes: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/**
 * Verifies an access token of the external issuer: an allowed algorithm, the issuer's own key for it, issuer, audience
 * and times with 30 s of skew. Whether its session is still active is asked where a secret is made.
 * @throws CREDENTIAL_EXPIRED (401) for a genuine token past its time
 * @throws CREDENTIAL_INVALID (401) for anything else that is wrong
 * @throws SERVICE_UNAVAILABLE (503) when the issuer's keys cannot be had. Source: contract, sections 8 and 10a
 */
export async function verifyExternalToken(request: {
  readonly token: string;
  readonly issuer: Pick<ExternalIssuer, 'issuer' | 'audience'>;
  readonly keys: RemoteKeySet;
  readonly now: Date;
}): Promise<SessionClaims> {
  const { issuer, audience } = request.issuer;
  try {
    const { payload } = await jwtVerify(request.token, (header) => chooseKey(header, request.keys), {
      algorithms: [...allowedAlgorithms],
      issuer,
      audience,
      requiredClaims: ['sub', 'exp'],
      clockTolerance: clockSkewSeconds,
      currentDate: request.now,
    });
    return parseExternalClaims(payload, issuer);
  } catch (error) {
    throw tokenRefusal(error);
  }
}

async function chooseKey(header: JWTHeaderParameters, keys: RemoteKeySet) {
  requirePlainHeader(header);
  const { kid, alg: algorithm, typ } = header;
  if (!allowedTypes.includes(typeof typ === 'string' ? typ.toLowerCase() : typ)) throw credentialInvalid('header typ');
  const key = typeof kid === 'string' ? await keys.find({ kid, algorithm }) : undefined;
  if (key === undefined) throw credentialInvalid('unknown signing key');
  return key;
}

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
