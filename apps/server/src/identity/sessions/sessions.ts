import type { createSessionBody, Session } from '@centavo/contracts';
import type * as z from 'zod';
import { credentialInvalid } from '../../auth/credentials.js';
import type { AnonymousLimits } from '../../auth/principal.js';
import { embeddedIssuer, type IdentityParts } from '../identity-dependencies.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { unknownUserPasswordHash } from '../users/password-hashing.js';
import { findUserByEmail, type UserWithPassword } from '../users/users.queries.js';
import { hashRefreshToken, makeRefreshToken } from './refresh-token.js';
import { toSessionView } from './session-view.js';
import { insertSession, type SessionRow } from './sessions.queries.js';
import { signAccessToken } from './sign-access-token.js';

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
