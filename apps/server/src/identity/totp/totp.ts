import type { SteppedUp, TotpEnrolment } from '@centavo/contracts';
import { generateURI, ScureBase32Plugin } from 'otplib';
import { credentialInvalid } from '../../auth/credentials.js';
import { requireRecentPassword, requireRecentTotp } from '../../auth/step-up.js';
import { totpOwner } from '../../encryption/secret-encryption.js';
import type { IdentityDependencies, SessionCaller } from '../identity-dependencies.js';
import { notEnrolled, sessionInactive, tooManyCodes } from '../identity-errors.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { signAccessToken } from '../sessions/access-token.js';
import { passwordSeconds, withTotp } from '../sessions/authentication-methods.js';
import {
  endOtherSessions,
  lockActiveSession,
  updateSessionMethods,
  waitForWrites,
} from '../sessions/sessions.queries.js';
import { findUser } from '../users/users.queries.js';
import {
  addTotp,
  lockTotp,
  recordAcceptedCode,
  storePendingSecret,
  type TotpRow,
  updateCodeFailures,
} from './totp.queries.js';
import { addUsedStep, codeFailureLimit, decideCodeAttempt, isStepUsed, verifyTotpStep } from './totp.rules.js';

// 160 bits: the length that RFC 4226 recommends.
const secretBytes = 20;

/**
 * Creates, stores and returns the secret for an authenticator app. The app becomes active with its first correct code. Until then an app
 * that was confirmed earlier stays valid. The first app of a user requires a recent login with the password. The replacement of a
 * confirmed app requires a recent code of that app. So a stolen session is not enough to enrol an app.
 * @throws SESSION_INACTIVE (401) if the session is not active, STEP_UP_REQUIRED (401) without the recent login or code
 * @source docs/contract.md, sections 8 and 10a
 */
export async function enrolTotp(dependencies: IdentityDependencies, caller: SessionCaller): Promise<TotpEnrolment> {
  const now = dependencies.clock();
  const age = { nowSeconds: Math.floor(now.getTime() / 1000), maxAgeSeconds: dependencies.stepUpMaxAgeSeconds };
  const secret = new ScureBase32Plugin().encode(dependencies.randomBytes(secretBytes), { padding: false });
  const { userId, sessionId, totpAtSeconds } = caller;
  const pendingSecret = await dependencies.encryption.encrypt(secret, totpOwner(userId));
  const label = await identityTransaction(dependencies.database, async (tx) => {
    // Locks the authenticator before the session, as verifyTotpCode does, so that the two functions cannot deadlock.
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

/** A code for the pending secret (`confirm`) or for the confirmed secret (`verify`). */
export interface TotpCodeAttempt {
  readonly caller: SessionCaller;
  readonly purpose: 'confirm' | 'verify';
  readonly code: string;
}

/**
 * Verifies a one-time code and returns an access token that contains the time of the code. A code works once, even in concurrent
 * requests: the transaction locks the authenticator before it counts the attempt. Confirming an authenticator ends all other sessions
 * of the user. After the response, no write commits under these sessions.
 * @throws CREDENTIAL_INVALID (401) for a wrong or used code, which counts as a failure
 * @throws SESSION_INACTIVE (401) if the session is not active
 * @throws STEP_UP_REQUIRED (401) if a session confirms a first authenticator without a recent login with the password
 * @throws RATE_LIMITED (429) after five wrong codes in 15 minutes
 * @throws STATE_CONFLICT (409) `not_enrolled` if the user has no pending (`confirm`) or confirmed (`verify`) secret
 * @source docs/contract.md, sections 8 and 10a
 */
export async function verifyTotpCode(dependencies: IdentityDependencies, attempt: TotpCodeAttempt): Promise<SteppedUp> {
  const now = dependencies.clock();
  const { userId, sessionId } = attempt.caller;
  const outcome = await identityTransaction(dependencies.database, async (tx) => {
    // Locks the authenticator before the session, because a confirmation also ends, and therefore locks, the user's other sessions. In the
    // opposite order, two sessions of a user that confirm concurrently could deadlock.
    const authenticator = await lockTotp(tx, userId);
    const session = await lockActiveSession(tx, { sessionId, userId, now });
    if (session === undefined) throw sessionInactive();
    const secret = chooseSecret(authenticator, attempt.purpose);
    // Confirming the first app requires a recent login with the password. The same check at enrolment is not enough, because the code may
    // arrive much later than the enrolment, or from another session.
    if (authenticator?.secret === null) {
      requireRecentPassword({
        passwordAtSeconds: passwordSeconds(session.amr),
        nowSeconds: Math.floor(now.getTime() / 1000),
        maxAgeSeconds: dependencies.stepUpMaxAgeSeconds,
      });
    }
    const decision = decideCodeAttempt(secret.failedAt, now);
    if (!decision.isAllowed) throw tooManyCodes({ ...codeFailureLimit, retryAfterSeconds: decision.retryAfterSeconds });
    await updateCodeFailures(tx, { userId, failedAt: decision.failedAtIfWrong });
    const base32 = await dependencies.encryption.decrypt(secret.stored, totpOwner(userId));
    const step = await verifyTotpStep({ secret: base32, code: attempt.code, now });
    // Returns null instead of throwing an error, so that the transaction commits the time of the wrong code.
    if (step === null || isStepUsed(secret.usedSteps, step)) return null;
    await recordAcceptedCode(tx, { userId, secret: secret.stored, usedSteps: addUsedStep(secret.usedSteps, step) });
    const amr = withTotp(session.amr, Math.floor(now.getTime() / 1000));
    await updateSessionMethods(tx, { sessionId, amr });
    const ended = attempt.purpose === 'confirm' ? await endOtherSessions(tx, { userId, sessionId, now }) : [];
    return { session: { ...session, amr }, ended };
  });
  if (outcome === null) {
    throw credentialInvalid(
      'wrong or used one-time code',
      'The code is wrong or was used already. Wait for the next one.',
    );
  }
  await waitForWritesOf(dependencies, outcome.ended);
  const { accessToken, expiresAt } = await signAccessToken(dependencies, outcome.session);
  return { accessToken, expiresAt: expiresAt.toISOString() };
}

// One transaction locks only this many sessions. Each lock needs an entry in PostgreSQL's lock table, and a user may have thousands of
// sessions.
const sessionsAtOnce = 100;

/** Waits for the writes that began under the given sessions before these sessions were ended. Later writes under them are refused. */
async function waitForWritesOf(dependencies: IdentityDependencies, sessionIds: readonly string[]): Promise<void> {
  for (let start = 0; start < sessionIds.length; start += sessionsAtOnce) {
    const batch = sessionIds.slice(start, start + sessionsAtOnce);
    await identityTransaction(dependencies.database, (tx) => waitForWrites(tx, batch));
  }
}

function chooseSecret(row: TotpRow | undefined, purpose: TotpCodeAttempt['purpose']) {
  const stored = purpose === 'confirm' ? row?.pendingSecret : row?.secret;
  if (row === undefined || stored === null || stored === undefined) throw notEnrolled(purpose);
  // `row.usedSteps` belongs to the confirmed secret. A pending secret has no used steps, because none of its codes has been accepted.
  return { stored, failedAt: row.failedAt, usedSteps: purpose === 'confirm' ? [] : row.usedSteps };
}
