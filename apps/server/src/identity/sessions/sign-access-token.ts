import { SignJWT } from 'jose';
import { apiAudience, embeddedIssuer, type IdentityParts } from '../identity-dependencies.js';
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
