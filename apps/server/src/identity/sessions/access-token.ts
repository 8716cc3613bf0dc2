import { isUuid } from '@centavo/contracts';
import { type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import { credentialInvalid } from '../../auth/credentials.js';
import type { SessionClaims } from '../../auth/principal.js';
import { apiAudience, embeddedIssuer } from '../identity-dependencies.js';
import { requirePlainHeader } from '../require-plain-header.js';
import type { KeyRing } from '../signing-keys/key-ring.js';
import { latestTotpSeconds } from './authentication-methods.js';
import { tokenRefusal } from './token-refusal.js';

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
