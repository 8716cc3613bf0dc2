import { hash } from 'node:crypto';
import { errorCodes, isWellFormedSecret } from '@centavo/contracts';
import { ApiError } from '../api-error.js';
import type { Database } from '../database/pool.js';
import { recordCredentialUse } from './auth.queries.js';
import type { IdentityProvider, SessionClaims } from './principal.js';

/** The token of an Authorization header. The form of the token alone determines its kind. */
export type BearerToken =
  | { readonly kind: 'secret'; readonly sha256: Buffer }
  | { readonly kind: 'jwt'; readonly token: string };

/** The credential of a request, checked before the transaction: a well-formed secret, or a session token with verified claims. */
export interface PresentedCredential {
  readonly token: BearerToken;
  /** Null for a secret. */
  readonly claims: SessionClaims | null;
  /** Identifies the caller. Requests in this process with the same caller key and the same idempotency key are serialized. */
  readonly callerKey: string;
}

// The b64token of RFC 6750. Tokens beyond the maximum length are refused before any cryptography.
const bearerPattern = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;
const tokenLengthMax = 8192;

/** The default message of CREDENTIAL_INVALID. It is the same for every cause, so that it gives no hint to an attacker. */
export const credentialInvalidText = `This credential is not valid. ${errorCodes.CREDENTIAL_INVALID.remedy}`;

/**
 * Reads the Authorization header and verifies a session token. The embedded provider sends a database query only if the
 * token names a signing key that is not cached.
 * @throws UNAUTHENTICATED, CREDENTIAL_INVALID, CREDENTIAL_EXPIRED (401)
 * @throws SERVICE_UNAVAILABLE (503) when the issuer's keys cannot be loaded
 */
export async function readCredential(
  authorization: string | undefined,
  identity: IdentityProvider,
): Promise<PresentedCredential> {
  const token = parseBearerToken(authorization);
  if (token.kind === 'secret') return { token, claims: null, callerKey: token.sha256.toString('hex') };
  const claims = await identity.verifyAccessToken(token.token);
  return { token, claims, callerKey: `${claims.issuer} ${claims.subject}` };
}

/**
 * Parses the Authorization header. A secret with a wrong checksum is refused here and never reaches the database.
 * @throws UNAUTHENTICATED (401) without a bearer token
 * @throws CREDENTIAL_INVALID (401) when the token is neither a well-formed secret nor shaped like a JWT
 * @source docs/contract.md, sections 8 and 10a
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
  if (isWellFormedSecret(token)) return { kind: 'secret', sha256: hash('sha256', token, 'buffer') };
  if (token.length <= tokenLengthMax && token.split('.').length === 3) return { kind: 'jwt', token };
  throw credentialInvalid('neither a secret nor a JWT');
}

/**
 * Returns the 401 error for a credential that is malformed or unknown, or has an invalid signature. The default message does not say which
 * check failed.
 */
export function credentialInvalid(internalReason: string, message = credentialInvalidText): ApiError {
  return refusedCredential({ code: 'CREDENTIAL_INVALID', message, internalReason });
}

/** Returns a 401 error with the challenge that RFC 6750 requires. */
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
 * Records when credentials are used, at most once a minute for each credential. Runs after the request's transaction, so that a slow or
 * failed statement does not affect the request.
 * @source docs/contract.md, section 3; docs/financial-integration-api.md, Authentication
 */
export class CredentialUse {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #recordedAt = new Map<string, number>();
  #writing: Promise<void> = Promise.resolve();

  constructor(dependencies: { readonly database: Database; readonly now: () => number }) {
    this.#database = dependencies.database;
    this.#now = dependencies.now;
  }

  /** Records a use in the background and returns at once. If the recording fails, the next use is recorded instead. */
  record(credentialId: string): void {
    const now = this.#now();
    if (now - (this.#recordedAt.get(credentialId) ?? Number.NEGATIVE_INFINITY) < intervalMs) return;
    this.#deleteExpired(now);
    this.#recordedAt.set(credentialId, now);
    // Sends one statement at a time. If many credentials are used at once, their statements need only one connection of the pool, and
    // the others stay free for requests.
    this.#writing = this.#writing
      .then(() => this.#database.transaction({ readOnly: false }, (tx) => recordCredentialUse(tx, credentialId)))
      .catch(() => {
        this.#recordedAt.delete(credentialId);
      });
  }

  /** Resolves when the recordings in progress are committed or have failed. */
  settled(): Promise<void> {
    return this.#writing;
  }

  #deleteExpired(now: number): void {
    for (const [id, recordedAt] of this.#recordedAt) {
      // The map is in order of insertion, so no entry after the first recent entry has expired.
      if (now - recordedAt < intervalMs) return;
      this.#recordedAt.delete(id);
    }
  }
}
