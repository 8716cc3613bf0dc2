import { type CallContract, isUuid, scopes } from '@centavo/contracts';
import { ApiError } from '../api-error.js';
import type { Transaction } from '../database/database.js';
import { type EnteredFacts, enterRequest } from './access.queries.js';
import {
  credentialInvalid,
  credentialInvalidText,
  type PresentedCredential,
  refusedCredential,
} from './credentials.js';
import type { IdentityProvider, Principal, SessionClaims } from './principal.js';

/** A caller with a good credential, and the facts that access is decided by. */
export interface Authenticated {
  readonly principal: Principal;
  readonly facts: EnteredFacts;
}

// No tracker has it; a malformed id in a path is then answered like one that never existed.
const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Enters the request's transaction and asks who is calling; every restriction of the credential is loaded here, in the
 * transaction that does the work. What the caller may do is for `decideAccess`.
 * @throws CREDENTIAL_INVALID, CREDENTIAL_EXPIRED, CREDENTIAL_REVOKED, SESSION_INACTIVE (401)
 * @throws UnknownUser when an external issuer vouches for somebody whom nobody has met
 */
export async function authenticate(
  tx: Transaction,
  request: {
    readonly call: CallContract;
    readonly credential: PresentedCredential;
    readonly keepsSessions: boolean;
    readonly trackerHeader: string | undefined;
    readonly pathTrackerId: string | undefined;
    readonly idempotencyKey: string | null;
    /** Nothing follows in this transaction. */
    readonly isAlone?: boolean;
    /** Called when the statement is sent; statements that it sends run after it. */
    readonly afterSend?: (() => void) | undefined;
  },
): Promise<Authenticated> {
  const { call, credential } = request;
  const named = call.tracker === 'path' ? (request.pathTrackerId ?? '') : request.trackerHeader;
  const trackerId = named === undefined ? null : isUuid(named) ? named.toLowerCase() : nilUuid;
  const facts = await enterRequest(tx, {
    secretSha256: credential.token.kind === 'secret' ? credential.token.sha256 : null,
    issuer: credential.claims?.issuer ?? null,
    subject: credential.claims?.subject ?? null,
    sessionId: request.keepsSessions ? (credential.claims?.sessionId ?? null) : null,
    trackerId,
    isWrite: call.method !== 'GET',
    idempotencyKey: request.idempotencyKey,
    isAlone: request.isAlone ?? false,
    afterSend: request.afterSend,
  });
  if (facts.user === null && credential.claims !== null && !request.keepsSessions)
    throw new UnknownUser(credential.claims);
  return { principal: requirePrincipal(facts), facts };
}

/**
 * Asks who is calling, and that the credential is good now. Pure.
 * @throws CREDENTIAL_INVALID, CREDENTIAL_EXPIRED, CREDENTIAL_REVOKED, SESSION_INACTIVE (401). Source: contract, section 10a
 */
export function requirePrincipal(facts: EnteredFacts): Principal {
  const { user, credential } = facts;
  if (user === null) throw credentialInvalid('unknown secret or user');
  if (credential === null) {
    if (facts.sessionActive === false) {
      throw refusedCredential({
        code: 'SESSION_INACTIVE',
        message: 'This session has ended. Log in again.',
        internalReason: 'session ended or unknown',
      });
    }
    return {
      type: 'user',
      id: user.id,
      name: user.displayName ?? user.email ?? user.id,
      kind: null,
      scopes: scopes,
      expiresAt: null,
      userId: user.id,
      credentialId: null,
      activeTrackerId: user.activeTrackerId,
      defaultTrackerId: user.defaultTrackerId,
      root: facts.principalRoot,
    };
  }
  if (credential.isRevoked) {
    throw refusedCredential({
      code: 'CREDENTIAL_REVOKED',
      message: 'This credential was revoked. Create a new one.',
      internalReason: 'credential revoked',
    });
  }
  if (credential.isExpired) {
    throw refusedCredential({
      code: 'CREDENTIAL_EXPIRED',
      message: 'This credential has expired. Rotate or replace it.',
      internalReason: 'credential expired',
    });
  }
  return {
    type: 'integration_client',
    id: credential.id,
    name: credential.name,
    kind: credential.kind,
    scopes: credential.scopes,
    expiresAt: credential.expiresAt,
    userId: user.id,
    credentialId: credential.id,
    activeTrackerId: credential.activeTrackerId,
    defaultTrackerId: credential.defaultTrackerId,
    root: facts.principalRoot,
  };
}

/**
 * What an external issuer has to be asked before a user makes a secret: what outlives the session must not come out of one
 * that has ended. It is asked outside the transaction, because no connection may wait for somebody else's server; once the
 * caller is known and has paid with a token, because nobody may make us ask without end; and before the one-time code is
 * looked at. Where sessions are kept here, entering the request asks. Source: contract, sections 5, 8 and 10a
 * @returns an act that throws SESSION_INACTIVE (401) or SERVICE_UNAVAILABLE (503); undefined where there is nothing to ask
 */
export function findSessionCheck(request: {
  readonly identity: IdentityProvider;
  readonly credential: PresentedCredential;
  readonly call: CallContract;
}): (() => Promise<void>) | undefined {
  const { identity, credential, call } = request;
  const { token, claims } = credential;
  if (identity.keepsSessions || token.kind !== 'jwt' || claims === null || !makesSecret(call)) return undefined;
  return () => identity.requireActiveSession({ token: token.token, claims });
}

/** Every create and rotate, of integration clients too, which the contract asks no one-time code for. */
function makesSecret(call: CallContract): boolean {
  return call.stepUp || (call.noun === 'credentials' && call.method === 'POST');
}

/**
 * Runs the transaction of a request; when it finds nobody behind a verified token of an external issuer, the user is
 * added and the request entered again. The row has a transaction of its own, because the role that serves requests may
 * not add users; who is known costs nothing extra.
 * @throws whatever `attempt` throws
 */
export async function withNewUser<Result>(identity: IdentityProvider, attempt: () => Promise<Result>): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof UnknownUser) || identity.keepsSessions) throw error;
    await identity.addUser(error.claims);
    return attempt();
  }
}

/** The token is genuine and its user was never seen here. A 401, should it ever come through. */
export class UnknownUser extends ApiError {
  readonly claims: SessionClaims;

  constructor(claims: SessionClaims) {
    super({ code: 'CREDENTIAL_INVALID', message: credentialInvalidText, internalReason: 'unknown user' });
    this.claims = claims;
  }
}
