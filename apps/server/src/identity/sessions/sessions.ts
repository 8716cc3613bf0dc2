import { createHash } from 'node:crypto';
import type { createSessionBody, Session } from '@centavo/contracts';
import type * as z from 'zod';
import { credentialInvalid } from '../../auth/credentials.js';
import type { AnonymousLimits } from '../../auth/principal.js';
import { embeddedIssuer, type IdentityDependencies } from '../identity-dependencies.js';
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
 * Logs a user in and returns the new session. An unknown e-mail address and a wrong password get the same response after the same time,
 * because the server verifies one password hash in both cases. The server uses no database connection during the verification.
 * @throws CREDENTIAL_INVALID (401) if the e-mail address is unknown or the password is wrong
 * @throws SERVICE_UNAVAILABLE (503) if too many passwords wait to be hashed
 * @throws RATE_LIMITED (429) if too many credentials from the client's IP address have failed, or the user logs in too often
 * @source docs/contract.md, sections 8 and 10a; decision 0034
 */
export async function createSession(
  dependencies: IdentityDependencies,
  { body, limits }: { readonly body: z.output<typeof createSessionBody>; readonly limits: AnonymousLimits },
): Promise<Session> {
  await limits.requireFailuresBelowLimit();
  const user = await dependencies.hashQueue.run(limits.addressBlock, () =>
    verifyPassword(dependencies, { body, limits }),
  );
  await limits.consumeForUser(user.id);

  const now = dependencies.clock();
  const refreshToken = createRefreshToken(dependencies.randomBytes);
  const session: SessionRow = {
    id: dependencies.newId(),
    userId: user.id,
    amr: [{ method: 'password', timestamp: Math.floor(now.getTime() / 1000) }],
    expiresAt: new Date(now.getTime() + sessionMs),
  };
  // The token is signed before the session is stored. If signing failed afterwards, an unusable session would remain.
  const access = await signAccessToken(dependencies, session);
  await identityTransaction(dependencies.database, (tx) =>
    insertSession(tx, { ...session, createdAt: now, refreshTokenSha256: hashRefreshToken(refreshToken) }),
  );
  return toSessionView({ session, access, refreshToken, totpEnrolled: user.totpEnrolled });
}

async function verifyPassword(
  dependencies: IdentityDependencies,
  { body, limits }: { readonly body: z.output<typeof createSessionBody>; readonly limits: AnonymousLimits },
): Promise<UserWithPassword> {
  // Checks the limit of failed credentials a second time. While this login waited in the queue for password hashing, other logins from
  // the same IP address may have failed.
  await limits.requireFailuresBelowLimit();
  const { email, password } = body;
  const user = await identityTransaction(dependencies.database, (tx) =>
    findUserByEmail(tx, { issuer: embeddedIssuer, email }),
  );
  const isCorrect = await dependencies.passwords.verify(user?.passwordHash ?? unknownUserPasswordHash, password);
  if (user === undefined || !isCorrect) {
    throw credentialInvalid('unknown e-mail or wrong password', 'The e-mail address or the password is wrong.');
  }
  return user;
}

/**
 * Exchanges a refresh token for a new pair of tokens. Each refresh token works once. A refresh does not change the expiry of the session
 * (30 days after the login) or the times at which the user authenticated.
 * @throws CREDENTIAL_REVOKED (401) for a used token; the session is then ended, because a thief may have a copy of the token
 * @throws CREDENTIAL_INVALID (401) for an unknown token, SESSION_INACTIVE (401) for an ended session, CREDENTIAL_EXPIRED (401) for an
 *   expired session
 * @source docs/contract.md, sections 8 and 10a
 */
export async function refreshSession(dependencies: IdentityDependencies, presentedToken: string): Promise<Session> {
  const now = dependencies.clock();
  // Loads the signing key before the refresh token is consumed, so that the session stays usable if the key cannot be loaded.
  await dependencies.keyRing.signingKey();
  const usedSha256 = hashRefreshToken(presentedToken);
  const refreshToken = createRefreshToken(dependencies.randomBytes);
  const facts = await identityTransaction(dependencies.database, async (tx) => {
    const found = await lockRefreshToken(tx, usedSha256);
    if (found === undefined) throw credentialInvalid('unknown refresh token');
    if (found.isUsed) return found;
    requireRefreshable(found, now);
    await replaceRefreshToken(tx, { usedSha256, newSha256: hashRefreshToken(refreshToken), now });
    return found;
  });
  if (facts.isUsed) {
    // Ends the session in a second transaction. A log-out takes the advisory lock of the session and then locks the session's row. The
    // first transaction has locked the row already, so if it also took the advisory lock, it could deadlock with a concurrent log-out.
    await endSession(dependencies, facts.session.id);
    throw refreshTokenReused();
  }
  const access = await signAccessToken(dependencies, facts.session);
  return toSessionView({ session: facts.session, access, refreshToken, totpEnrolled: facts.totpEnrolled });
}

function requireRefreshable(facts: RefreshFacts, now: Date): void {
  if (facts.isEnded) throw sessionInactive();
  if (facts.session.expiresAt <= now) throw refreshTokenExpired();
}

/**
 * Ends a session. After the returned promise resolves, no server commits another write under the session. Ending the session again changes
 * nothing.
 * @source docs/contract.md, section 8
 */
export async function endSession(
  dependencies: Pick<IdentityDependencies, 'database' | 'clock'>,
  sessionId: string,
): Promise<void> {
  await identityTransaction(dependencies.database, (tx) => endSessionRow(tx, { sessionId, now: dependencies.clock() }));
}

/** Returns a new refresh token of 256 random bits in base64url. */
export function createRefreshToken(randomBytes: (byteCount: number) => Buffer): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the form in which a refresh token is stored. SHA-256 is enough, without a salt or a slow hash, because the token has 256
 * random bits. The duration of a look-up by hash discloses nothing about the token.
 */
export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns the response body for a created or refreshed session. No other response contains a refresh token. */
export function toSessionView(created: {
  readonly session: SessionRow;
  readonly access: { readonly accessToken: string; readonly expiresAt: Date };
  readonly refreshToken: string;
  readonly totpEnrolled: boolean;
}): Session {
  return {
    sessionId: created.session.id,
    accessToken: created.access.accessToken,
    tokenType: 'Bearer',
    expiresAt: created.access.expiresAt.toISOString(),
    refreshToken: created.refreshToken,
    refreshExpiresAt: created.session.expiresAt.toISOString(),
    totpEnrolled: created.totpEnrolled,
  };
}
