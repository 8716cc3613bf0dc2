import type { SteppedUp, TotpEnrolment } from '@centavo/contracts';
import { generateURI, ScureBase32Plugin } from 'otplib';
import { credentialInvalid } from '../../auth/credentials.js';
import { requireRecentPassword, requireRecentTotp } from '../../auth/step-up.js';
import type { Caller, IdentityParts } from '../identity-dependencies.js';
import { notEnrolled, sessionInactive, tooManyCodes } from '../identity-errors.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { totpOwner } from '../secret-encryption.js';
import { signAccessToken } from '../sessions/access-token.js';
import { passwordSeconds, withTotp } from '../sessions/authentication-methods.js';
import {
  endOtherSessions,
  lockActiveSession,
  updateSessionMethods,
  waitForWrites,
} from '../sessions/sessions.queries.js';
import { findUser } from '../users/users.queries.js';
import { acceptCode, addTotp, lockTotp, storePendingSecret, type TotpRow, updateCodeFailures } from './totp.queries.js';
import { codeFailureLimit, countCodeAttempt, isUsed, matchTotpStep, useStep } from './totp.rules.js';

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

/** A code, for the pending secret (`confirm`) or for the confirmed one (`verify`). */
export interface CodeGiven {
  readonly caller: Caller;
  readonly purpose: 'confirm' | 'verify';
  readonly code: string;
}

/**
 * Takes a one-time code and returns an access token that has its time. A step's code works once, however many requests bring
 * it at the same moment: the user's authenticator is locked from before the attempt is counted until it is recorded.
 * Confirming an authenticator ends all other sessions of the user: after the answer nothing more is committed under them.
 * @throws CREDENTIAL_INVALID (401) for a wrong or used code, which counts, SESSION_INACTIVE (401)
 * @throws STEP_UP_REQUIRED (401) when a first authenticator is confirmed by a session whose password is no longer recent
 * @throws RATE_LIMITED (429) after five of them in 15 minutes
 * @throws STATE_CONFLICT (409) not_enrolled. Source: contract, sections 8 and 10a
 */
export async function giveTotpCode(parts: IdentityParts, given: CodeGiven): Promise<SteppedUp> {
  const now = parts.clock();
  const { userId, sessionId } = given.caller;
  const judged = await identityTransaction(parts.database, async (tx) => {
    // This row first: two sessions of a user that confirm at once would otherwise each hold what the other has to end.
    const authenticator = await lockTotp(tx, userId);
    const session = await lockActiveSession(tx, { sessionId, userId, now });
    if (session === undefined) throw sessionInactive();
    const secret = chooseSecret(authenticator, given.purpose);
    // A session that began the first enrolment in time knows its seed, and could confirm it when its password is no longer recent.
    if (authenticator?.secret === null) {
      requireRecentPassword({
        passwordAtSeconds: passwordSeconds(session.amr),
        nowSeconds: Math.floor(now.getTime() / 1000),
        maxAgeSeconds: parts.stepUpMaxAgeSeconds,
      });
    }
    const attempt = countCodeAttempt(secret.failedAt, now);
    if (!attempt.isAllowed) throw tooManyCodes({ ...codeFailureLimit, retryAfterSeconds: attempt.retryAfterSeconds });
    await updateCodeFailures(tx, { userId, failedAt: attempt.failedAtIfWrong });
    const base32 = await parts.sealing.open(secret.stored, totpOwner(userId));
    const step = await matchTotpStep({ secret: base32, code: given.code, now });
    // Returned, not thrown: the count has to stay.
    if (step === null || isUsed(secret.usedSteps, step)) return null;
    await acceptCode(tx, { userId, secret: secret.stored, usedSteps: useStep(secret.usedSteps, step) });
    const amr = withTotp(session.amr, Math.floor(now.getTime() / 1000));
    await updateSessionMethods(tx, { sessionId, amr });
    const ended = given.purpose === 'confirm' ? await endOtherSessions(tx, { userId, sessionId, now }) : [];
    return { session: { ...session, amr }, ended };
  });
  if (judged === null) {
    throw credentialInvalid(
      'wrong or used one-time code',
      'The code is wrong or was used already. Wait for the next one.',
    );
  }
  await waitForWritesOf(parts, judged.ended);
  const { accessToken, expiresAt } = await signAccessToken(parts, judged.session);
  return { accessToken, expiresAt: expiresAt.toISOString() };
}

// Each session takes an entry in PostgreSQL's table of locks, and a user may have thousands of sessions.
const sessionsAtOnce = 100;

/** Waits for the writes that began before these sessions were ended; later ones find them ended. */
async function waitForWritesOf(parts: IdentityParts, sessionIds: readonly string[]): Promise<void> {
  for (let start = 0; start < sessionIds.length; start += sessionsAtOnce) {
    const batch = sessionIds.slice(start, start + sessionsAtOnce);
    await identityTransaction(parts.database, (tx) => waitForWrites(tx, batch));
  }
}

function chooseSecret(row: TotpRow | undefined, purpose: CodeGiven['purpose']) {
  const stored = purpose === 'confirm' ? row?.pendingSecret : row?.secret;
  if (row === undefined || stored === null || stored === undefined) throw notEnrolled();
  // No code of a pending secret was ever accepted; the steps on record are of the secret it will replace.
  return { stored, failedAt: row.failedAt, usedSteps: purpose === 'confirm' ? [] : row.usedSteps };
}
