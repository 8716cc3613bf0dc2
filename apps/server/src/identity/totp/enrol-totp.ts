import type { TotpEnrolment } from '@centavo/contracts';
import { generateURI, ScureBase32Plugin } from 'otplib';
import { requireRecentPassword, requireRecentTotp } from '../../auth/step-up.js';
import type { Caller, IdentityParts } from '../identity-dependencies.js';
import { sessionInactive } from '../identity-errors.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { totpOwner } from '../secret-encryption.js';
import { passwordSeconds } from '../sessions/authentication-methods.js';
import { lockActiveSession } from '../sessions/sessions.queries.js';
import { findUser } from '../users/users.queries.js';
import { addTotp, lockTotp, storePendingSecret } from './totp.queries.js';

// 160 bits, what RFC 4226 recommends and what HMAC-SHA-1 takes.
const secretBytes = 20;

/**
 * Returns the seed for an authenticator app, which counts from its first code on; until then a confirmed one stays in force.
 * A stolen session must not be enough: the first app takes a session whose password was entered recently, and replacing a
 * confirmed one takes a recent code of it.
 * @throws STEP_UP_REQUIRED, SESSION_INACTIVE (401). Source: contract, sections 8 and 10a
 */
export async function enrolTotp(parts: IdentityParts, caller: Caller): Promise<TotpEnrolment> {
  const now = parts.clock();
  const age = { nowSeconds: Math.floor(now.getTime() / 1000), maxAgeSeconds: parts.stepUpMaxAgeSeconds };
  const secret = new ScureBase32Plugin().encode(parts.randomBytes(secretBytes), { padding: false });
  const { userId, sessionId, totpAtSeconds } = caller;
  const pendingSecret = await parts.sealing.seal(secret, totpOwner(userId));
  const label = await identityTransaction(parts.database, async (tx) => {
    // The row of the authenticator is locked before that of the session, as in giveTotpCode.
    await addTotp(tx, userId);
    const authenticator = await lockTotp(tx, userId);
    const session = await lockActiveSession(tx, { sessionId, userId, now });
    if (session === undefined) throw sessionInactive();
    const isEnrolled = authenticator !== undefined && authenticator.secret !== null;
    if (isEnrolled) requireRecentTotp({ ...age, totpAtSeconds });
    else requireRecentPassword({ ...age, passwordAtSeconds: passwordSeconds(session.amr) });
    await storePendingSecret(tx, { userId, pendingSecret });
    return (await findUser(tx, userId))?.email ?? userId;
  });
  return { secret, otpauthUri: generateURI({ issuer: 'Centavo', label, secret }) };
}
