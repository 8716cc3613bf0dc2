import { isUuid } from '@centavo/contracts';
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { credentialInvalid, refusedCredential } from '../../auth/credentials.js';
import type { SessionClaims } from '../../auth/principal.js';
import { apiAudience, embeddedIssuer, type IdentityParts } from '../identity-dependencies.js';
import type { KeyRing } from '../signing-keys/key-ring.js';
import { latestTotpSeconds } from './authentication-methods.js';
import type { SessionRow } from './sessions.queries.js';

const accessTokenSeconds = 15 * 60;

/**
 * Signs an access token for a session: 15 minutes, and never beyond the session. It says how the user proved who they are
 * and when, and nothing else about them. Source: contract, section 8; RFC 9068 for the header's type.
 */
export async function signAccessToken(
  parts: Pick<IdentityParts, 'keyRing' | 'clock' | 'newId'>,
  session: SessionRow,
): Promise<{ readonly accessToken: string; readonly expiresAt: Date }> {
  const { kid, privateKey } = await parts.keyRing.signingKey();
  const issuedAt = Math.floor(parts.clock().getTime() / 1000);
  const expiresAt = Math.min(issuedAt + accessTokenSeconds, Math.floor(session.expiresAt.getTime() / 1000));
  const accessToken = await new SignJWT({ session_id: session.id, amr: session.amr })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
    .setIssuer(embeddedIssuer)
    .setAudience(apiAudience)
    .setSubject(session.userId)
    .setJti(parts.newId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(privateKey);
  return { accessToken, expiresAt: new Date(expiresAt * 1000) };
}

const clockSkewSeconds = 30;

/**
 * Verifies an access token of this provider: one algorithm, our own keys only, issuer, audience, type and times with 30 s
 * of skew. Whether its session is still active is asked where the request is entered.
 * @throws CREDENTIAL_EXPIRED (401) for a genuine token past its time
 * @throws CREDENTIAL_INVALID (401) for anything else that is wrong. Source: contract, sections 8 and 10a
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
    throw tokenRefusal(error);
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
  // They become parameters of type uuid; a signed token with others was not made by us.
  if (typeof sub !== 'string' || !isUuid(sub)) throw credentialInvalid('sub is not a UUID');
  if (typeof sessionId !== 'string' || !isUuid(sessionId)) throw credentialInvalid('session_id is not a UUID');
  return { issuer: embeddedIssuer, subject: sub, sessionId, totpAtSeconds: latestTotpSeconds(payload.amr) };
}

/**
 * Refuses a token whose header says how it is to be verified, or asks for extensions, of which there are none: the keys
 * are ours or the issuer's, never the token's.
 * @throws CREDENTIAL_INVALID (401). Source: RFC 8725, sections 3.9 and 3.10
 */
export function requirePlainHeader(header: Readonly<Record<string, unknown>>): void {
  const forbidden = forbiddenNames.find((name) => header[name] !== undefined);
  if (forbidden !== undefined) throw credentialInvalid(`header ${forbidden}`);
}

const forbiddenNames = ['crit', 'jku', 'jwk', 'x5u', 'x5c'] as const;

/**
 * What a caller is told when verifying an access token failed: that a genuine one has expired, and of anything else only
 * that it is not valid. What is no verdict on the token is given back as it came. Source: contract, section 10a
 */
export function tokenRefusal(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) {
    return refusedCredential({
      code: 'CREDENTIAL_EXPIRED',
      message: 'This access token has expired. Refresh the session.',
      internalReason: 'access token expired',
    });
  }
  // Its code alone: the message of a claim's error quotes the token.
  return error instanceof errors.JOSEError ? credentialInvalid(error.code) : error;
}
