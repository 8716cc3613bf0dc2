import type { Session } from '@centavo/contracts';
import { credentialInvalid } from '../../auth/credentials.js';
import type { IdentityParts } from '../identity-dependencies.js';
import { refreshTokenExpired, refreshTokenReused, sessionInactive } from '../identity-errors.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { endSession } from './end-session.js';
import { hashRefreshToken, makeRefreshToken } from './refresh-token.js';
import { toSessionView } from './session-view.js';
import { lockRefreshToken, type RefreshFacts, replaceRefreshToken } from './sessions.queries.js';
import { signAccessToken } from './sign-access-token.js';

/**
 * Exchanges a refresh token for a new pair. Each works once; the session keeps its end, 30 days after the log-in, and the
 * times of its authentication methods.
 * @throws CREDENTIAL_REVOKED (401) for a used token: one of its two holders is a thief, so the session is ended for both
 * @throws CREDENTIAL_INVALID, SESSION_INACTIVE, CREDENTIAL_EXPIRED (401). Source: contract, sections 8 and 10a
 */
export async function refreshSession(parts: IdentityParts, presentedToken: string): Promise<Session> {
  const now = parts.clock();
  // Loaded before anything is spent: a token that is used up must not be lost for want of a key to sign its successor with.
  await parts.keyRing.signingKey();
  const usedSha256 = hashRefreshToken(presentedToken);
  const refreshToken = makeRefreshToken(parts.randomBytes);
  const facts = await identityTransaction(parts.database, async (tx) => {
    const found = await lockRefreshToken(tx, usedSha256);
    if (found === undefined) throw credentialInvalid('unknown refresh token');
    if (found.isUsed) return found;
    requireRefreshable(found, now);
    await replaceRefreshToken(tx, { usedSha256, newSha256: hashRefreshToken(refreshToken), now });
    return found;
  });
  if (facts.isUsed) {
    // In a transaction of its own: ending waits for the session's lock, which must not be waited for with its row in hand.
    await endSession(parts, facts.session.id);
    throw refreshTokenReused();
  }
  const access = await signAccessToken(parts, facts.session);
  return toSessionView({ session: facts.session, access, refreshToken, totpEnrolled: facts.totpEnrolled });
}

function requireRefreshable(facts: RefreshFacts, now: Date): void {
  if (facts.isEnded) throw sessionInactive();
  if (facts.session.expiresAt <= now) throw refreshTokenExpired();
}
