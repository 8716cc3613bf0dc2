import { createUserBody } from '@centavo/contracts';
import { type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import { credentialInvalid } from '../../auth/credentials.js';
import type { SessionClaims } from '../../auth/principal.js';
import type { ExternalIssuer } from '../../config/external-issuer.js';
import { requirePlainHeader, toTokenError } from '../sessions/access-token.js';
import { externalTotpSeconds } from '../sessions/authentication-methods.js';
import { allowedAlgorithms } from './parse-key-set.js';
import type { RemoteKeySet } from './remote-key-set.js';

const clockSkewSeconds = 30;

// The allowed values of `typ`. Access tokens by RFC 9068 have `at+jwt`; others have `jwt` or no `typ`. Log-out tokens have another value.
const allowedTypes: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/**
 * Verifies an access token of the external issuer and returns its claims. Checks the type, the algorithm, the signature, the issuer, the
 * audience, and the validity period with 30 s of clock skew. Does not check whether the session is still active: this is checked only
 * before operations whose result outlives the session, such as creating an API key.
 * @throws CREDENTIAL_EXPIRED (401) for a genuine token that has expired
 * @throws CREDENTIAL_INVALID (401) for any other fault of the token
 * @throws SERVICE_UNAVAILABLE (503) if the key of the token is not known, and the issuer's keys cannot be loaded
 * @source docs/contract.md, sections 8 and 10a
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
    throw toTokenError(error);
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

// The maximum length of `sub` in OpenID Connect Core, section 2. Session IDs have the same maximum length here.
const identifierLengthMax = 255;

// The rules for e-mail addresses and names are the same as for users who register at the embedded identity provider.
const userFields = createUserBody.shape;

/**
 * Parses the claims of a verified token: subject, session, time at which the user last entered a one-time code, and profile. An e-mail
 * address is used only if the issuer has verified it. A malformed address or name is ignored.
 * @throws CREDENTIAL_INVALID (401) if the subject or the session is missing or malformed, or if the token is a security event token.
 *
 * @source docs/contract.md, section 8
 */
export function parseExternalClaims(payload: JWTPayload, issuer: string): SessionClaims {
  const { sub: subject, session_id: sessionId = payload.sid, email_verified: isEmailVerified } = payload;
  if (!isPlainIdentifier(subject)) throw credentialInvalid('sub is not 1-255 plain characters');
  if (!isPlainIdentifier(sessionId)) throw credentialInvalid('session_id or sid is not 1-255 plain characters');
  // A security event token (RFC 8417) can have the same issuer, audience, subject and session as an access token. Many clients receive such
  // a token, so it must not authenticate a request.
  if (payload.events !== undefined) throw credentialInvalid('a security event, not an access token');
  const email = isEmailVerified === true ? userFields.email.safeParse(payload.email) : undefined;
  const displayName = userFields.displayName.safeParse(payload.name);
  return {
    issuer,
    subject,
    sessionId,
    totpAtSeconds: externalTotpSeconds({ amr: payload.amr, auth_time: payload.auth_time }),
    profile: { email: email?.data ?? null, displayName: displayName.data ?? null },
  };
}

/**
 * Returns whether a value is a string of 1 to 255 characters without control characters or lone surrogates. PostgreSQL rejects the control
 * character NUL. UTF-8 encoding would replace lone surrogates, which could make two subjects equal.
 */
function isPlainIdentifier(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > identifierLengthMax) return false;
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}
