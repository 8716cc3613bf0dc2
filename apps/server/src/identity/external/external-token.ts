import { type JWTHeaderParameters, jwtVerify } from 'jose';
import { credentialInvalid } from '../../auth/credentials.js';
import type { SessionClaims } from '../../auth/principal.js';
import type { ExternalIssuer } from '../../config/external-issuer.js';
import { requirePlainHeader } from '../require-plain-header.js';
import { tokenRefusal } from '../sessions/token-refusal.js';
import { parseExternalClaims } from './parse-external-claims.js';
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
