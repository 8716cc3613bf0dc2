import { type CallContract, isUuid } from '@centavo/contracts';
import type { Transaction } from '../database/database.js';
import { type EnteredFacts, enterRequest } from './access.queries.js';
import { type BearerToken, parseBearerToken } from './credentials.js';
import type { IdentityProvider, SessionClaims } from './identity-provider.js';
import type { Principal } from './principal.js';
import { requirePrincipal } from './require-principal.js';
import { UnknownUser } from './with-new-user.js';

/** What can be known of a caller without the database: the shape of a secret, or the claims of a verified token. */
export interface Presented {
  readonly token: BearerToken;
  readonly claims: SessionClaims | null;
  /** Names the caller in this process alone, to tell twins of one request from strangers. */
  readonly fingerprint: string;
}

/** A caller with a good credential, and the facts that access is decided by. */
export interface Authenticated {
  readonly principal: Principal;
  readonly facts: EnteredFacts;
}

// No tracker has it; a malformed id in a path is then answered like one that never existed.
const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Reads the Authorization header and verifies a session token; the database is not asked yet.
 * @throws UNAUTHENTICATED, CREDENTIAL_INVALID, CREDENTIAL_EXPIRED (401)
 */
export async function readCredential(
  authorization: string | undefined,
  identity: IdentityProvider,
): Promise<Presented> {
  const token = parseBearerToken(authorization);
  if (token.kind === 'secret') return { token, claims: null, fingerprint: token.sha256.toString('hex') };
  const claims = await identity.verifyAccessToken(token.token);
  return { token, claims, fingerprint: `${claims.issuer} ${claims.subject}` };
}

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
    readonly presented: Presented;
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
  const { call, presented } = request;
  const named = call.tracker === 'path' ? (request.pathTrackerId ?? '') : request.trackerHeader;
  const trackerId = named === undefined ? null : isUuid(named) ? named.toLowerCase() : nilUuid;
  const facts = await enterRequest(tx, {
    secretSha256: presented.token.kind === 'secret' ? presented.token.sha256 : null,
    issuer: presented.claims?.issuer ?? null,
    subject: presented.claims?.subject ?? null,
    sessionId: request.keepsSessions ? (presented.claims?.sessionId ?? null) : null,
    trackerId,
    isWrite: call.method !== 'GET',
    idempotencyKey: request.idempotencyKey,
    isAlone: request.isAlone ?? false,
    afterSend: request.afterSend,
  });
  if (facts.user === null && presented.claims !== null && !request.keepsSessions)
    throw new UnknownUser(presented.claims);
  return { principal: requirePrincipal(facts), facts };
}
