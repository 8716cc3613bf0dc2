import { createHash } from 'node:crypto';
import type { createSessionBody, Session } from '@centavo/contracts';
import type * as z from 'zod';
import { credentialInvalid } from '../../auth/credentials.js';
import type { AnonymousLimits } from '../../auth/principal.js';
import { embeddedIssuer, type IdentityParts } from '../identity-dependencies.js';
import { refreshTokenExpired, refreshTokenReused, sessionInactive } from '../identity-errors.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { unknownUserPasswordHash } from '../users/password-hashing.js';
import { findUserByEmail, type UserWithPassword } from '../users/users.queries.js';
import { signAccessToken } from './access-token.js';
import {
  endSessionRow,
  insertSession,
  lockRefreshToken,
  type RefreshFacts,
  replaceRefreshToken,
  type SessionRow,
} from './sessions.queries.js';

const sessionMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Logs a user in. An unknown address and a wrong password get the same answer at the same cost: one password is verified
 * either way, while no connection is held.
 * @throws CREDENTIAL_INVALID (401), SERVICE_UNAVAILABLE (503) when too many passwords wait to be hashed
 * @throws RATE_LIMITED (429) when too many credentials from this address have failed, or the user logs in too often. Source:
 *   contract, sections 8 and 10a; decision 0034
 */
export async function createSession(
  parts: IdentityParts,
  { body, limits }: { readonly body: z.output<typeof createSessionBody>; readonly limits: AnonymousLimits },
): Promise<Session> {
  await limits.requireFailureLeft();
  const user = await parts.hashQueue.run(limits.addressBlock, () => verifyPassword(parts, { body, limits }));
  await limits.consumeForUser(user.id);

  const now = parts.clock();
  const refreshToken = makeRefreshToken(parts.randomBytes);
  const session: SessionRow = {
    id: parts.newId(),
    userId: user.id,
    amr: [{ method: 'password', timestamp: Math.floor(now.getTime() / 1000) }],
    expiresAt: new Date(now.getTime() + sessionMs),
  };
  // Signed before it is stored: a session without tokens would be nobody's.
  const access = await signAccessToken(parts, session);
  await identityTransaction(parts.database, (tx) =>
    insertSession(tx, { ...session, createdAt: now, refreshTokenSha256: hashRefreshToken(refreshToken) }),
  );
  return toSessionView({ session, access, refreshToken, totpEnrolled: user.totpEnrolled });
}

async function verifyPassword(
  parts: IdentityParts,
  { body, limits }: { readonly body: z.output<typeof createSessionBody>; readonly limits: AnonymousLimits },
): Promise<UserWithPassword> {
  // Again, because those that were before it in the queue may have failed.
  await limits.requireFailureLeft();
  const { email, password } = body;
  const user = await identityTransaction(parts.database, (tx) =>
    findUserByEmail(tx, { issuer: embeddedIssuer, email }),
  );
  const isRight = await parts.passwords.verify(user?.passwordHash ?? unknownUserPasswordHash, password);
  if (user === undefined || !isRight) {
    throw credentialInvalid('unknown e-mail or wrong password', 'The e-mail address or the password is not right.');
  }
  return user;
}

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

/**
 * Ends a session at once and for every server: when this returns, nothing more is committed under it. Ending an ended one
 * changes nothing. Source: contract, section 8.
 */
export async function endSession(parts: Pick<IdentityParts, 'database' | 'clock'>, sessionId: string): Promise<void> {
  await identityTransaction(parts.database, (tx) => endSessionRow(tx, { sessionId, now: parts.clock() }));
}

/** A new refresh token of 256 random bits, base64url. */
export function makeRefreshToken(randomBytes: (byteCount: number) => Buffer): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token. Plain SHA-256 is enough for 256 random bits, and a look-up by hash tells nothing by its timing. */
export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A session as its user gets it; the only place where the refresh token is ever shown. */
export function toSessionView(opened: {
  readonly session: SessionRow;
  readonly access: { readonly accessToken: string; readonly expiresAt: Date };
  readonly refreshToken: string;
  readonly totpEnrolled: boolean;
}): Session {
  return {
    sessionId: opened.session.id,
    accessToken: opened.access.accessToken,
    tokenType: 'Bearer',
    expiresAt: opened.access.expiresAt.toISOString(),
    refreshToken: opened.refreshToken,
    refreshExpiresAt: opened.session.expiresAt.toISOString(),
    totpEnrolled: opened.totpEnrolled,
  };
}
