import type { TotpEnrolment } from '@centavo/contracts';
import { generateURI, ScureBase32Plugin } from 'otplib';
import { isRecentTotp, stepUpRequired } from '../access/step-up.js';
import { sessionInactive } from './identity-errors.js';
import type { Caller, IdentityParts } from './identity-parts.js';
import { identityTransaction } from './identity-transaction.js';
import { totpOwner } from './sealing.js';
import { lockActiveSession } from './sessions.queries.js';
import { storePendingSecret } from './totp.queries.js';
import { findUser } from './users.queries.js';

// 160 bits, what RFC 4226 recommends and what HMAC-SHA-1 takes.
const secretBytes = 20;

/**
 * Gives the seed for an authenticator app, which counts from its first code on; until then a confirmed one stays in force.
 * Replacing a confirmed one takes a recent code of it, else a stolen session could lock the user out.
 * @throws STEP_UP_REQUIRED, SESSION_INACTIVE (401). Source: contract, sections 8 and 10a
 */
export async function enrolTotp(parts: IdentityParts, caller: Caller): Promise<TotpEnrolment> {
  const now = parts.clock();
  const maxAgeSeconds = parts.stepUpMaxAgeSeconds;
  const mayReplace = isRecentTotp({
    totpAtSeconds: caller.totpAtSeconds,
    nowSeconds: Math.floor(now.getTime() / 1000),
    maxAgeSeconds,
  });
  const secret = new ScureBase32Plugin().encode(parts.randomBytes(secretBytes), { padding: false });
  const { userId, sessionId } = caller;
  const pendingSecret = await parts.sealing.seal(secret, totpOwner(userId));
  const label = await identityTransaction(parts.database, async (tx) => {
    if ((await lockActiveSession(tx, { sessionId, userId, now })) === undefined) throw sessionInactive();
    const isStored = await storePendingSecret(tx, { userId, pendingSecret, mayReplace });
    if (!isStored) throw stepUpRequired(maxAgeSeconds);
    return (await findUser(tx, userId))?.email ?? userId;
  });
  return { secret, otpauthUri: generateURI({ issuer: 'Centavo', label, secret }) };
}
