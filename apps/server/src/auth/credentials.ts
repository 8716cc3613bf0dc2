import { createHash } from 'node:crypto';
import { errorCodes, isWellFormedSecret } from '@centavo/contracts';
import { ApiError } from '../api-error.js';
import type { Database } from '../database/database.js';
import { noteCredentialUse } from './access.queries.js';
import type { IdentityProvider, SessionClaims } from './principal.js';

/** What an Authorization header holds, told apart by its shape alone. */
export type BearerToken =
  | { readonly kind: 'secret'; readonly sha256: Buffer }
  | { readonly kind: 'jwt'; readonly token: string };

/** What can be known of a caller without the database: the shape of a secret, or the claims of a verified token. */
export interface PresentedCredential {
  readonly token: BearerToken;
  readonly claims: SessionClaims | null;
  /** Names the caller in this process alone, to tell twins of one request from strangers. */
  readonly fingerprint: string;
}

// RFC 6750's b64token; longer ones are refused before any cryptography.
const bearerPattern = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;
const tokenLengthMax = 8192;

/** Says nothing of what is wrong with it. */
export const credentialInvalidText = `This credential is not valid. ${errorCodes.CREDENTIAL_INVALID.remedy}`;

/**
 * Reads the Authorization header and verifies a session token; the database is not asked yet.
 * @throws UNAUTHENTICATED, CREDENTIAL_INVALID, CREDENTIAL_EXPIRED (401)
 */
export async function readCredential(
  authorization: string | undefined,
  identity: IdentityProvider,
): Promise<PresentedCredential> {
  const token = parseBearerToken(authorization);
  if (token.kind === 'secret') return { token, claims: null, fingerprint: token.sha256.toString('hex') };
  const claims = await identity.verifyAccessToken(token.token);
  return { token, claims, fingerprint: `${claims.issuer} ${claims.subject}` };
}

/**
 * Reads the Authorization header.
 * @throws UNAUTHENTICATED (401) without a bearer token
 * @throws CREDENTIAL_INVALID (401) for what is neither a well-formed secret nor shaped like a JWT; a wrong checksum never
 *   reaches the database. Source: contract, sections 8 and 10a
 */
export function parseBearerToken(authorization: string | undefined): BearerToken {
  const token = authorization === undefined ? undefined : bearerPattern.exec(authorization.trim())?.[1];
  if (token === undefined) {
    if (authorization !== undefined && /^Bearer\s+\S/i.test(authorization)) throw credentialInvalid('malformed bearer');
    throw new ApiError({
      code: 'UNAUTHENTICATED',
      message: 'Send "Authorization: Bearer <token>" with a session token or an API key.',
      headers: { 'WWW-Authenticate': 'Bearer realm="centavo"' },
    });
  }
  if (isWellFormedSecret(token)) return { kind: 'secret', sha256: createHash('sha256').update(token).digest() };
  if (token.length <= tokenLengthMax && token.split('.').length === 3) return { kind: 'jwt', token };
  throw credentialInvalid('neither a secret nor a JWT');
}

/** 401 for anything malformed, unknown or wrongly signed; unless the caller says which proof failed, it says no more. */
export function credentialInvalid(internalReason: string, message = credentialInvalidText): ApiError {
  return refusedCredential({ code: 'CREDENTIAL_INVALID', message, internalReason });
}

/** A 401 with the challenge that RFC 6750 asks for. */
export function refusedCredential(options: {
  code: 'CREDENTIAL_INVALID' | 'CREDENTIAL_EXPIRED' | 'CREDENTIAL_REVOKED' | 'SESSION_INACTIVE';
  message: string;
  internalReason: string;
}): ApiError {
  return new ApiError({
    ...options,
    headers: { 'WWW-Authenticate': `Bearer realm="centavo", error="invalid_token"` },
  });
}

const intervalMs = 60_000;

/**
 * Notes when credentials are used: at most once a minute each, and after the request's own transaction, so that a request
 * neither waits for it nor fails with it. Source: contract, section 3; specification, Authentication
 */
export class CredentialUse {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #recordedAt = new Map<string, number>();
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: { readonly database: Database; readonly now: () => number }) {
    this.#database = parts.database;
    this.#now = parts.now;
  }

  /** Returns at once; what goes wrong is left for the next minute. */
  record(credentialId: string): void {
    const now = this.#now();
    if (now - (this.#recordedAt.get(credentialId) ?? Number.NEGATIVE_INFINITY) < intervalMs) return;
    this.#deleteExpired(now);
    this.#recordedAt.set(credentialId, now);
    // One after the other: a burst of new credentials must not take the pool from the requests.
    this.#writing = this.#writing
      .then(() => this.#database.transaction({ readOnly: false }, (tx) => noteCredentialUse(tx, credentialId)))
      .catch(() => {
        this.#recordedAt.delete(credentialId);
      });
  }

  /** Resolves when everything noted so far is written. */
  settled(): Promise<void> {
    return this.#writing;
  }

  #deleteExpired(now: number): void {
    for (const [id, recordedAt] of this.#recordedAt) {
      // In the order of noting, so the first that is young enough ends the search.
      if (now - recordedAt < intervalMs) return;
      this.#recordedAt.delete(id);
    }
  }
}
