import { allScopes, type CallContract, isUuid } from '@centavo/contracts';
import { ApiError } from '../api-error.js';
import type { Transaction } from '../database/transaction.js';
import { openRequestContext, type RequestFacts } from './auth.queries.js';
import {
  credentialInvalid,
  credentialInvalidText,
  type PresentedCredential,
  refusedCredential,
} from './credentials.js';
import type { IdentityProvider, Principal, SessionClaims } from './principal.js';

/** A caller with a valid credential, and the facts that decide its access. */
export interface Authenticated {
  readonly principal: Principal;
  readonly facts: RequestFacts;
}

// No tracker has this id. It replaces a malformed id, so that a malformed id in a path gets the same response as an unknown id.
const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Identifies the caller. One statement opens the request context in the transaction and loads every restriction of the credential.
 * `decideAccess` decides afterwards what the caller may do.
 * @throws CREDENTIAL_INVALID, CREDENTIAL_EXPIRED, CREDENTIAL_REVOKED, SESSION_INACTIVE (401)
 * @throws UnknownUser when a token of an external issuer is valid, but the database does not have its user yet
 */
export async function authenticate(
  tx: Transaction,
  request: {
    readonly call: CallContract;
    readonly credential: PresentedCredential;
    readonly storesSessions: boolean;
    readonly trackerHeader: string | undefined;
    readonly pathTrackerId: string | undefined;
    readonly idempotencyKey: string | null;
    /** True if no statement follows in this transaction. */
    readonly isAlone?: boolean;
    /**
     * Called synchronously after the authenticating statement is queued. Statements that this callback queues are sent in the same
     * batch and run afterwards.
     */
    readonly afterSend?: (() => void) | undefined;
  },
): Promise<Authenticated> {
  const { call, credential } = request;
  const requested = call.tracker === 'path' ? (request.pathTrackerId ?? '') : request.trackerHeader;
  const trackerId = requested === undefined ? null : isUuid(requested) ? requested.toLowerCase() : nilUuid;
  const facts = await openRequestContext(tx, {
    secretSha256: credential.token.kind === 'secret' ? credential.token.sha256 : null,
    issuer: credential.claims?.issuer ?? null,
    subject: credential.claims?.subject ?? null,
    sessionId: request.storesSessions ? (credential.claims?.sessionId ?? null) : null,
    trackerId,
    isWrite: call.method !== 'GET' || call.numbersEvents,
    idempotencyKey: request.idempotencyKey,
    isAlone: request.isAlone ?? false,
    afterSend: request.afterSend,
  });
  if (facts === null) {
    if (credential.claims !== null && !request.storesSessions) throw new UnknownUser(credential.claims);
    throw credentialInvalid('unknown secret or user');
  }
  return { principal: requirePrincipal(facts), facts };
}

/**
 * Returns the principal of a valid credential. Pure.
 * @throws CREDENTIAL_EXPIRED, CREDENTIAL_REVOKED, SESSION_INACTIVE (401)
 * @source docs/contract.md, section 10a
 */
export function requirePrincipal(facts: RequestFacts): Principal {
  const { userId, credential } = facts;
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
      id: userId,
      name: facts.name,
      kind: null,
      scopes: allScopes,
      expiresAt: null,
      userId,
      credentialId: null,
      activeTrackerId: facts.activeTrackerId,
      defaultTrackerId: facts.defaultTrackerId,
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
      message: 'This credential has expired. Log in again, or create a new key.',
      internalReason: 'credential expired',
    });
  }
  return {
    type: 'integration_client',
    id: credential.id,
    name: facts.name,
    kind: credential.kind,
    scopes: credential.scopes,
    expiresAt: credential.expiresAt,
    userId,
    credentialId: credential.id,
    activeTrackerId: facts.activeTrackerId,
    defaultTrackerId: facts.defaultTrackerId,
    root: facts.principalRoot,
  };
}

/**
 * Returns a check that asks the external issuer whether the session is active. Operations whose result outlives the session, such as a
 * new API key, need this check, because an ended session must not gain lasting access. The check runs outside a transaction, because no
 * database connection may wait for another server. The check runs after authentication and the rate limit, so that no client can trigger
 * unlimited requests to the issuer. The one-time code is checked afterwards. Sessions of the embedded provider are checked when the
 * request context is opened.
 * @returns a function that throws SESSION_INACTIVE (401) or SERVICE_UNAVAILABLE (503); undefined if no check is needed
 * @source docs/contract.md, sections 5, 8 and 10a
 */
export function findSessionCheck(request: {
  readonly identity: IdentityProvider;
  readonly credential: PresentedCredential;
  readonly call: CallContract;
  /** The body of a valid request; undefined if the request is invalid or has no body. */
  readonly body: unknown;
}): (() => Promise<void>) | undefined {
  const { identity, credential, call, body } = request;
  const { token, claims } = credential;
  if (identity.storesSessions || token.kind !== 'jwt' || claims === null || !outlivesSession(call, body))
    return undefined;
  return () => identity.requireActiveSession({ token: token.token, claims });
}

/**
 * Returns true if the result of an operation outlives the session: a new or rotated credential or webhook secret. A new webhook URL
 * counts too, because the caller becomes the owner of the webhook. A new integration client counts because it is a credential.
 * `call.stepUp` is false for its creation, because the contract requires no one-time code for it.
 */
function outlivesSession(call: CallContract, body: unknown): boolean {
  const changesUrl =
    call.name === 'updateWebhook' && (body as { readonly url?: string } | undefined)?.url !== undefined;
  return call.stepUp || changesUrl || (call.resource === 'credentials' && call.method === 'POST');
}

/**
 * Runs `attempt`. If the user of a verified token has no row yet, adds the user and runs `attempt` again. The row is added in its
 * own transaction, because the role that serves requests may not insert users. A known user costs no extra statement.
 * @throws every error of `attempt` and `addUser`, except the first UnknownUser of an external issuer
 */
export async function withNewUser<Result>(identity: IdentityProvider, attempt: () => Promise<Result>): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof UnknownUser) || identity.storesSessions) throw error;
    await identity.addUser(error.claims);
    return attempt();
  }
}

/** The error for a valid token whose user has no row. If {@link withNewUser} does not catch it, the caller gets a 401. */
export class UnknownUser extends ApiError {
  readonly claims: SessionClaims;

  constructor(claims: SessionClaims) {
    super({ code: 'CREDENTIAL_INVALID', message: credentialInvalidText, internalReason: 'unknown user' });
    this.claims = claims;
  }
}
