import { isUuid } from '@centavo/contracts';
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { credentialInvalid, refusedCredential } from '../../auth/credentials.js';
import type { SessionClaims } from '../../auth/principal.js';
import { apiAudience, embeddedIssuer, type IdentityDependencies } from '../identity-dependencies.js';
import type { KeyRing } from '../signing-keys/key-ring.js';
import { latestTotpSeconds } from './authentication-methods.js';
import type { SessionRow } from './sessions.queries.js';

const accessTokenSeconds = 15 * 60;

/**
 * Returns a signed access token for a session. The token expires after 15 minutes, or with its session if the session expires earlier.
 * About the user, the token contains only ids and the authentication methods with their times.
 * @source docs/contract.md, section 8; RFC 9068 for the `typ` header
 */
export async function signAccessToken(
  dependencies: Pick<IdentityDependencies, 'keyRing' | 'clock' | 'newId'>,
  session: SessionRow,
): Promise<{ readonly accessToken: string; readonly expiresAt: Date }> {
  const { kid, privateKey } = await dependencies.keyRing.signingKey();
  const issuedAt = Math.floor(dependencies.clock().getTime() / 1000);
  const expiresAt = Math.min(issuedAt + accessTokenSeconds, Math.floor(session.expiresAt.getTime() / 1000));
  const accessToken = await new SignJWT({ session_id: session.id, amr: session.amr })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
    .setIssuer(embeddedIssuer)
    .setAudience(apiAudience)
    .setSubject(session.userId)
    .setJti(dependencies.newId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(privateKey);
  return { accessToken, expiresAt: new Date(expiresAt * 1000) };
}

const clockSkewSeconds = 30;

/**
 * Verifies an access token of this provider and returns its claims. Checks the algorithm, the signature, the issuer, the audience, the
 * type, and the times with 30 s of clock skew. Does not check whether the session is still active: the authentication of the
 * request does this later.
 * @throws CREDENTIAL_EXPIRED (401) for a genuine token that has expired
 * @throws CREDENTIAL_INVALID (401) for any other fault
 * @source docs/contract.md, sections 8 and 10a
 */
export async function verifyAccessToken(request: {
  readonly token: string;
  readonly keyRing: KeyRing;
  readonly now: Date;
}): Promise<SessionClaims> {
  try {
    const { payload } = await jwtVerify(request.token, (header) => chooseKey(header, request.keyRing), {
      algorithms: ['ES256'],
      issuer: embeddedIssuer,
      audience: apiAudience,
      typ: 'at+jwt',
      requiredClaims: ['sub', 'session_id', 'iat', 'exp', 'jti'],
      clockTolerance: clockSkewSeconds,
      currentDate: request.now,
    });
    return toSessionClaims(payload);
  } catch (error) {
    throw toTokenError(error);
  }
}

async function chooseKey(header: JWTHeaderParameters, keyRing: KeyRing) {
  requirePlainHeader(header);
  const key = typeof header.kid === 'string' ? await keyRing.findPublicKey(header.kid) : undefined;
  if (key === undefined) throw credentialInvalid('unknown signing key');
  return key;
}

function toSessionClaims(payload: JWTPayload): SessionClaims {
  const { sub, session_id: sessionId } = payload;
  // `sub` and `session_id` become parameters of type uuid in SQL statements, so any other value would cause a database error. The tokens of
  // this provider always contain UUIDs.
  if (typeof sub !== 'string' || !isUuid(sub)) throw credentialInvalid('sub is not a UUID');
  if (typeof sessionId !== 'string' || !isUuid(sessionId)) throw credentialInvalid('session_id is not a UUID');
  return { issuer: embeddedIssuer, subject: sub, sessionId, totpAtSeconds: latestTotpSeconds(payload.amr) };
}

/**
 * Rejects a token whose header contains a key, refers to a key by URL, or requires extensions. Keys come from this provider or the
 * external issuer, never from the token.
 * @throws CREDENTIAL_INVALID (401)
 * @source RFC 8725, section 3.10
 */
export function requirePlainHeader(header: Readonly<Record<string, unknown>>): void {
  const forbidden = forbiddenNames.find((name) => header[name] !== undefined);
  if (forbidden !== undefined) throw credentialInvalid(`header ${forbidden}`);
}

const forbiddenNames = ['crit', 'jku', 'jwk', 'x5u', 'x5c'] as const;

/**
 * Returns the API error for an error of jose: CREDENTIAL_EXPIRED for a genuine token that has expired, otherwise CREDENTIAL_INVALID
 * without details. An error that is not from jose is returned unchanged.
 * @source docs/contract.md, section 10a
 */
export function toTokenError(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) {
    return refusedCredential({
      code: 'CREDENTIAL_EXPIRED',
      message: 'This access token has expired. Refresh the session.',
      internalReason: 'access token expired',
    });
  }
  // Passes on only the error code, because an error message of jose may quote the token, for example an unknown name in the header `crit`.
  return error instanceof errors.JOSEError ? credentialInvalid(error.code) : error;
}
